// Runs in HashThread (src/adapters/hash-thread.ts). Node 20 cannot start a thread from TypeScript, which tests run.
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

/** Added to the service's niceness, so hashing gets about a tenth of a busy core. */
const ADDED_NICENESS = 10;
const MAX_NICENESS = 19;
/**
 * After each hash, about as long as one takes. The scheduler counts the core of even the nicest thread as busy, so a
 * flood without pauses would crowd other threads onto the remaining cores.
 */
const PAUSE_MS = 10;
const never = new Int32Array(new SharedArrayBuffer(4));

// Only Linux has priorities per thread, and a sandbox may forbid the call.
if (process.platform === 'linux') {
  try {
    setPriority(Math.min(getPriority() + ADDED_NICENESS, MAX_NICENESS));
  } catch {}
}

/** argon2id (2) as OWASP and the contract (section 5) ask. */
const PARAMETERS = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

const pause = () => Atomics.wait(never, 0, 0, PAUSE_MS);

function compute({ plaintext, hashed }) {
  if (hashed === undefined) return hashSync(plaintext, PARAMETERS);
  if (!Array.isArray(hashed)) return verifySync(hashed, plaintext);
  return hashed.map((one, at) => {
    if (at > 0) pause();
    return verifySync(one, plaintext);
  });
}

parentPort.on('message', (job) => {
  try {
    parentPort.postMessage({ result: compute(job) });
  } catch (error) {
    parentPort.postMessage({ error: error.message });
  }
  pause();
});
