import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const SCRIPT = join(import.meta.dirname, '../../hash-thread.mjs');
/** An idle thread holds megabytes. */
const IDLE_MS = 60_000;

/** With `hashed`, the plaintext is verified against it, or against each. */
export interface HashJob {
  plaintext: string;
  hashed?: string | readonly string[];
}

export type HashResult = string | boolean | boolean[];

type Reply = { result: HashResult } | { error: string };

/**
 * A low-priority thread that computes one hash at a time. It starts on demand, stops when idle and keeps the process
 * alive only while it works.
 */
export class HashThread {
  readonly #script: string | URL;
  #worker: Worker | undefined;
  #settle: ((reply: Reply) => void) | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(script: string | URL = SCRIPT) {
    this.#script = script;
  }

  /** One call at a time. Rejects when the thread exits without a reply. */
  run(job: HashJob): Promise<HashResult> {
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
      worker.postMessage(job);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#script);
    worker.on('message', (reply: Reply) => this.#settle?.(reply));
    // 'exit' follows. Without a listener, the error would end the process.
    worker.on('error', () => {});
    worker.on('exit', () => {
      // A new worker may have replaced it.
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#settle?.({ error: 'The hashing thread has ended' });
    });
    return worker;
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}
