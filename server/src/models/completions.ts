import { randomUUID } from 'node:crypto';
import type { Caller } from '../conversations/caller.ts';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import type { Log } from '../platform/ports.ts';
import { type ModelPolicy, readModelPolicy } from '../recipes/fields/model-policy.ts';
import { assemble, ChatStream } from './chat-stream.ts';
import {
  COMMIT_WITHOUT_WAITING,
  type Refusal,
  reserveCall,
  settleCall,
  type TokenCounts,
} from './llm-calls.db.ts';
import type { LlmResponse } from './llm-client.port.ts';
import { type ProviderServices, unreachable } from './llm-providers.ts';
import { type Candidate, chooseModels, type ModelRequest, requestFor } from './model-choice.ts';
import type { ModelMetrics } from './model-metrics.ts';
import {
  type FailedTry,
  type ModelFailure,
  modelFailure,
  refusedBy,
  unanswered,
} from './provider-failures.ts';
import { estimatedCounts, estimateInput, outputBytes, usageIn } from './token-counts.ts';

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** How long a model may be silent, in milliseconds. */
export interface ModelTimeouts {
  /** Until the answer, or the first byte of a stream, while another model could be tried. */
  withFallback: number;
  /** The same of the last model. */
  last: number;
  /** Between two pieces of a stream. */
  idle: number;
}

export const MODEL_TIMEOUTS: ModelTimeouts = { withFallback: 10_000, last: 120_000, idle: 120_000 };

export interface CompletionServices extends ProviderServices {
  log: Log;
  modelMetrics: ModelMetrics;
  modelTimeouts: ModelTimeouts;
}

export interface Scopes {
  q: TenantQueryable;
  system: Queryable;
}

/** An answer of a model, a stream of server-sent events, or a failure. */
export type Completion =
  | { kind: 'answer'; body: unknown }
  | { kind: 'stream'; events: AsyncIterable<string> }
  | { kind: 'failure'; failure: ModelFailure };

/** One call while it is under way. */
interface Call {
  id: string;
  began: number;
  caller: Caller;
  policy: ModelPolicy;
  asked: JsonObject;
  asked_model: string;
  /** Estimated tokens of the input. */
  input_tokens: number;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
}

const NOTHING: TokenCounts = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, estimated: false };

/**
 * Has a model answer for an instance (contract, section 14): reserves what the call may cost, tries the models in their
 * order until one begins to answer, and settles what was used. Rejects with 404 and 422 as identifyCaller does.
 */
export async function complete(
  services: CompletionServices,
  scopes: Scopes,
  caller: Caller,
  asked: JsonObject,
  signal: AbortSignal,
): Promise<Completion> {
  const began = performance.now();
  const policy = readModelPolicy(caller.config);
  const choice = await chooseModels(services, scopes, policy, asked.model);
  if (!choice || choice.candidates.length === 0) {
    services.modelMetrics.count('refused', 0);
    return failed(modelFailure(503, 'No provider of language models is configured', 'no_provider'));
  }
  const { asked_model, candidates } = choice;
  const input_tokens = estimateInput(asked);
  const call = { id: randomUUID(), began, caller, policy, asked, asked_model, input_tokens, signal };
  return tryModels(services, scopes.q, call, candidates);
}

const failed = (failure: ModelFailure): Completion => ({ kind: 'failure', failure });

async function tryModels(
  services: CompletionServices,
  q: TenantQueryable,
  call: Call,
  candidates: readonly Candidate[],
): Promise<Completion> {
  let failure: FailedTry | undefined;
  let tried: Candidate | undefined;
  for (const [index, candidate] of candidates.entries()) {
    if (candidate.is_last_resort && !failure?.is_unknown_model) continue;
    const request = requestFor(candidate, call.policy, call.asked);
    const [, refusal] = await q.run(COMMIT_WITHOUT_WAITING, reservationOf(call, candidate, request));
    if (refusal) {
      if (failure) break;
      services.modelMetrics.count('refused', 0);
      return failed(refusedForBudget(refusal, candidate));
    }
    tried = candidate;
    const hasNext = candidates.slice(index + 1).some((next) => !next.is_last_resort);
    const attempt = await tryModel(services, q, call, candidate, request, hasNext);
    if ('kind' in attempt) return attempt;
    failure = attempt;
    logFailure(services, q, candidate, failure);
    if (!failure.is_passing || call.signal.aborted) break;
  }
  const isAborted = call.signal.aborted;
  const counts = isAborted ? estimatedCounts(call.input_tokens, 0) : NOTHING;
  if (tried) await settle(services, q, call, tried, isAborted ? 'aborted' : 'failed', counts);
  return failed(failure ?? modelFailure(503, 'No model could be tried'));
}

