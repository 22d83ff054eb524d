// Runs in watchMainThread (src/adapters/watchdog.ts). Node 20 cannot start a thread from TypeScript, which tests run.
import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';

const STACK_WITHIN_MS = 2000;
const MAX_FRAMES = 40;

const { beats, beatEveryMs, patienceMs } = workerData;
let known = -1;
let standsMs = 0;
let lookedAt = performance.now();

setInterval(() => {
  const now = performance.now();
  // After a sleep of the machine, or a SIGSTOP, this thread stood still as well: that time says nothing of the other.
  const sinceLookMs = Math.min(now - lookedAt, 2 * beatEveryMs);
  lookedAt = now;
  const beat = Atomics.load(beats, 0);
  standsMs = beat === known ? standsMs + sinceLookMs : 0;
  known = beat;
  if (standsMs < patienceMs) return;
  standsMs = Number.NEGATIVE_INFINITY;
  endWithStack();
}, beatEveryMs);

/** A debugger's pause interrupts loops and regular expressions, but not the engine's own long work. */
function endWithStack() {
  const session = new Session();
  const urls = new Map();
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => end(params.callFrames.map((frame) => lineOf(frame, urls))));
  setTimeout(() => end(['in work of Node.js itself, which tells no stack']), STACK_WITHIN_MS);
  session.connectToMainThread();
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

function lineOf({ functionName, url, location: { scriptId, lineNumber, columnNumber } }, urls) {
  const place = `${url || urls.get(scriptId)}:${lineNumber + 1}:${columnNumber + 1}`;
  return `at ${functionName || '(anonymous)'} (${place})`;
}

function end(lines) {
  const seconds = patienceMs / 1000;
  const head = `The main thread has stood still for ${seconds} s (WATCHDOG_SECONDS), so the process is ended. It was`;
  try {
    writeSync(2, [head, ...lines.slice(0, MAX_FRAMES)].join('\n    ').concat('\n'));
  } catch {
    // Nobody reads.
  }
  // Nothing softer would be heard. The next start takes the runtimes over.
  process.kill(process.pid, 'SIGKILL');
}
