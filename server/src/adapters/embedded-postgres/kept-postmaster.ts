import { setTimeout as sleep } from 'node:timers/promises';
import { type Postmaster, type PostmasterOptions, startPostmaster } from './postmaster.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;
/** One that lived this long was well, so the pauses begin anew. */
const SETTLED_MS = 60_000;

interface KeptOptions extends Omit<PostmasterOptions, 'port'> {
  /** Called when a postmaster that had ended serves again. */
  onBack: () => void;
  /** Called for each start that failed, when the one before did not. */
  onFailure: (error: Error) => void;
}

/** Starts a postmaster, and starts it again on the same port, with growing pauses, when it ends unasked. */
export async function keepPostmaster(options: KeptOptions): Promise<Postmaster> {
  const kept = new KeptPostmaster(options);
  const { port } = await kept.start();
  return { port, stop: () => kept.stop() };
}

class KeptPostmaster {
  readonly #options: KeptOptions;
  readonly #stopping = new AbortController();
  #postmaster: Postmaster | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  #pauseMs = 0;
  #restart: Promise<void> = Promise.resolve();

  constructor(options: KeptOptions) {
    this.#options = options;
  }

  /** Rejects when it does not start. */
  async start(port?: number): Promise<Postmaster> {
    const onExit = (reason: string) => {
      this.#options.onExit(reason);
      this.#restart = this.#startAgain(port ?? started.port);
    };
    const started = await startPostmaster({ ...this.#options, port, onExit });
    this.#postmaster = started;
    this.#startedAt = performance.now();
    return started;
  }

  /** Waits for a start that is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#restart;
    await this.#postmaster?.stop();
  }

  /** Never rejects. */
  async #startAgain(port: number): Promise<void> {
    if (performance.now() - this.#startedAt >= SETTLED_MS) this.#pauseMs = 0;
    const { signal } = this.#stopping;
    for (let hasFailed = false; !signal.aborted; hasFailed = true) {
      await sleep(this.#pauseMs, undefined, { signal }).catch(() => {});
      this.#pauseMs = Math.min(Math.max(2 * this.#pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
      if (signal.aborted) return;
      try {
        await this.start(port);
        return this.#options.onBack();
      } catch (error) {
        if (!hasFailed) this.#options.onFailure(error as Error);
      }
    }
  }
}
