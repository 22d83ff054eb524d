import { setTimeout as sleep } from 'node:timers/promises';
import type { Process } from '../processes.ts';

const RESTART_AFTER_MS = 500;

/** Like an init system, restarts a program whenever it ends. */
export class Supervised {
  readonly #launch: () => Process;
  #process: Process;
  readonly #running: Promise<void>;
  #isOver = false;
  #isKilled = false;
  /** Counts ends without a kill. */
  ownEnds = 0;

  constructor(launch: () => Process) {
    this.#launch = launch;
    this.#process = launch();
    this.#running = this.#keep();
  }

  get pid(): number {
    return this.#process.pid;
  }

  get hasEnded(): boolean {
    return this.#process.hasEnded;
  }

  kill(): void {
    if (this.hasEnded) return;
    this.#isKilled = true;
    process.kill(this.pid, 'SIGKILL');
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    if (!this.hasEnded) process.kill(this.pid, signal);
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
      if (!this.#isKilled) this.ownEnds += 1;
      this.#isKilled = false;
      await sleep(RESTART_AFTER_MS);
      if (this.#isOver) return;
      this.#process = this.#launch();
    }
  }
}
