import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { assemble, ChatStream } from './chat-stream.ts';
import { IdleTimeout } from './idle-timeout.ts';
import type { LlmResponse } from './llm-client.port.ts';
import { unreachable } from './llm-providers.ts';
import type { ModelCall } from './model-call.ts';
import type { Candidate, ModelRequest } from './model-choice.ts';
import { type FailedTry, modelFailure, refusedBy, unanswered } from './provider-failures.ts';
import { estimatedCounts, outputBytes, usageIn } from './token-counts.ts';

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** `events` are server-sent events. */
export type ModelAnswer =
  | { kind: 'answer'; body: unknown }
  | { kind: 'stream'; events: AsyncIterable<string> };

class BadAnswer extends Error {}

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
    const { withFallback, last } = call.services.modelTimeouts;
    this.#answerWithinMs = hasNext ? withFallback : last;
    this.#timeout = new IdleTimeout(this.#answerWithinMs);
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
    const refused = await refusedBy(this.#candidate.endpoint, status, body, retry_after);
    this.#setUp(status < 500 && status !== 401 && status !== 403);
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
    if (error instanceof BadAnswer) return unanswered(502, error.message, 'bad_answer');
    return unanswered(502, unreachable(error), 'provider_unreachable');
  }

  async #readAnswer({ body, content_type }: LlmResponse): Promise<ModelAnswer> {
    const text = await readText(body);
    const answer: unknown = content_type.includes('text/event-stream') ? assemble(text) : parse(text);
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
    const { asked, input_tokens, services, signal } = this.#call;
    const stream = new ChatStream(input_tokens, wantsUsage(asked));
    let status: 'ok' | 'failed' | 'aborted' = 'aborted';
    try {
      for (let chunk: Uint8Array | undefined = first; chunk; ) {
        this.#timeout.restart(services.modelTimeouts.idle);
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
      if (signal.aborted) return;
      status = 'failed';
      const { body } = modelFailure(502, 'The model’s answer broke off', 'stream_broken');
      yield `data: ${JSON.stringify(body)}\n\n`;
    } finally {
      this.#timeout.end();
      await this.#call.settle(this.#candidate, status, stream.counts);
      await Promise.resolve(chunks.return?.()).catch(() => {});
    }
  }
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

const wantsUsage = ({ stream_options }: JsonObject): boolean =>
  isJsonObject(stream_options) && stream_options.include_usage === true;
