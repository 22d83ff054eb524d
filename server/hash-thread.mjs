// What HashThread (src/adapters/hash-thread.ts) runs. JavaScript, because Node 20 starts no thread from TypeScript and
// tests run the sources.
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

/** Below the service's own, down to the least: beside a core that others want, a tenth of it. */
const LOWER = 10;
const LEAST = 19;
/**
 * After each hash, about as long as one takes. The scheduler takes the core of even the least thread for a busy one and
 * puts others together on the rest, so without a rest a flood costs them half.
 */
const REST_MS = 10;
const never = new Int32Array(new SharedArrayBuffer(4));

// Only on Linux is the priority a thread's own. Where a sandbox forbids it, hashes weigh as much as everything else.
if (process.platform === 'linux') {
  try {
    setPriority(Math.min(getPriority() + LOWER, LEAST));
  } catch {}
}

/** argon2id (the library's 2). OWASP's and the contract's setting (section 5): 19 MiB, two passes, one lane. */
const PARAMETERS = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

parentPort.on('message', ({ plaintext, hashed }) => {
  try {
    const result = hashed === undefined ? hashSync(plaintext, PARAMETERS) : verifySync(hashed, plaintext);
    parentPort.postMessage({ result });
  } catch (error) {
    parentPort.postMessage({ error: error.message });
  }
  Atomics.wait(never, 0, 0, REST_MS);
});
