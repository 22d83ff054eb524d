import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessIdentity, readStat } from './proc.ts';

/** The contract gives a runtime 5 s after SIGTERM. */
const GRACE_MS = 6_000;

/**
 * Signals the whole group of a leader, or the process alone otherwise, but never a process that reused its pid. While a
 * group outlives its leader, the pid is not reused.
 */
export function sendSignal(target: ProcessIdentity, signal: NodeJS.Signals): void {
  const now = readStat(target.pid);
  if (now !== undefined && now.startTime !== target.startTime) return;
  const leads = target.group === target.pid;
  if (now === undefined && !leads) return;
  try {
    process.kill(leads ? -target.pid : target.pid, signal);
  } catch {
    // It is already gone.
  }
}

/** Sends SIGTERM, and SIGKILL after the grace period. Resolves with `ended`, which the caller provides. */
export async function endProcess(
  target: ProcessIdentity,
  ended: Promise<unknown>,
  graceMs = GRACE_MS,
): Promise<void> {
  const patience = new AbortController();
  const outOfPatience = sleep(graceMs, 'late', { signal: patience.signal }).catch(() => 'aborted');
  sendSignal(target, 'SIGTERM');
  const outcome = await Promise.race([ended, outOfPatience]);
  patience.abort();
  if (outcome === 'late') sendSignal(target, 'SIGKILL');
  await ended;
}
