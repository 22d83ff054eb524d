import type { TenantActor } from '../platform/actor.ts';
import { type Route, route } from '../platform/http/handler.ts';
import { callMcp } from './mcp.contract.ts';
import type { AnswerRequest, McpOptions } from './transport.ts';

/**
 * POST /v1/mcp. What speaks the protocol is loaded by the first request: its library and the tools' schemas are 8 MB of
 * heap, in every process that no model ever calls.
 */
export function mcpRoute(options: McpOptions): Route<unknown> {
  let transport: Promise<AnswerRequest> | undefined;
  return route(callMcp, async (call) => {
    const { actor, query, body, request, reply, isStillAdmitted } = call;
    const readOnly = query.read_only;
    const exchange = { actor: actor as TenantActor, readOnly, request, isStillAdmitted };
    const answerRequest = await (transport ??= load(options));
    const answer = await answerRequest(exchange, body, reply);
    if (answer.text !== null) reply.type('application/json');
    await reply.code(answer.status).send(answer.text ?? undefined);
    return undefined;
  });
}

async function load(options: McpOptions): Promise<AnswerRequest> {
  const { makeTransport } = await import('./transport.ts');
  return makeTransport(options);
}
