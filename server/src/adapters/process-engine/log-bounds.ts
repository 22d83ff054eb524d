import type { Log } from '../../platform/ports.ts';
import { shortenLog } from './log-file.ts';

const LOOK_EVERY_MS = 1000;

/**
 * Keeps the logs of runtimes small while they write: one that says the same a million times a second would fill the disk
 * that the database is on.
 */
export class LogBounds {
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;

  /** @param instances whose runtimes may be writing now */
  constructor(dataDir: string, log: Log, instances: () => Iterable<string>) {
    this.#timer = setInterval(() => void this.#look(dataDir, log, instances()), LOOK_EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(dataDir: string, log: Log, instances: Iterable<string>): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const instance_id of instances) {
      try {
        await shortenLog(dataDir, instance_id);
      } catch (error) {
        log.error({ instance_id, err: error }, 'the log of a runtime could not be shortened');
      }
    }
    this.#isLooking = false;
  }
}
