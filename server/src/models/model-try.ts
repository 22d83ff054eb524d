import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { eventsOf, type ShapedAnswer } from './answer-shape.ts';
import { ChatStream } from './chat-stream.ts';
import { IdleTimeout } from './idle-timeout.ts';
import type { TokenCounts } from './llm-calls.db.ts';
import { Compressed, type LlmResponse } from './llm-client.port.ts';
import { unreachable } from './llm-providers.ts';
import type { ModelCall } from './model-call.ts';
import type { Candidate, ModelRequest } from './model-choice.ts';
import { type FailedTry, failureTold, modelFailure, refusedBy, unanswered } from './provider-failures.ts';
import { changesFor, type FieldChange, leftOut, withChanges } from './refused-fields.ts';
import { estimatedCounts, outputBytes, usageIn } from './token-counts.ts';
import { BadAnswer, StreamEnd, ToldFailure } from './told-failure.ts';
import { readWhole } from './whole-answer.ts';

/** `events` are server-sent events. */
type Answer = { kind: 'answer'; body: JsonObject } | { kind: 'stream'; events: AsyncIterable<string> };

/** `ignored`: fields of the request that the model refused by name. */
export type ModelAnswer = Answer & { ignored: string[] };

/** Above what was reserved: providers count tokens a little differently. */
const SLACK = 1.1;
/** A request has few fields that may be left out. */
const MOST_CHANGES = 8;
/** After the mark of a stream's end. */
const CLOSED_WITHIN_MS = 1000;
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
      const asked = await this.#ask();
      if ('refused' in asked) return asked.refused;
      const answer = await this.#answerIn(asked.response);
      this.#setUp(true);
      return { ...answer, ignored: leftOut(this.#call.asked, asked.body) };
    } catch (error) {
      this.#timeout.end();
      return error instanceof ToldFailure ? this.#told(error) : this.#unanswered(error);
    }
  }

  /** Asks again without the fields that the model refuses by name, and remembers them. */
  async #ask(): Promise<{ response: LlmResponse; body: JsonObject } | { refused: FailedTry }> {
    const { modelHabits } = this.#call.services;
    const known = modelHabits.changesFor(this.#learner);
    let changes: readonly FieldChange[] = known;
    for (let left = MOST_CHANGES; ; left--) {
      const body = withChanges(this.#request.body, changes);
      const response = await this.#send(body);
      if (response.status >= 200 && response.status < 300) {
        if (changes !== known) modelHabits.learnChanges(this.#learner, changes);
        return { response, body };
      }
      const { status, retry_after } = response;
      const { told, ...refused } = await refusedBy(
        this.#candidate.endpoint,
        status,
        response.body,
        retry_after,
      );
      const more = left > 0 ? changesFor(status, told, body, changes) : [];
      if (more.length === 0) return { refused: this.#refused(refused, status) };
      changes = [...changes, ...more];
    }
  }

  #send(body: JsonObject): Promise<LlmResponse> {
    const signal = AbortSignal.any([this.#call.signal, this.#timeout.signal]);
    const { llmClient } = this.#call.services;
    const request = { method: 'POST', path: '/chat/completions', body: JSON.stringify(body) } as const;
    return llmClient.send(this.#candidate.endpoint, request, signal);
  }

  #answerIn(response: LlmResponse): Promise<Answer> {
    const isStream = response.content_type.includes('text/event-stream');
    return this.#request.body.stream === true && isStream
      ? this.#beginStream(response)
      : this.#readAnswer(response);
  }

  get #learner() {
    return { ...this.#candidate, tenant_id: this.#call.tenant_id };
  }

  /** Only for the operator's providers. */
  #setUp(isUp: boolean): void {
    if (this.#candidate.is_operators) this.#call.services.modelMetrics.setUp(isUp);
  }

  #refused(refused: FailedTry, status: number): FailedTry {
    const { provider, is_operators } = this.#candidate;
    if (REFUSALS.has(status))
      this.#call.services.modelMetrics.countRefused(is_operators ? provider : 'tenant', status);
    this.#setUp(status < 500 && !REFUSALS.has(status));
    this.#timeout.end();
    return refused;
  }

  #told({ told, counts, mayCost }: ToldFailure): FailedTry {
    const failed = failureTold(this.#candidate.endpoint, told);
    const may_cost = mayCost && counts === undefined;
    return this.#refused({ ...failed, counts, may_cost }, failed.body.error.status ?? failed.status);
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
    if (error instanceof BadAnswer || error instanceof Compressed || error instanceof StreamEnd)
      return unanswered(502, error.message, 'bad_answer');
    return unanswered(502, unreachable(error), 'provider_unreachable', !isNotSent(error));
  }

  /** A caller that wants a stream gets one, also from a provider that has none. */
  async #readAnswer(response: LlmResponse): Promise<Answer> {
    const { body, isUnopened } = await readWhole(response);
    this.#timeout.end();
    this.#learn({ isUnopened });
    const counts = usageIn(body) ?? estimatedCounts(this.#call.input_tokens, outputBytes(body.choices));
    await this.#call.settle(this.#candidate, 'ok', counts);
    if (this.#request.body.stream !== true) return { kind: 'answer', body };
    return { kind: 'stream', events: only(eventsOf(body, wantsUsage(this.#call.asked))) };
  }

  #learn({ isUnopened }: Pick<ShapedAnswer, 'isUnopened'>): void {
    if (isUnopened) this.#call.services.modelHabits.learnUnopened(this.#learner);
  }

  /** Waits for the first word, because until then a fallback is possible. */
  async #beginStream({ body }: LlmResponse): Promise<Answer> {
    const isHeld = this.#call.services.modelHabits.thinksUnopened(this.#learner);
    const { asked, input_tokens } = this.#call;
    const stream = new ChatStream({ input_tokens, wantsUsage: wantsUsage(asked), isHeld });
    const events = this.#events(stream, body);
    try {
      let first = '';
      while (!stream.hasTold) {
        const { value, done } = await events.next();
        if (done === true) break;
        first += value;
        if (stream.failure !== undefined) throw stream.failure;
      }
      return { kind: 'stream', events: this.#passOn(stream, first, events) };
    } catch (error) {
      await events.return(undefined);
      throw error;
    }
  }

  /** Settles the call at the end, on a failure, and when the client disconnects. */
  async *#passOn(stream: ChatStream, first: string, events: AsyncGenerator<string>): AsyncGenerator<string> {
    let status: 'failed' | 'aborted' = 'aborted';
    try {
      if (first !== '') yield first;
      yield* events;
    } catch (error) {
      if (stream.isWhole || this.#call.signal.aborted) return;
      status = 'failed';
      yield `data: ${JSON.stringify(this.#failureOf(error).body)}\n\n`;
    } finally {
      this.#timeout.end();
      this.#learn(stream);
      await this.#call.settle(this.#candidate, stream.isWhole ? 'ok' : status, this.#countsOf(stream));
      await events.return(undefined).catch(() => {});
    }
  }

  /** Rejects when the stream breaks off, is silent, or is longer than was reserved. */
  async *#events(stream: ChatStream, body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
    const mostTokens = Math.floor(this.#request.max_output_tokens * SLACK);
    for await (const chunk of body) {
      const events = stream.pass(chunk);
      if (stream.hasBegun) this.#timeout.restart(this.#call.services.modelTimeouts.idle);
      if (stream.leastTokens > mostTokens) {
        throw new StreamEnd('output_limit', `The model’s answer is longer than ${mostTokens} tokens`);
      }
      if (events !== '') yield events;
      if (stream.failure !== undefined) throw stream.failure;
      if (stream.isDone && !stream.isWhole) {
        yield stream.end();
        // Some providers leave the connection open, all others are called again on it.
        this.#timeout.restart(CLOSED_WITHIN_MS);
      }
    }
    if (!stream.isWhole) yield stream.end();
  }

  #failureOf(error: unknown) {
    if (error instanceof ToldFailure) return failureTold(this.#candidate.endpoint, error.told);
    const { code, message } = this.#reasonOf(error);
    return modelFailure(code === 'timeout' ? 504 : 502, message, code);
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

async function* only(events: string): AsyncGenerator<string> {
  yield events;
}

function isNotSent(error: unknown): boolean {
  const cause: unknown = error instanceof Error && error.cause ? error.cause : error;
  const { code, message } = Object(cause) as { code?: unknown; message?: unknown };
  return NOT_SENT.test(String(code)) || String(message).endsWith('is not a public https address');
}

const wantsUsage = ({ stream_options }: JsonObject): boolean =>
  isJsonObject(stream_options) && stream_options.include_usage === true;
