import { randomUUID } from 'node:crypto';
import { findCaller } from '../conversations/caller.db.ts';
import type { Database } from '../platform/db/database.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { readModelPolicy } from '../recipes/fields/model-policy.ts';
import { type Refusal, reserveCall, settleCall } from './llm-calls.db.ts';
import { listModelsNamed } from './model-choice.db.ts';
import { entryOf } from './model-choice.ts';
import { NotBilled } from './recordings.port.ts';

/** Shown as the provider of the usage. */
const PROVIDER = 'transcription';

interface RecordingCall {
  instance_id: string;
  customer_id: string;
  conversation_id: string;
  model: string;
  /** Rather too many. */
  seconds: number;
}

interface Metered<T> {
  result: T;
  /** null: the provider did not tell. */
  seconds: number | null;
}

/**
 * Reserves and stores the usage of a transcription, like that of a model's answer. Rejects without a call when a budget has
 * no room for it.
 */
export async function meterRecording<T>(
  db: Database,
  q: TenantQueryable,
  { instance_id, customer_id, conversation_id, model, seconds }: RecordingCall,
  work: () => Promise<Metered<T>>,
): Promise<T> {
  const began = performance.now();
  const [caller, models] = await Promise.all([
    q.run(findCaller(instance_id, customer_id, conversation_id)),
    db.system.run(listModelsNamed([model])),
  ]);
  if (!caller) throw new Error('its agent is gone');
  const { budget } = readModelPolicy(caller.resolved_config ?? {});
  const prices = entryOf(model, models)?.prices ?? null;
  const id = randomUUID();
  const call = {
    id,
    instance_id,
    customer_id,
    conversation_id,
    recipe_id: caller.recipe_id,
    asked_model: model,
    model,
  };
  const priced = { provider: PROVIDER, is_operators: true, prices, input_tokens: 0, output_tokens: 0 };
  const refusal = await q.run(reserveCall({ ...call, ...priced, audio_seconds: seconds }, budget));
  if (refusal !== null) throw new Error(refusedBecause(refusal));
  const settle = (status: 'ok' | 'failed', told: number | null) =>
    q.run(
      settleCall(
        {
          id,
          status,
          prices,
          latency_ms: Math.round(performance.now() - began),
          input_tokens: 0,
          cached_input_tokens: 0,
          output_tokens: 0,
          audio_seconds: told ?? seconds,
          estimated: told === null,
        },
        budget,
      ),
    );
  try {
    const metered = await work();
    await settle('ok', metered.seconds);
    return metered.result;
  } catch (error) {
    await settle('failed', error instanceof NotBilled ? 0 : null);
    throw error;
  }
}

const refusedBecause = (refusal: Refusal): string =>
  refusal === 'unpriced'
    ? 'its model has no price, so no budget in money can be kept with it'
    : `the monthly budget of the ${refusal} has no room for it`;
