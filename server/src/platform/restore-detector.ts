import type { SystemDb } from './db/queryable.ts';
import type { Log } from './ports.ts';
import { incrementNumber } from './restore-detector.db.ts';
import type { LastSeenNumber } from './restore-detector.port.ts';

/** A restore of a backup older than this is detected. */
const COUNT_EVERY_MS = 60_000;

/**
 * Detects a database that was restored from a backup: a number in the database, with a copy in the data directory, is
 * incremented at each start and while the service runs. If the database's number is not higher than the copy, the
 * database is behind.
 */
export class RestoreDetector {
  readonly #db: SystemDb;
  readonly #lastSeen: LastSeenNumber;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #counting = Promise.resolve();
  /** From a start on a restored database until the next start. */
  isRestored = false;

  constructor(db: SystemDb, lastSeen: LastSeenNumber, log: Log) {
    this.#db = db;
    this.#lastSeen = lastSeen;
    this.#log = log;
  }

  async start(): Promise<void> {
    const before = await this.#lastSeen.read();
    const { number } = await this.#db.run(incrementNumber());
    await this.#lastSeen.write(number);
    if (before !== undefined && number <= before) {
      this.isRestored = true;
      this.#log.warn(
        { number, data_directory: before },
        'the database is behind the data directory, as after a restore: what changed since its backup is lost',
      );
    }
    this.#timer = setInterval(() => this.#count(), COUNT_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#counting;
  }

  #count(): void {
    this.#counting = this.#countAndStore().catch((error: unknown) =>
      this.#log.warn({ err: error }, 'the number that tells of a restored database was not counted up'),
    );
  }

  async #countAndStore(): Promise<void> {
    const { number } = await this.#db.run(incrementNumber());
    await this.#lastSeen.write(number);
  }
}
