import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessIdentity, readStat } from './proc.ts';

/** A runtime has 5 s after SIGTERM by its contract. */
const GRACE_MS = 6_000;

/**
 * Signals the leader's whole group, or the process alone when it leads none; never a stranger that got its number.
 * A group outlives its leader, and as long as it does the number is not given away.
 */
export function sendSignal(target: ProcessIdentity, signal: NodeJS.Signals): void {
  const now = readStat(target.pid);
  if (now !== undefined && now.startTime !== target.startTime) return;
  const leads = target.group === target.pid;
  if (now === undefined && !leads) return;
  try {
    process.kill(leads ? -target.pid : target.pid, signal);
  } catch {
    // it has gone in between
  }
}

/** SIGTERM, then SIGKILL after 6 s. Resolves with `ended`, which the caller knows how to watch. */
export async function endProcess(target: ProcessIdentity, ended: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const outOfPatience = sleep(GRACE_MS, 'late', { signal: patience.signal }).catch(() => 'aborted');
  sendSignal(target, 'SIGTERM');
  const outcome = await Promise.race([ended, outOfPatience]);
  patience.abort();
  if (outcome === 'late') sendSignal(target, 'SIGKILL');
  await ended;
}
