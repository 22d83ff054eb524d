import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { identifyCaller } from '../conversations/caller.ts';
import { abortOnDisconnect, ok, route } from '../platform/http/handler.ts';
import { readModelPolicy } from '../recipes/fields/model-policy.ts';
import { type Completion, complete } from './completions.ts';
import * as contract from './llm.contract.ts';
import type { CompletionServices } from './model-call.ts';
import { listModelsNamed } from './model-choice.db.ts';
import { askedModel, entryOf } from './model-choice.ts';

export const llmRoutes = [
  route(contract.completeChat, async (call, services: CompletionServices) => {
    const { q, system, body, request, reply } = call;
    const caller = await identifyCaller(q, { ...call, headers: request.headers });
    // The permit limits parsed bodies; a model may take minutes.
    request.releasePermit?.();
    const signal = abortOnDisconnect(reply) ?? new AbortController().signal;
    return send(request, reply, await complete(services, { q, system }, caller, body, signal));
  }),

  route(contract.listInstanceModels, async (call, { settings }: CompletionServices) => {
    const { config } = await identifyCaller(call.q, { ...call, headers: call.request.headers });
    const policy = readModelPolicy(config);
    const own = askedModel(policy, undefined, settings.llm?.model);
    const ids = [
      ...new Set([...(own === undefined ? [] : [own]), ...policy.fallback_models, ...policy.allowed_models]),
    ];
    const models = await call.system.run(listModelsNamed(ids));
    const data = ids.map((id) => ({
      id,
      object: 'model',
      created: 0,
      owned_by: 'agent-control-plane',
      capabilities: entryOf(id, models)?.capabilities ?? [],
    }));
    return ok({ object: 'list', data });
  }),
];

/** Passes statuses of providers on, also those that the operation does not declare. */
async function send(request: FastifyRequest, reply: FastifyReply, completion: Completion) {
  reply.headers(completion.headers);
  if (completion.kind === 'answer') return ok(completion.body as Record<string, unknown>);
  if (completion.kind === 'stream') return sendEvents(reply, completion.events);
  const { status, body, headers = {} } = completion.failure;
  if (request.raw.destroyed && reply.raw.destroyed) return undefined;
  await reply.code(status).headers(headers).send(body);
  return undefined;
}

/** Resolves after the last event. When the client disconnects, `events` is closed. */
async function sendEvents(reply: FastifyReply, events: AsyncIterable<string>): Promise<undefined> {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  for await (const event of events) {
    if (raw.destroyed) break;
    if (!raw.write(event)) await Promise.race([once(raw, 'drain'), once(raw, 'close')]);
  }
  raw.end();
  return undefined;
}
