import { route } from '../platform/http/handler.ts';
import { callTools } from './tools.contract.ts';
import type { ProtocolServices } from './tools-protocol.http.ts';

export const toolGatewayRoutes = [
  /** Answers by itself: an error of JSON-RPC is not among an operation's declared bodies. */
  route(callTools, async (call, services: ProtocolServices) => {
    // Loaded with the first call, because not every agent has tools.
    const { respond } = await import('./tools-protocol.http.ts');
    const response = await respond(services, call);
    const text = await response.text();
    if (text !== '') call.reply.type('application/json');
    await call.reply.code(response.status).send(text === '' ? undefined : text);
    return undefined;
  }),
];