/** Without the provider's words, which may quote the request. */
function logFailure(
  { log }: CompletionServices,
  { tenant_id }: TenantQueryable,
  { provider, model }: Candidate,
  { status, body: { error } }: FailedTry,
): void {
  const fields = { tenant_id, provider, model, status, provider_status: error.status, code: error.code };
  log.warn(fields, 'a model did not answer');
}

const reservationOf = (call: Call, candidate: Candidate, { max_output_tokens }: ModelRequest) => {
  const { id, asked_model, input_tokens, policy, caller } = call;
  const { model, provider, is_operators, prices } = candidate;
  const { instance_id, customer_id, conversation_id, recipe_id } = caller;
  const of = { instance_id, customer_id, conversation_id, recipe_id };
  const what = { asked_model, model, provider, is_operators, prices };
  return reserveCall({ id, ...of, ...what, input_tokens, output_tokens: max_output_tokens }, policy.budget);
};

function refusedForBudget(refusal: Refusal, { model }: Candidate): ModelFailure {
  if (refusal === 'unpriced') {
    return modelFailure(
      403,
      `The model ${model} has no price, so no budget in money can be kept with it`,
      'no_price',
    );
  }
  const words = `The monthly budget of the ${refusal} has no room for this call`;
  // Nothing changes before the next month, so clients should not try again.
  const headers = { 'x-should-retry': 'false' };
  return { ...modelFailure(429, words, 'insufficient_quota', 'insufficient_quota'), headers };
}

/** Writes what a call has used. The metrics count it, whatever becomes of the statement. */
async function settle(
  services: CompletionServices,
  q: TenantQueryable,
  { id, began, policy }: Call,
  { prices }: Candidate,
  status: 'ok' | 'failed' | 'aborted',
  counts: TokenCounts,
): Promise<void> {
  const latency_ms = Math.round(performance.now() - began);
  services.modelMetrics.count(status, latency_ms / 1000);
  await q
    .run(COMMIT_WITHOUT_WAITING, settleCall({ id, status, prices, latency_ms, ...counts }, policy.budget))
    .catch((error: unknown) => {
      // The reservation counts as spent after a while.
      services.log.error({ tenant_id: q.tenant_id, call_id: id, err: error }, 'a model call was not settled');
    });
}

/** A try is over where its model has begun to answer; before, the next model may be tried. */
async function tryModel(
  services: CompletionServices,
  q: TenantQueryable,
  call: Call,
  candidate: Candidate,
  request: ModelRequest,
  hasNext: boolean,
): Promise<Completion | FailedTry> {
  const { llmClient, modelTimeouts, modelMetrics } = services;
  const { endpoint, is_operators } = candidate;
  const silenceMs = hasNext ? modelTimeouts.withFallback : modelTimeouts.last;
  const silence = new Silence(silenceMs);
  const began = performance.now();
  const signal = AbortSignal.any([call.signal, silence.signal]);
  try {
    const body = JSON.stringify(request.body);
    const response = await llmClient.send(
      endpoint,
      { method: 'POST', path: '/chat/completions', body },
      signal,
    );
    if (response.status < 200 || response.status >= 300) {
      const { status, retry_after } = response;
      const refused = await refusedBy(endpoint, status, response.body, retry_after);
      if (is_operators) modelMetrics.setUp(status < 500 && status !== 401 && status !== 403);
      silence.end();
      return refused;
    }
    if (is_operators) modelMetrics.setUp(true);
    if (request.body.stream !== true)
      return await readAnswer(services, q, call, candidate, response, silence);
    return await beginStream(services, q, call, candidate, response, silence);
  } catch (error) {
    silence.end();
    // A client may wait for less than the last model gets, and a model that hangs is down all the same.
    const isLate = performance.now() - began >= modelTimeouts.withFallback;
    if (is_operators && (isLate || !call.signal.aborted)) modelMetrics.setUp(false);
    if (silence.signal.aborted)
      return unanswered(504, `The model did not answer within ${silenceMs / 1000} s`, 'timeout');
    if (call.signal.aborted) return unanswered(502, 'The client left', isLate ? 'timeout' : 'client_left');
    if (error instanceof BadAnswer) return unanswered(502, error.message, 'bad_answer');
    return unanswered(502, unreachable(error), 'provider_unreachable');
  }
}

