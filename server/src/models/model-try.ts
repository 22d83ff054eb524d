import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { figureOver, JSON_BOUNDS } from '../platform/json/json-scan.ts';
import { assemble, ChatStream } from './chat-stream.ts';
import { IdleTimeout } from './idle-timeout.ts';
import type { TokenCounts } from './llm-calls.db.ts';
import { Compressed, type LlmResponse } from './llm-client.port.ts';
import { unreachable } from './llm-providers.ts';
import type { ModelCall } from './model-call.ts';
import type { Candidate, ModelRequest } from './model-choice.ts';
import { type FailedTry, modelFailure, refusedBy, unanswered } from './provider-failures.ts';
import { estimatedCounts, outputBytes, usageIn } from './token-counts.ts';

/** An answer is read at once on the event loop. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** `events` are server-sent events. */
export type ModelAnswer =
  | { kind: 'answer'; body: unknown }
  | { kind: 'stream'; events: AsyncIterable<string> };

class BadAnswer extends Error {}

/** Ends a stream: the reason that the caller is told. */
class StreamEnd extends Error {
  readonly code: 'stream_broken' | 'output_limit' | 'timeout';

  constructor(code: StreamEnd['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Above what was reserved: providers count tokens a little differently. */
const SLACK = 1.1;
/** The request did not reach the provider. */
const NOT_SENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
/** The provider serves nobody: a wrong key, no money, no room. */
const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 407, 429]);

/** One attempt of a call with one model. Settles the call if the model answers. */
export class ModelTry {
  readonly #call: ModelCall;
  readonly #candidate: Candidate;
  readonly #request: ModelRequest;
  readonly #began = performance.now();
  /** Timeout for the answer or the first byte. */
  readonly #answerWithinMs: number;
  readonly #timeout: IdleTimeout;

  /** @param hasNext a fallback is left */
  constructor(call: ModelCall, candidate: Candidate, request: ModelRequest, hasNext: boolean) {
    this.#call = call;
    this.#candidate = candidate;
    this.#request = request;
    const { withFallback, last, stream } = call.services.modelTimeouts;
    this.#answerWithinMs = hasNext ? withFallback : last;
    this.#timeout = new IdleTimeout(this.#answerWithinMs, stream);
  }

