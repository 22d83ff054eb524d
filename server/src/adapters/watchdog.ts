import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Log } from '../platform/ports.ts';

const SCRIPT = join(import.meta.dirname, '../../watchdog-thread.mjs');
const LONGEST_BEAT_MS = 1000;
const BEATS_OF_PATIENCE = 10;
/** The thread holds some counters. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

/**
 * Has a thread watch this one. Once this one has stood still for as long, the thread writes where it stands to standard
 * error and ends the process with SIGKILL, because nobody else could: probes time out, and leases run out, while it lives.
 */
export function watchMainThread(seconds: number, log: Log): void {
  const patienceMs = seconds * 1000;
  const beatEveryMs = Math.min(LONGEST_BEAT_MS, patienceMs / BEATS_OF_PATIENCE);
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(beats, 0, 1), beatEveryMs).unref();
  const workerData = { beats, beatEveryMs, patienceMs };
  const worker = new Worker(SCRIPT, { workerData, resourceLimits: RESOURCES });
  worker.on('error', (error) => log.error({ err: error }, 'nobody watches the main thread any more'));
  worker.unref();
}
