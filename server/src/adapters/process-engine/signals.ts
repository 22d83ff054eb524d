import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessIdentity, readStat } from './proc.ts';

/** The contract gives a runtime 5 s. */
const GRACE_MS = 6_000;

/**
 * Signals a leader's whole group, otherwise only the process, but never another process with a reused pid. While a group
 * outlives its leader, the kernel does not reuse the pid.
 */
export function sendSignal(target: ProcessIdentity, signal: NodeJS.Signals): void {
  const now = readStat(target.pid);
  if (now !== undefined && now.startTime !== target.startTime) return;
  const leads = target.group === target.pid;
  if (now === undefined && !leads) return;
  try {
    process.kill(leads ? -target.pid : target.pid, signal);
  } catch {
    // The process is already gone.
  }
}

/** Sends SIGTERM, then SIGKILL after the grace period. Resolves with the caller's `ended`. */
export async function endProcess(
  target: ProcessIdentity,
  ended: Promise<unknown>,
  graceMs = GRACE_MS,
): Promise<void> {
  const grace = new AbortController();
  const graceOver = sleep(graceMs, 'late', { signal: grace.signal }).catch(() => 'aborted');
  sendSignal(target, 'SIGTERM');
  const outcome = await Promise.race([ended, graceOver]);
  grace.abort();
  if (outcome === 'late') sendSignal(target, 'SIGKILL');
  await ended;
}
