import { randomUUID } from 'node:crypto';
import type { Caller } from '../conversations/caller.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { Log } from '../platform/ports.ts';
import type { ModelPolicy } from '../recipes/fields/model-policy.ts';
import {
  COMMIT_WITHOUT_WAITING,
  type Refusal,
  reserveCall,
  settleCall,
  type TokenCounts,
  WAIT_FOR_DISK,
} from './llm-calls.db.ts';
import type { ProviderServices } from './llm-providers.ts';
import { type Candidate, type ModelRequest, requestFor } from './model-choice.ts';
import type { ModelHabits } from './model-habits.ts';
import type { ModelMetrics } from './model-metrics.ts';
import { type FailedTry, type ModelFailure, modelFailure } from './provider-failures.ts';
import { estimateInput } from './token-counts.ts';

/** In milliseconds. */
export interface ModelTimeouts {
  /** Until the answer or the first byte of a stream, while a fallback is left. */
  withFallback: number;
  /** The same for the last model. */
  last: number;
  /** Between two pieces of a stream. */
  idle: number;
  /** For a stream as a whole. */
  stream: number;
}

export const MODEL_TIMEOUTS: ModelTimeouts = {
  withFallback: 10_000,
  last: 120_000,
  idle: 120_000,
  stream: 600_000,
};

export interface CompletionServices extends ProviderServices {
  log: Log;
  modelHabits: ModelHabits;
  modelMetrics: ModelMetrics;
  modelTimeouts: ModelTimeouts;
}

interface CallOptions {
  services: CompletionServices;
  q: TenantQueryable;
  caller: Caller;
  policy: ModelPolicy;
  /** The fields that are passed on. */
  asked: JsonObject;
  asked_model: string;
  /** By `performance.now()`. */
  began: number;
  signal: AbortSignal;
}

/** A call of an instance: its reservation, its attempts and its settlement. */
export class ModelCall {
  readonly services: CompletionServices;
  readonly tenant_id: string;
  readonly asked: JsonObject;
  /** Estimated tokens of the input. */
  readonly input_tokens: number;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  /** Identifies the row; each attempt that may cost something has its own. */
  #id = randomUUID();
  readonly #q: TenantQueryable;
  readonly #caller: Caller;
  readonly #policy: ModelPolicy;
  readonly #asked_model: string;
  readonly #began: number;

  constructor(options: CallOptions) {
    this.services = options.services;
    this.tenant_id = options.q.tenant_id;
    this.asked = options.asked;
    this.input_tokens = estimateInput(options.asked);
    this.signal = options.signal;
    this.#q = options.q;
    this.#caller = options.caller;
    this.#policy = options.policy;
    this.#asked_model = options.asked_model;
    this.#began = options.began;
  }

  requestFor(candidate: Candidate): ModelRequest {
    return requestFor(candidate, this.#policy, this.asked);
  }

  /** Reserves the maximum cost of an attempt. @returns the failure when a budget is exceeded */
  async reserve(candidate: Candidate, request: ModelRequest): Promise<ModelFailure | undefined> {
    const { instance_id, customer_id, conversation_id, recipe_id } = this.#caller;
    const { model, provider, is_operators, prices } = candidate;
    const by = { instance_id, customer_id, conversation_id, recipe_id };
    const of = { asked_model: this.#asked_model, model, provider, is_operators, prices };
    const tokens = { input_tokens: this.input_tokens, output_tokens: request.max_output_tokens };
    const reservation = reserveCall({ id: this.#id, ...by, ...of, ...tokens }, this.#policy.budget);
    const { refusal } = await this.#q.run({ commit: COMMIT_WITHOUT_WAITING, refusal: reservation });
    if (refusal !== null) return refusedForBudget(refusal, candidate);
    // A call whose settlement is lost counts as spent, but only if its reservation is kept.
    await this.#q.run(WAIT_FOR_DISK);
    return undefined;
  }

  /** An attempt without the provider's usage costs what was reserved for it. @param least output that was seen */
  reserved({ max_output_tokens }: ModelRequest, least = 0): TokenCounts {
    const output_tokens = Math.max(max_output_tokens, least);
    return { input_tokens: this.input_tokens, cached_input_tokens: 0, output_tokens, estimated: true };
  }

  /** Stores the usage. On failure, the reservation stays and later counts as spent. */
  async settle(
    { prices }: Candidate,
    status: 'ok' | 'failed' | 'aborted',
    counts: TokenCounts,
  ): Promise<void> {
    const { log, modelMetrics } = this.services;
    const latency_ms = Math.round(performance.now() - this.#began);
    modelMetrics.count(status, latency_ms / 1000);
    const ended = { id: this.#id, status, prices, latency_ms, ...counts };
    this.#id = randomUUID();
    await this.#q
      .run(COMMIT_WITHOUT_WAITING, settleCall(ended, this.#policy.budget))
      .catch((error: unknown) => {
        const fields = { tenant_id: this.#q.tenant_id, call_id: ended.id, err: error };
        log.error(fields, 'a model call was not settled');
      });
  }

  /** Without the provider's message, which may quote the request. */
  logFailure({ provider, model }: Candidate, { status, body: { error } }: FailedTry): void {
    const { tenant_id } = this.#q;
    const fields = { tenant_id, provider, model, status, provider_status: error.status, code: error.code };
    this.services.log.warn(fields, 'a model did not answer');
  }
}

function refusedForBudget(refusal: Refusal, { model }: Candidate): ModelFailure {
  if (refusal === 'unpriced') {
    return modelFailure(
      403,
      `The model ${model} has no price, so no budget in money can be kept with it`,
      'no_price',
    );
  }
  const detail = `The monthly budget of the ${refusal} has no room for this call`;
  // The budget is renewed next month, so retries are useless.
  const headers = { 'x-should-retry': 'false' };
  return { ...modelFailure(429, detail, 'insufficient_quota', 'insufficient_quota'), headers };
}
