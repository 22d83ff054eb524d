import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const SCRIPT = join(import.meta.dirname, '../../hash-thread.mjs');
/** A thread at rest holds some megabytes. */
const IDLE_MS = 60_000;

/** `hashed`: what the plaintext is to be held against; else it is hashed. */
export interface HashOrder {
  plaintext: string;
  hashed?: string;
}

type Reply = { result: string | boolean } | { error: string };

/**
 * A thread of low priority that computes one hash at a time. It is made when it is first needed, again after it has
 * ended, ends when nothing was asked of it for a minute, and does not keep the process alive while it has nothing to do.
 */
export class HashThread {
  readonly #script: string | URL;
  #worker: Worker | undefined;
  #settle: ((reply: Reply) => void) | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(script: string | URL = SCRIPT) {
    this.#script = script;
  }

  /** The caller waits for the answer before it asks again. Rejects when the thread ends meanwhile. */
  run(order: HashOrder): Promise<string | boolean> {
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      this.#settle = (reply) => {
        this.#settle = undefined;
        worker.unref();
        this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
        if ('error' in reply) reject(new Error(reply.error));
        else resolve(reply.result);
      };
      worker.postMessage(order);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#script);
    worker.on('message', (reply: Reply) => this.#settle?.(reply));
    // Its end follows. Unheard, the error would end the process.
    worker.on('error', () => {});
    worker.on('exit', () => {
      // Another may have been started since this one was ended.
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#settle?.({ error: 'The thread that hashes has ended' });
    });
    return worker;
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}
