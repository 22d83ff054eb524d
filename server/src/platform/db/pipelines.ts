import pg from 'pg';
import { Batch } from './batch.ts';
import { Pipeline } from './pipeline.ts';
import { type Row, type Statement, sql } from './sql.ts';
import { DatabaseUnreachable } from './unreachable.ts';

/**
 * Few connections let callers share writes to the socket; too few lose group commit, where commits of several connections
 * share a write to disk (figures in docs/performance.md).
 */
const MAX_PIPELINES = 10;
/** Reads of up to so many callers form one transaction, because a transaction and a wake-up for each cost more. */
const READS_TOGETHER = 16;
/**
 * A group of READS_AT_ONCE goes at once while fewer than GROUPS_AHEAD groups are under way, so the database works while
 * the service parses the other requests of the same event-loop turn.
 */
const READS_AT_ONCE = 4;
const GROUPS_AHEAD = 2;
/** Delay before a server that refused a connection is asked again. */
const ASK_AGAIN_AFTER_MS = 1000;

type Statements = readonly Statement[];

/** One caller's reads. */
interface Read {
  statements: Statements;
  resolve: (results: Row[][]) => void;
  reject: (error: unknown) => void;
}

/** A statement that only looks like a read fails then (25006), and is run alone. */
const readOnly = () => sql`select set_config('transaction_read_only', 'on', true)`;

/**
 * Shared connections for statements outside of transactions, opened when needed and again when lost. A caller's statements
 * are a transaction of their own; only reads of several callers may share one.
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
      // After every request of the same event-loop turn has been parsed.
      else if (waiting === 1) setImmediate(() => this.#sendReads());
    });
  }

  /** Connections open or being opened, and batches under way. */
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
      // Nothing was done. Run alone, the faulty caller fails by itself; a lost connection fails all.
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
   * Falls back to an open connection where another could not be made, because the server may have none left. A connection
   * being opened counts only while the server answers.
   */
  #otherPipeline(error: unknown): Pipeline | undefined {
    const open = leastLoaded([...this.#pipelines].filter(({ hasOpened }) => hasOpened));
    return open ?? (error instanceof DatabaseUnreachable ? undefined : leastLoaded(this.#pipelines));
  }

  /** The least loaded connection, or a new one while all are busy and the limit allows it. */
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
