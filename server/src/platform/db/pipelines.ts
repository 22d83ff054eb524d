import { Batch } from './batch.ts';
import { Pipeline, type PipelineOptions, type Sent } from './pipeline.ts';
import { type Call, kindOf, Reads } from './reads.ts';
import type { Row } from './sql.ts';
import { DatabaseUnreachable } from './unreachable.ts';
import { Waiting } from './waiting.ts';

/**
 * Few connections let callers share writes to the socket; too few lose group commit, where commits of several connections
 * share a write to disk (figures in docs/performance.md).
 */
const MAX_PIPELINES = 10;
/** More are opened in the place of stuck ones, so that what waits for a lock or the disk holds up nobody else. */
const MAX_WITH_STUCK = 16;
/** Enough for the server never to idle; what is sent can no longer be given to another connection. */
const MAX_UNDER_WAY = 4;
/** One tenant may use so many of the connections that are not stuck. */
const MAX_OF_TENANT = 8;
/** The same for calls of one kind, which may turn out to wait for one lock. */
const MAX_OF_KIND = 6;
/** Stuck connections, by the caller at whose batch they are stuck. */
const MAX_STUCK_OF_TENANT = 8;
const MAX_STUCK_OF_KIND = 3;
const SUSPECT_FOR_MS = 1000;
/** Delay before a server that refused a connection is asked again. */
const ASK_AGAIN_AFTER_MS = 1000;

/**
 * Shared connections for statements outside of transactions, opened when needed and again when lost. A caller's statements
 * are a transaction of their own; only reads of several callers may share one. A tenant has part of the connections, and
 * what is stuck has few (docs/decisions/0028-bulkheads.md); callers beyond that wait for a while, and are refused then.
 */
export class Pipelines {
  readonly #options: PipelineOptions;
  readonly #pipelines = new Set<Pipeline>();
  /** Replaced, and with answers to come. */
  readonly #leaving = new Set<Pipeline>();
  readonly #reads = new Reads((call) => this.#alone(call));
  readonly #waiting = new Waiting<Pipeline>((work) => this.#pipelineFor(work)?.take(work));
  /** Kinds of calls that were stuck a moment ago, and until when they are taken for such that may be again. */
  readonly #suspects = new Map<string, number>();
  #isClosed = false;
  #noMoreUntil = 0;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  /** Runs one caller's statements in their order, all or none. */
  run(call: Call): Promise<Row[][]> {
    return call.statements.every(({ isRead }) => isRead) ? this.#reads.run(call) : this.#alone(call);
  }

