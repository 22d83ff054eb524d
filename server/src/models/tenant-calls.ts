import { randomUUID } from 'node:crypto';
import type { Database } from '../platform/db/database.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { rateLimited, ServiceError } from '../platform/errors.ts';
import {
  type LanguageModel,
  type LanguageModelMeter,
  type LanguageModelRequest,
  Unbilled,
} from '../recipes/language-model.port.ts';
import { reserveCall, settleCall, type TokenCounts, WAIT_FOR_DISK } from './llm-calls.db.ts';
import { DEFAULT_PROVIDER } from './llm-providers.ts';
import { listModelsNamed } from './model-choice.db.ts';
import { ASSUMED_OUTPUT_TOKENS, entryOf } from './model-choice.ts';
import { estimatedCounts, estimateInput, usageIn } from './token-counts.ts';

const TRY_AGAIN_IN_SECONDS = 3600;

/** Meters calls that a tenant makes for itself, of no instance, as those of agents are metered. */
export class TenantCalls implements LanguageModelMeter {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async complete(q: TenantQueryable, model: LanguageModel, request: LanguageModelRequest): Promise<string> {
    const began = performance.now();
    const entry = entryOf(model.model, await this.#db.system.run(listModelsNamed([model.model])));
    const { instructions, input, schema } = request;
    const call = {
      id: randomUUID(),
      prices: entry?.prices ?? null,
      input_tokens: estimateInput({ messages: [instructions, input], response_format: schema }),
      output_tokens: entry?.max_output_tokens ?? ASSUMED_OUTPUT_TOKENS,
    };
    await reserve(q, model.model, call);
    const settle = (status: 'ok' | 'failed', counts: TokenCounts) => {
      const latency_ms = Math.round(performance.now() - began);
      return q.run(settleCall({ id: call.id, prices: call.prices, status, latency_ms, ...counts }, null));
    };
    try {
      const { text, usage } = await model.complete(request);
      const counts = usageIn({ usage }) ?? estimatedCounts(call.input_tokens, Buffer.byteLength(text));
      await settle('ok', counts);
      return text;
    } catch (error) {
      const isFree = error instanceof Unbilled;
      const { input_tokens, output_tokens } = isFree ? { input_tokens: 0, output_tokens: 0 } : call;
      await settle('failed', { input_tokens, output_tokens, cached_input_tokens: 0, estimated: !isFree });
      throw error;
    }
  }
}

type Reserved = Pick<Parameters<typeof reserveCall>[0], 'id' | 'prices' | 'input_tokens' | 'output_tokens'>;

async function reserve(q: TenantQueryable, model: string, call: Reserved): Promise<void> {
  const nobodys = { instance_id: null, customer_id: null, conversation_id: null, recipe_id: null };
  const asked = { asked_model: model, model, provider: DEFAULT_PROVIDER, is_operators: true };
  const refusal = await q.run(reserveCall({ ...call, ...nobodys, ...asked }, null));
  if (refusal === 'unpriced')
    throw new ServiceError(
      'forbidden',
      'The model has no price, so the monthly budget cannot be kept with it',
    );
  if (refusal !== null)
    throw rateLimited(TRY_AGAIN_IN_SECONDS, 'The monthly budget of the tenant has no room for this call');
  await q.run(WAIT_FOR_DISK);
}
