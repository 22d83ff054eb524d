import type pg from 'pg';
import type { Batch, Row } from './batch.ts';
import { Lane } from './lane.ts';

/**
 * Few are better than many, for what several callers send then travels together. Not fewer: commits of several
 * connections share a write to disk (at 64 callers, `npm run bench -- --workloads create` saw half as many on 4).
 */
const MAX_LANES = 10;
/**
 * So many reads that come together go together, though another lane may be idle: a write and a wake-up for each cost
 * more than to run one after the other. Not what has to reach the disk, which would wait for the disk in a row.
 */
const READS_TOGETHER = 4;

/** Shared connections for statements outside of transactions; opened as they are needed, and anew when one is lost. */
export class Lanes {
  readonly #config: pg.ClientConfig;
  readonly #onError: (error: Error) => void;
  readonly #lanes = new Set<Lane>();
  #latestRead: Lane | undefined;
  #isClosed = false;

  constructor(config: pg.ClientConfig, onError: (error: Error) => void) {
    this.#config = config;
    this.#onError = onError;
  }

  run(batch: Batch): Promise<Row[][]> {
    return this.#pick(batch).run(batch);
  }

  /** How many connections are open or being opened, and how many batches are under way. */
  get load(): { open: number; underWay: number } {
    return { open: this.#lanes.size, underWay: [...this.#lanes].reduce((sum, { load }) => sum + load, 0) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#lanes].map((lane) => lane.close()));
  }

  #pick({ isRead }: Batch): Lane {
    if (this.#isClosed) throw new Error('The database is closed');
    if (!isRead) return this.#leastLoaded();
    const latest = this.#latestRead;
    if (latest?.isCorked && latest.load < READS_TOGETHER) return latest;
    this.#latestRead = this.#leastLoaded();
    return this.#latestRead;
  }

  /** Another one while all have something to do and there may be more. */
  #leastLoaded(): Lane {
    let least: Lane | undefined;
    for (const lane of this.#lanes) if (!least || lane.load < least.load) least = lane;
    if (least && (least.load === 0 || this.#lanes.size >= MAX_LANES)) return least;
    const lane = new Lane(this.#config, this.#onError, () => this.#forget(lane));
    this.#lanes.add(lane);
    return lane;
  }

  #forget(lane: Lane): void {
    this.#lanes.delete(lane);
    if (this.#latestRead === lane) this.#latestRead = undefined;
  }
}
