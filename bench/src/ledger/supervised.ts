import { setTimeout as sleep } from 'node:timers/promises';
import type { Process } from '../processes.ts';

const RESTART_AFTER_MS = 500;

/** Like an init system, restarts a program whenever it ends. */
export class Supervised {
  readonly #launch: () => Process;
  readonly #onOwnEnd: (how: string) => void;
  #process: Process;
  readonly #running: Promise<void>;
  #isOver = false;
  /** Its end is wanted. */
  #isEnding = false;

  /** @param onOwnEnd hears of an end that nobody wanted, with the exit code and the last words */
  constructor(launch: () => Process, onOwnEnd: (how: string) => void = () => {}) {
    this.#launch = launch;
    this.#onOwnEnd = onOwnEnd;
    this.#process = launch();
    this.#running = this.#keep();
  }

  get hasEnded(): boolean {
    return this.#process.hasEnded;
  }

  /** The last words of the program that ran last. */
  get lastWords(): string {
    return this.#process.lastWords;
  }

  kill(): void {
    if (this.hasEnded) return;
    this.#isEnding = true;
    process.kill(this.#process.pid, 'SIGKILL');
  }

  /** Suspends the program that runs now. @returns what has it go on, where it was not ended meanwhile */
  freeze(): () => void {
    const frozen = this.#process;
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      if (!frozen.hasEnded) process.kill(frozen.pid, name);
    };
    signal('SIGSTOP');
    return () => signal('SIGCONT');
  }

  /** Asks the program to end, after which it is started again. @returns how it ended; undefined where it did not in time */
  async restart(withinMs: number): Promise<string | undefined> {
    const asked = this.#process;
    if (asked.hasEnded) return '0';
    this.#isEnding = true;
    process.kill(asked.pid, 'SIGTERM');
    await Promise.race([asked.ended, sleep(withinMs)]);
    if (asked.hasEnded) return asked.exit;
    this.kill();
    return undefined;
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#isOver = true;
    await this.#process.stop(signal);
    await this.#running;
    await this.#process.stop(signal);
  }

  async #keep(): Promise<void> {
    for (;;) {
      await this.#process.ended;
      if (this.#isOver) return;
      if (!this.#isEnding) this.#onOwnEnd(`exit ${this.#process.exit}: ${this.lastWords}`);
      this.#isEnding = false;
      await sleep(RESTART_AFTER_MS);
      if (this.#isOver) return;
      this.#process = this.#launch();
    }
  }
}
