import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { Literals, Nullable, Timestamp } from '../platform/contract/shapes.ts';

/** As an engine reports it. */
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
/** The host reports `unhealthy`, not the engine. */
const ShownReason = named('RuntimeReason', Literals([...RUNTIME_REASONS, 'unhealthy']));

/** `up`: it listens. `unready`: its health checks fail. The instance's status says if it is in service. */
export const RuntimeState = NamedObject('RuntimeState', {
  state: Literals(['absent', 'starting', 'up', 'unready', 'ending', 'asleep', 'lost']),
  reason: Nullable(ShownReason),
  restarts: Type.Integer({ description: 'Restarts since the start of this generation' }),
  generation: Type.Integer({ description: 'Grows with each start' }),
  since: Timestamp,
});
