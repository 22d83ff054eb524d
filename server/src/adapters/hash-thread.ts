import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const SCRIPT = join(import.meta.dirname, '../../hash-thread.mjs');

/** `hashed`: what the plaintext is to be held against; else it is hashed. */
export interface HashOrder {
  plaintext: string;
  hashed?: string;
}

type Reply = { result: string | boolean } | { error: string };

/**
 * A thread of low priority that computes one hash at a time. It is made when it is first needed, again after it has
 * ended, and does not keep the process alive while it has nothing to do.
 */
export class HashThread {
  readonly #script: string | URL;
  #worker: Worker | undefined;
  #settle: ((reply: Reply) => void) | undefined;

  constructor(script: string | URL = SCRIPT) {
    this.#script = script;
  }

  /** The caller waits for the answer before it asks again. Rejects when the thread ends meanwhile. */
  run(order: HashOrder): Promise<string | boolean> {
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    return new Promise((resolve, reject) => {
      this.#settle = (reply) => {
        this.#settle = undefined;
        worker.unref();
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
      this.#worker = undefined;
      this.#settle?.({ error: 'The thread that hashes has ended' });
    });
    return worker;
  }
}
