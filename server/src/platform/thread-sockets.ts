import { EventEmitter, once } from 'node:events';

/** The thread's answer once a socket was opened or closed. */
export interface SocketAnswer {
  path: string;
  failed?: string;
}

interface Thread {
  postMessage(message: object): void;
}

/** Unix sockets at which a thread listens. They outlast it: a thread in its place is told of them again. */
export class ThreadSockets {
  readonly #thread: () => Thread | undefined;
  readonly #paths = new Set<string>();
  readonly #answers = new EventEmitter().setMaxListeners(0);

  /** @param thread the one that runs now; undefined while there is none */
  constructor(thread: () => Thread | undefined) {
    this.#thread = thread;
  }

  get isEmpty(): boolean {
    return this.#paths.size === 0;
  }

  /** Throws Error with what failed. */
  async open(path: string): Promise<void> {
    this.#paths.add(path);
    const failed = await this.#tell(path, { listenAt: path });
    if (failed !== undefined) throw new Error(failed);
  }

  /** Later threads are not told of it. */
  forget(path: string): void {
    this.#paths.delete(path);
  }

  /** @param ended the thread's end, after which no answer comes */
  async close(path: string, ended: Promise<unknown>): Promise<void> {
    await Promise.race([this.#tell(path, { closeAt: path }), ended]);
  }

  openAgainIn(thread: Thread): void {
    for (const path of this.#paths) thread.postMessage({ listenAt: path });
  }

  answered({ path, failed }: SocketAnswer): void {
    this.#answers.emit(path, failed);
  }

  async #tell(path: string, message: object): Promise<string | undefined> {
    const answered = once(this.#answers, path);
    this.#thread()?.postMessage(message);
    const [failed] = (await answered) as [string | undefined];
    return failed;
  }
}