/** Aborts after a time without a sign of life. */
class Silence {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time begins anew. */
  heard(ms: number): void {
    this.end();
    this.#timer = setTimeout(() => this.#controller.abort(), ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

class BadAnswer extends Error {}

async function readAnswer(
  services: CompletionServices,
  q: TenantQueryable,
  call: Call,
  candidate: Candidate,
  { body, content_type }: LlmResponse,
  silence: Silence,
): Promise<Completion> {
  const text = await readText(body);
  const answer: unknown = content_type.includes('text/event-stream') ? assemble(text) : parse(text);
  if (!isJsonObject(answer)) throw new BadAnswer('The model’s answer is no JSON object');
  silence.end();
  const said = outputBytes(answer.choices, 'message');
  const counts = usageIn(answer.usage) ?? estimatedCounts(call.input_tokens, said);
  await settle(services, q, call, candidate, 'ok', counts);
  return { kind: 'answer', body: answer };
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new BadAnswer('The model’s answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Waits for the first byte, before which another model may still be tried. */
async function beginStream(
  services: CompletionServices,
  q: TenantQueryable,
  call: Call,
  candidate: Candidate,
  { body, content_type }: LlmResponse,
  silence: Silence,
): Promise<Completion> {
  if (!content_type.includes('text/event-stream'))
    throw new BadAnswer('The model’s answer is no event stream');
  const chunks = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) throw new BadAnswer('The model’s answer is empty');
  return {
    kind: 'stream',
    events: passOn(services, q, call, candidate, { chunks, first: first.value, silence }),
  };
}

/** Passes a stream on as it comes. Its end, its failure and a client that leaves are settled alike. */
async function* passOn(
  services: CompletionServices,
  q: TenantQueryable,
  call: Call,
  candidate: Candidate,
  { chunks, first, silence }: { chunks: AsyncIterator<Uint8Array>; first: Uint8Array; silence: Silence },
): AsyncGenerator<string> {
  const stream = new ChatStream(call.input_tokens, wantsUsage(call.asked));
  let status: 'ok' | 'failed' | 'aborted' = 'aborted';
  try {
    for (let chunk: Uint8Array | undefined = first; chunk; ) {
      silence.heard(services.modelTimeouts.idle);
      const events = stream.pass(chunk);
      if (events !== '') yield events;
      const next: IteratorResult<Uint8Array> = await chunks.next();
      chunk = next.done ? undefined : next.value;
    }
    const rest = stream.end();
    if (rest !== '') yield rest;
    if (!stream.isDone) throw new BadAnswer('The model’s answer broke off');
    status = 'ok';
  } catch {
    if (call.signal.aborted) return;
    status = 'failed';
    const { body } = modelFailure(502, 'The model’s answer broke off', 'stream_broken');
    yield `data: ${JSON.stringify(body)}\n\n`;
  } finally {
    silence.end();
    await settle(services, q, call, candidate, status, stream.counts);
    await Promise.resolve(chunks.return?.()).catch(() => {});
  }
}

const wantsUsage = ({ stream_options }: JsonObject): boolean =>
  isJsonObject(stream_options) && stream_options.include_usage === true;