  /** Resolves when the model has begun to answer. From then on no fallback is possible. */
  async run(): Promise<ModelAnswer | FailedTry> {
    try {
      const response = await this.#send();
      if (response.status < 200 || response.status >= 300) return await this.#refused(response);
      this.#setUp(true);
      const isStream = this.#request.body.stream === true;
      return await (isStream ? this.#beginStream(response) : this.#readAnswer(response));
    } catch (error) {
      this.#timeout.end();
      return this.#unanswered(error);
    }
  }

  #send(): Promise<LlmResponse> {
    const signal = AbortSignal.any([this.#call.signal, this.#timeout.signal]);
    const body = JSON.stringify(this.#request.body);
    const { llmClient } = this.#call.services;
    return llmClient.send(
      this.#candidate.endpoint,
      { method: 'POST', path: '/chat/completions', body },
      signal,
    );
  }

  /** Only for the operator's providers. */
  #setUp(isUp: boolean): void {
    if (this.#candidate.is_operators) this.#call.services.modelMetrics.setUp(isUp);
  }

  async #refused({ status, body, retry_after }: LlmResponse): Promise<FailedTry> {
    const { endpoint, provider, is_operators } = this.#candidate;
    const refused = await refusedBy(endpoint, status, body, retry_after);
    if (REFUSALS.has(status))
      this.#call.services.modelMetrics.countRefused(is_operators ? provider : 'tenant', status);
    this.#setUp(status < 500 && !REFUSALS.has(status));
    this.#timeout.end();
    return refused;
  }

  #unanswered(error: unknown): FailedTry {
    const { services, signal } = this.#call;
    // A model that hangs is down, also when the client disconnects before the timeout of the last model.
    const isLate = performance.now() - this.#began >= services.modelTimeouts.withFallback;
    if (isLate || !signal.aborted) this.#setUp(false);
    if (this.#timeout.signal.aborted) {
      const seconds = this.#answerWithinMs / 1000;
      return unanswered(504, `The model did not answer within ${seconds} s`, 'timeout');
    }
    if (signal.aborted) return unanswered(502, 'The client left', isLate ? 'timeout' : 'client_left');
    if (error instanceof BadAnswer || error instanceof Compressed)
      return unanswered(502, error.message, 'bad_answer');
    return unanswered(502, unreachable(error), 'provider_unreachable', !isNotSent(error));
  }

  async #readAnswer({ body, content_type }: LlmResponse): Promise<ModelAnswer> {
    const bytes = await readBytes(body);
    const isStream = content_type.includes('text/event-stream');
    if (!isStream && figureOver(bytes, JSON_BOUNDS))
      throw new BadAnswer('The model’s answer is nested too deeply or has too many values');
    const answer: unknown = isStream ? assemble(bytes.toString()) : parse(bytes.toString());
    if (!isJsonObject(answer)) throw new BadAnswer('The model’s answer is no JSON object');
    this.#timeout.end();
    const answerBytes = outputBytes(answer.choices, 'message');
    const counts = usageIn(answer.usage) ?? estimatedCounts(this.#call.input_tokens, answerBytes);
    await this.#call.settle(this.#candidate, 'ok', counts);
    return { kind: 'answer', body: answer };
  }

  /** Waits for the first byte, because until then a fallback is possible. */
  async #beginStream({ body, content_type }: LlmResponse): Promise<ModelAnswer> {
    if (!content_type.includes('text/event-stream'))
      throw new BadAnswer('The model’s answer is no event stream');
    const chunks = body[Symbol.asyncIterator]();
    const first = await chunks.next();
    if (first.done) throw new BadAnswer('The model’s answer is empty');
    return { kind: 'stream', events: this.#passOn(first.value, chunks) };
  }

  /** Settles the call at the end, on a failure, and when the client disconnects. */
  async *#passOn(first: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<string> {
    const { asked, input_tokens } = this.#call;
    const stream = new ChatStream(input_tokens, wantsUsage(asked));
    let status: 'ok' | 'failed' | 'aborted' = 'aborted';
    try {
      yield* this.#events(stream, first, chunks);
      status = 'ok';
    } catch (error) {
      if (this.#call.signal.aborted) return;
      status = 'failed';
      const { code, message } = this.#reasonOf(error);
      yield `data: ${JSON.stringify(modelFailure(code === 'timeout' ? 504 : 502, message, code).body)}\n\n`;
    } finally {
      this.#timeout.end();
      await this.#call.settle(this.#candidate, status, this.#countsOf(stream));
      await Promise.resolve(chunks.return?.()).catch(() => {});
    }
  }

  /** Rejects when the stream breaks off, is silent, or is longer than was reserved. */
  async *#events(
    stream: ChatStream,
    first: Uint8Array,
    chunks: AsyncIterator<Uint8Array>,
  ): AsyncGenerator<string> {
    const mostTokens = Math.floor(this.#request.max_output_tokens * SLACK);
    for (let chunk: Uint8Array | undefined = first; chunk; ) {
      this.#timeout.restart(this.#call.services.modelTimeouts.idle);
      const events = stream.pass(chunk);
      if (stream.leastTokens > mostTokens) {
        throw new StreamEnd('output_limit', `The model’s answer is longer than ${mostTokens} tokens`);
      }
      if (events !== '') yield events;
      const next: IteratorResult<Uint8Array> = await chunks.next();
      chunk = next.done ? undefined : next.value;
    }
    const rest = stream.end();
    if (rest !== '') yield rest;
    if (!stream.isDone) throw new BadAnswer('The model’s answer broke off');
  }

  #reasonOf(error: unknown): StreamEnd {
    if (error instanceof StreamEnd) return error;
    if (!this.#timeout.isOver) return new StreamEnd('stream_broken', 'The model’s answer broke off');
    const minutes = this.#call.services.modelTimeouts.stream / 60_000;
    return new StreamEnd('timeout', `The model’s answer took longer than ${minutes} minutes`);
  }

  #countsOf(stream: ChatStream): TokenCounts {
    return stream.counts ?? this.#call.reserved(this.#request, stream.leastTokens);
  }
}

async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new BadAnswer('The model’s answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isNotSent(error: unknown): boolean {
  const cause: unknown = error instanceof Error && error.cause ? error.cause : error;
  const { code, message } = Object(cause) as { code?: unknown; message?: unknown };
  return NOT_SENT.test(String(code)) || String(message).endsWith('is not a public https address');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const wantsUsage = ({ stream_options }: JsonObject): boolean =>
  isJsonObject(stream_options) && stream_options.include_usage === true;
