import pg from 'pg';
import { Batch } from './batch.ts';
import { Pipeline } from './pipeline.ts';
import { type Row, type Statement, sql } from './sql.ts';
import { DatabaseUnreachable } from './unreachable.ts';

/**
 * Few are better than many, for what several callers send then travels together. Not fewer: commits of several
 * connections share a write to disk (at 64 callers, `npm run bench -- --workloads create` saw half as many on 4).
 */
const MAX_PIPELINES = 10;
/**
 * So many callers' reads that come together are one transaction, though another pipeline may be idle: a transaction, a
 * write and a wake-up for each cost more than to run one after the other.
 */
const READS_TOGETHER = 16;
/**
 * So many reads do not wait for those that come in after them while the database has fewer than GROUPS_AHEAD groups: it
 * reads for these callers while the service still looks at what the others want.
 */
const READS_AT_ONCE = 4;
const GROUPS_AHEAD = 2;
/** A server that gave no connection is asked for one more after so long. */
const ASK_AGAIN_AFTER_MS = 1000;

type Statements = readonly Statement[];

/** What one caller reads. */
interface Read {
  statements: Statements;
  resolve: (results: Row[][]) => void;
  reject: (error: unknown) => void;
}

/** What only looks like a read is refused then (25006), and goes alone. */
const readOnly = () => sql`select set_config('transaction_read_only', 'on', true)`;

/**
 * Shared connections for statements outside of transactions; opened as they are needed, and anew when one is lost.
 * What a caller sends is a transaction of its own, unless it is read together with what others read.
 */
export class Pipelines {
  readonly #config: pg.ClientConfig;
  readonly #onError: (error: Error) => void;
  readonly #answerWithinMs: number;
  readonly #pipelines = new Set<Pipeline>();
  #reads: Read[] = [];
  #groupsUnderWay = 0;
  #isClosed = false;
  #noMoreUntil = 0;

  constructor(config: pg.ClientConfig, onError: (error: Error) => void, answerWithinMs: number) {
    this.#config = config;
    this.#answerWithinMs = answerWithinMs;
    this.#onError = onError;
  }

  /** Runs one caller's statements in their order, all or none. */
  run(statements: Statements): Promise<Row[][]> {
    if (!statements.every(({ isRead }) => isRead)) return this.#alone(statements);
    return new Promise((resolve, reject) => {
      const waiting = this.#reads.push({ statements, resolve, reject });
      if (waiting >= READS_AT_ONCE && this.#groupsUnderWay < GROUPS_AHEAD) this.#sendReads();
      // Until everything that came in with the same look at the network has had its say.
      else if (waiting === 1) setImmediate(() => this.#sendReads());
    });
  }

  /** How many connections are open or being opened, and how many batches are under way. */
  get load(): { open: number; underWay: number } {
    return {
      open: this.#pipelines.size,
      underWay: [...this.#pipelines].reduce((sum, { load }) => sum + load, 0),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#pipelines].map((pipeline) => pipeline.close()));
  }

  #sendReads(): void {
    const reads = this.#reads;
    this.#reads = [];
    for (let at = 0; at < reads.length; at += READS_TOGETHER) {
      const group = reads.slice(at, at + READS_TOGETHER);
      if (group.length > 1) void this.#readTogether(group);
      else this.#readAlone(group);
    }
  }

  async #readTogether(reads: readonly Read[]): Promise<void> {
    this.#groupsUnderWay++;
    try {
      const results = await this.#alone([readOnly(), ...reads.flatMap(({ statements }) => statements)]);
      let end = 1;
      for (const { statements, resolve } of reads) resolve(results.slice(end, (end += statements.length)));
    } catch (error) {
      // Nothing was done. Whose fault it was shows when each goes alone; a lost connection was nobody's.
      if (error instanceof pg.DatabaseError || error instanceof TypeError) this.#readAlone(reads);
      else for (const { reject } of reads) reject(error);
    } finally {
      this.#groupsUnderWay--;
    }
  }

  #readAlone(reads: readonly Read[]): void {
    for (const { statements, resolve, reject } of reads) this.#alone(statements).then(resolve, reject);
  }

  async #alone(statements: Statements): Promise<Row[][]> {
    if (this.#isClosed) throw new Error('The database is closed');
    for (let pipeline = this.#nextPipeline(); ; ) {
      try {
        return await pipeline.run(new Batch(statements));
      } catch (error) {
        const other = pipeline.hasOpened ? undefined : this.#otherPipeline(error);
        if (!other) throw error;
        this.#noMoreUntil = performance.now() + ASK_AGAIN_AFTER_MS;
        pipeline = other;
      }
    }
  }

  /**
   * Where a connection could not be made: others may have taken all that the server has, and those that there are do for
   * everybody. One that is being opened will do where the server answers; else each could be waited for in vain.
   */
  #otherPipeline(error: unknown): Pipeline | undefined {
    const open = leastLoaded([...this.#pipelines].filter(({ hasOpened }) => hasOpened));
    return open ?? (error instanceof DatabaseUnreachable ? undefined : leastLoaded(this.#pipelines));
  }

  /** Another one while all have something to do and there may be more. */
  #nextPipeline(): Pipeline {
    const least = leastLoaded(this.#pipelines);
    if (
      least &&
      (least.load === 0 || this.#pipelines.size >= MAX_PIPELINES || performance.now() < this.#noMoreUntil)
    ) {
      return least;
    }
    const onLost = () => this.#pipelines.delete(pipeline);
    const pipeline = new Pipeline(this.#config, this.#onError, onLost, this.#answerWithinMs);
    this.#pipelines.add(pipeline);
    return pipeline;
  }
}

function leastLoaded(pipelines: Iterable<Pipeline>): Pipeline | undefined {
  let least: Pipeline | undefined;
  for (const pipeline of pipelines) if (!least || pipeline.load < least.load) least = pipeline;
  return least;
}
