import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { Literals, Nullable, Timestamp } from '../platform/contract/shapes.ts';

/** The phases of a runtime, as an engine knows them. */
export type RuntimePhase = 'starting' | 'up' | 'ending' | 'gone';

const RUNTIME_REASONS = [
  'unschedulable',
  'image_pull_failed',
  'spec_rejected',
  'name_taken',
  'start_timeout',
  'crashed',
  'out_of_memory',
  'identity_refused',
  'evicted',
  'node_lost',
  'cluster_unreachable',
] as const;

export type RuntimeReason = (typeof RUNTIME_REASONS)[number];
/** `unhealthy` is seen by its host, not by an engine. */
const ShownReason = named('RuntimeReason', Literals([...RUNTIME_REASONS, 'unhealthy']));

/**
 * The runtime of an instance. `up` says that it listens, `unready` that it does not answer for its health any more; the
 * instance's status says whether it is in service.
 */
export const RuntimeState = NamedObject('RuntimeState', {
  state: Literals(['absent', 'starting', 'up', 'unready', 'ending', 'asleep', 'lost']),
  reason: Nullable(ShownReason),
  restarts: Type.Integer({ description: 'Restarts since the start of this generation' }),
  generation: Type.Integer({ description: 'Grows with each start' }),
  since: Timestamp,
});
