import type { SystemDb } from './db/queryable.ts';
import type { Log } from './ports.ts';
import { countUp } from './restored.db.ts';
import type { KeptNumber } from './restored.port.ts';

/** A backup that is older than this is noticed. */
const COUNT_EVERY_MS = 60_000;

/**
 * Notices a database that is behind what this copy saw before, because it was restored from a backup: a number in the
 * database and in the data directory counts up at each start and while the service runs. It changes nothing else.
 */
export class RestoreWatch {
  readonly #db: SystemDb;
  readonly #kept: KeptNumber;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #counting = Promise.resolve();
  /** True from a start on a restored database until the next start. */
  isRestored = false;

  constructor(db: SystemDb, kept: KeptNumber, log: Log) {
    this.#db = db;
    this.#kept = kept;
    this.#log = log;
  }

  async start(): Promise<void> {
    const before = await this.#kept.read();
    const { number } = await this.#db.run(countUp());
    await this.#kept.write(number);
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
    this.#counting = this.#countAndKeep().catch((error: unknown) =>
      this.#log.warn({ err: error }, 'the number that tells of a restored database was not counted up'),
    );
  }

  async #countAndKeep(): Promise<void> {
    const { number } = await this.#db.run(countUp());
    await this.#kept.write(number);
  }
}
