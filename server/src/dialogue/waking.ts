import { whyRuntimeFailed } from '../runtimes/runtime-reasons.ts';
import { takeFailedWake, waitForWake } from '../runtimes/wakes.db.ts';
import type { ForwardingPass } from './forwarding-pass.ts';

/**
 * Wakes the runtime before messages go to it.
 * @returns undefined: it is awake; `rest`: it is by now, so look again; `waiting`: the conversation's job runs once it is up; else why it
 * did not wake
 */
export async function wakeRuntime({
  q,
  conversation,
}: ForwardingPass): Promise<undefined | 'waiting' | 'rest' | { reason: string }> {
  const { id, instance_id, instance_status, needs_waking, has_failed_wake, wake_failure } = conversation;
  if (has_failed_wake && (await q.run(takeFailedWake(id)))) {
    const why = wake_failure === null ? 'it did not start' : whyRuntimeFailed(wake_failure, null);
    return { reason: `The runtime did not wake: ${why}` };
  }
  if (!needs_waking || instance_status !== 'running') return undefined;
  return (await q.run(waitForWake(id, instance_id))) ? 'waiting' : 'rest';
}