  /** Connections open or being opened, and callers that wait for one. */
  get load(): { open: number; waiting: number } {
    const underWay = [...this.#pipelines].reduce((sum, { load }) => sum + load, 0);
    const queued = Math.max(0, underWay - this.#pipelines.size);
    return { open: this.#pipelines.size, waiting: queued + this.#waiting.size };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.close();
    await Promise.all([...this.#pipelines, ...this.#leaving].map((pipeline) => pipeline.close()));
  }

  async #alone(call: Call): Promise<Row[][]> {
    if (this.#isClosed) throw new Error('The database is closed');
    const { tenant_id, statements, isReadOnly = false } = call;
    const work = { batch: new Batch(statements), tenant_id, kind: kindOf(call), isReadOnly };
    let pipeline = await this.#waiting.turnOf(work);
    try {
      for (;;) {
        try {
          return await pipeline.run(work);
        } catch (error) {
          const other = pipeline.hasOpened ? undefined : this.#otherPipeline(error);
          if (!other) throw error;
          this.#noMoreUntil = performance.now() + ASK_AGAIN_AFTER_MS;
          pipeline = other.take(work);
        }
      }
    } finally {
      this.#leaveIfSpent(pipeline);
      this.#waiting.letIn();
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

  /** The least loaded connection of those that the caller may use, or a new one; undefined: the caller has to wait. */
  #pipelineFor({ tenant_id, kind, isReadOnly }: Sent): Pipeline | undefined {
    const now = performance.now();
    let [stuck, stuckOfTenant, stuckOfKind, ofTenant, ofKind] = [0, 0, 0, 0, 0];
    let least: Pipeline | undefined;
    let leastOfTenant: Pipeline | undefined;
    let leastOfKind: Pipeline | undefined;
    for (const pipeline of this.#pipelines) {
      if (pipeline.isSpent(now)) {
        this.#leave(pipeline);
      } else if (pipeline.isStuck(now)) {
        const [oldest] = pipeline.under;
        stuck++;
        if (oldest) this.#suspects.set(oldest.kind, now + SUSPECT_FOR_MS);
        if (oldest?.tenant_id === tenant_id) stuckOfTenant++;
        if (oldest?.kind === kind) stuckOfKind++;
      } else {
        const isOfTenant = tenant_id !== '' && pipeline.under.some((sent) => sent.tenant_id === tenant_id);
        const isOfKind = pipeline.under.some((sent) => sent.kind === kind);
        if (isOfTenant) ofTenant++;
        if (isOfKind) ofKind++;
        if (pipeline.load >= MAX_UNDER_WAY) continue;
        least = lessLoaded(least, pipeline);
        if (isOfTenant) leastOfTenant = lessLoaded(leastOfTenant, pipeline);
        if (isOfKind) leastOfKind = lessLoaded(leastOfKind, pipeline);
      }
    }
    if (tenant_id !== '' && stuckOfTenant >= MAX_STUCK_OF_TENANT) return undefined;
    const isSuspect = stuckOfKind > 0 || this.#isSuspect(kind, now);
    if (isSuspect && stuckOfKind + ofKind >= MAX_STUCK_OF_KIND) return undefined;
    if (ofTenant >= MAX_OF_TENANT) return isSuspect ? undefined : leastOfTenant;
    // Reads of several callers are of many kinds, and soon over.
    if (ofKind >= MAX_OF_KIND && !isReadOnly) return leastOfKind;
    if (least?.load === 0) return least;
    // No two behind each other that may wait for the same lock.
    return this.#newPipeline(stuck, now) ?? (isSuspect ? undefined : least);
  }

  #isSuspect(kind: string, now: number): boolean {
    const until = this.#suspects.get(kind);
    if (until === undefined) return false;
    if (now < until) return true;
    this.#suspects.delete(kind);
    return false;
  }

  #newPipeline(stuck: number, now: number): Pipeline | undefined {
    const { size } = this.#pipelines;
    if (size - stuck >= MAX_PIPELINES || size >= MAX_WITH_STUCK) return undefined;
    if (size > 0 && now < this.#noMoreUntil) return undefined;
    const pipeline = new Pipeline(this.#options, () => {
      this.#pipelines.delete(pipeline);
      this.#leaving.delete(pipeline);
    });
    this.#pipelines.add(pipeline);
    return pipeline;
  }

  /** Replaces a session that is too old or does not take writes, and those that only stood in for stuck ones. */
  #leaveIfSpent(pipeline: Pipeline): void {
    const isOneTooMany = this.#pipelines.size > MAX_PIPELINES && pipeline.load === 0;
    if (this.#pipelines.has(pipeline) && (isOneTooMany || pipeline.isSpent(performance.now())))
      this.#leave(pipeline);
    else if (this.#leaving.has(pipeline)) this.#closeWhenIdle(pipeline);
  }

  #leave(pipeline: Pipeline): void {
    this.#pipelines.delete(pipeline);
    this.#leaving.add(pipeline);
    this.#closeWhenIdle(pipeline);
  }

  #closeWhenIdle(pipeline: Pipeline): void {
    if (pipeline.load === 0 && !this.#isClosed) pipeline.close().catch(this.#options.onError);
  }
}

const lessLoaded = (least: Pipeline | undefined, other: Pipeline): Pipeline =>
  least && least.load <= other.load ? least : other;

function leastLoaded(pipelines: Iterable<Pipeline>): Pipeline | undefined {
  let least: Pipeline | undefined;
  for (const pipeline of pipelines) least = lessLoaded(least, pipeline);
  return least;
}
