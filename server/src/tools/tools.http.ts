import { route } from '../platform/http/handler.ts';
import { callTools } from './tools.contract.ts';
import type { ProtocolServices } from './tools-protocol.http.ts';

export const toolGatewayRoutes = [
  /** Sends the response itself, because JSON-RPC errors are no declared bodies of the operation. */
  route(callTools, async (call, services: ProtocolServices) => {
    // Loaded on the first call, because many agents have no tools.
    const { respond } = await import('./tools-protocol.http.ts');
    const response = await respond(services, call);
    const text = await response.text();
    if (text !== '') call.reply.type('application/json');
    await call.reply.code(response.status).send(text === '' ? undefined : text);
    return undefined;
  }),
];
