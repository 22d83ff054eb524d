import { Worker } from 'node:worker_threads';

/** An idle thread holds megabytes. */
const IDLE_MS = 60_000;

type Reply<Result> = { result: Result } | { error: string };

/**
 * A thread that answers each job with `{result}` or `{error}`, in order. It starts on demand, stops when idle and keeps
 * the process alive only while it works.
 */
export class WorkThread<Job, Result> {
  readonly #name: string;
  readonly #script: string | URL;
  #worker: Worker | undefined;
  readonly #waiting: ((reply: Reply<Result>) => void)[] = [];
  #idle: NodeJS.Timeout | undefined;

  /** @param name for the error */
  constructor(name: string, script: string | URL) {
    this.#name = name;
    this.#script = script;
  }

  /** Rejects when the thread exits without a reply. */
  run(job: Job): Promise<Result> {
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      this.#waiting.push((reply) => {
        if ('error' in reply) reject(new Error(reply.error));
        else resolve(reply.result);
      });
      worker.postMessage(job);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#script);
    worker.on('message', (reply: Reply<Result>) => {
      this.#waiting.shift()?.(reply);
      if (this.#waiting.length > 0) return;
      worker.unref();
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    });
    // 'exit' follows. Without a listener, the error would end the process.
    worker.on('error', () => {});
    worker.on('exit', () => {
      // A new worker may have replaced it.
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      for (const settle of this.#waiting.splice(0)) settle({ error: `The ${this.#name} thread has ended` });
    });
    return worker;
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}
