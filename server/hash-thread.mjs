// The script of HashThread (src/adapters/hash-thread.ts). JavaScript, because tests run the sources and Node 20 cannot
// start a thread from TypeScript.
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

/** Niceness above the service's own, up to the maximum: hashing gets about a tenth of a busy core. */
const LOWER = 10;
const LEAST = 19;
/**
 * A pause after each hash, about as long as one takes. The scheduler counts the core of even the nicest thread as busy, so
 * without pauses a flood would crowd all other threads onto the remaining cores.
 */
const REST_MS = 10;
const never = new Int32Array(new SharedArrayBuffer(4));

// Only Linux has priorities per thread. Where a sandbox forbids the call, hashing runs at normal priority.
if (process.platform === 'linux') {
  try {
    setPriority(Math.min(getPriority() + LOWER, LEAST));
  } catch {}
}

/** argon2id (2 in the library) with 19 MiB, two passes, one lane, as OWASP and the contract (section 5) ask. */
const PARAMETERS = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

const rest = () => Atomics.wait(never, 0, 0, REST_MS);

function compute({ plaintext, hashed }) {
  if (hashed === undefined) return hashSync(plaintext, PARAMETERS);
  if (!Array.isArray(hashed)) return verifySync(hashed, plaintext);
  return hashed.map((one, at) => {
    if (at > 0) rest();
    return verifySync(one, plaintext);
  });
}

parentPort.on('message', (job) => {
  try {
    parentPort.postMessage({ result: compute(job) });
  } catch (error) {
    parentPort.postMessage({ error: error.message });
  }
  rest();
});
