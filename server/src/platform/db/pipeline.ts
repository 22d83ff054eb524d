import pg from 'pg';
import type { Batch, ProtocolConnection } from './batch.ts';
import { connectInTurn, type Servers, type WatchedClient } from './servers.ts';
import { connectionOf, giveUp } from './timeouts.ts';
import { DatabaseUnreachable, orUnreachable, whyNotConnected } from './unreachable.ts';

/** A batch that waits this long for its answer most likely waits for a lock, or for the disk. */
const STUCK_AFTER_MS = 250;
/** A session does not outlive a change of servers by more; the jitter keeps all from being replaced at once. */
const SERVES_FOR_MS = 30 * 60_000;
const JITTER = 0.2;
/** A database that takes no writes at all is not asked for new sessions all the time. */
const READ_ONLY_FOR_MS = 1000;

/** How a pipeline connects, and for how long it waits. */
export interface PipelineOptions {
  servers: Servers;
  makeClient: (url: string) => WatchedClient;
  onError: (error: Error) => void;
  onReadOnly: () => void;
  answerWithinMs: number;
}

/** True for a server or a session that is read-only. */
export const takesNoWrites = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '25006';

/** A batch on its way, and on whose behalf. */
export interface Sent {
  batch: Batch;
  tenant_id: string;
  /** Calls of one kind wait for the same tables. */
  kind: string;
  /** True where we forbid it to write. */
  isReadOnly: boolean;
}

/**
 * One connection that callers share, as in libpq's pipeline mode: a batch is sent at once, behind those still being
 * answered. pg hands replies to its current query, which is always the oldest batch here.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #connected: Promise<void>;
  readonly #onLost: () => void;
  #client: pg.Client | undefined;
  #connection: ProtocolConnection | undefined;
  /** Sent and not answered, oldest first. */
  readonly #sent: Batch[] = [];
  /** Shared by all batches, because the oldest always ends first. */
  readonly #onOver = () => {
    this.#sent.shift();
    this.#next();
  };
  /** Restarts with each batch. */
  readonly #patience: NodeJS.Timeout;
  #oldestSince = performance.now();
  #spentAt = performance.now() + SERVES_FOR_MS * (1 - JITTER * Math.random());
  #openedAt = 0;
  #isStuck = false;
  #hasOpened = false;
  /** Taken on and not answered, oldest first. */
  readonly under: Sent[] = [];

  constructor(options: PipelineOptions, onLost: () => void) {
    this.#options = options;
    this.#onLost = onLost;
    this.#patience = setTimeout(() => {
      if (this.#connection && this.#sent.length > 0) giveUp(this.#connection);
    }, options.answerWithinMs).unref();
    this.#connected = this.#connect();
    this.#connected.catch(() => onLost());
  }

  /** False while nothing can have been sent. */
  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  /** Batches taken on and not answered. */
  get load(): number {
    return this.under.length;
  }

  /** True once the oldest batch has waited for long, until none is left: the next may wait for the same lock. */
  isStuck(now: number): boolean {
    if (this.under.length === 0) this.#isStuck = false;
    else if (this.#hasOpened && now - this.#oldestSince > STUCK_AFTER_MS) this.#isStuck = true;
    return this.#isStuck;
  }

  /** True once the session is to be replaced. */
  isSpent(now: number): boolean {
    return now > this.#spentAt;
  }

  /** Reserves the place of a batch that is to be run. */
  take(sent: Sent): this {
    if (this.under.push(sent) === 1) this.#oldestSince = performance.now();
    return this;
  }

  /** Runs a batch that was taken, and once more when the connection had lost a prepared statement. */
  async run(sent: Sent): Promise<Awaited<Batch['done']>> {
    try {
      if (!this.#hasOpened) await this.#connected;
      return await this.#send(sent.batch);
    } catch (error) {
      if (!sent.isReadOnly && takesNoWrites(error)) this.#isReadOnly();
      // The server says why before it closes the connection.
      else if (orUnreachable(error) instanceof DatabaseUnreachable) this.#onLost();
      if (!sent.batch.isStale) throw error;
      return await this.#send(sent.batch.again());
    } finally {
      this.under.splice(this.under.indexOf(sent), 1);
    }
  }

  async close(): Promise<void> {
    await this.#connected.catch(() => undefined);
    await this.#client?.end();
  }

  /** The server may have become a standby, or it takes writes again and this session does not know. */
  #isReadOnly(): void {
    const now = performance.now();
    if (now - this.#openedAt < READ_ONLY_FOR_MS) return;
    this.#spentAt = now;
    this.#options.onReadOnly();
  }

  async #connect(): Promise<void> {
    const { servers, makeClient } = this.#options;
    try {
      const client = await connectInTurn(servers, (url) => this.#watch(makeClient(url)));
      this.#client = client;
      this.#connection = connectionOf(client);
    } catch (error) {
      throw whyNotConnected(error);
    }
    this.#openedAt = this.#oldestSince = performance.now();
    this.#hasOpened = true;
  }

  #watch(client: WatchedClient): WatchedClient {
    client.on('error', (error) => {
      // A caller that retries gets another connection.
      if (this.#client === client) this.#onLost();
      this.#options.onError(error);
      connectionOf(client).stream.destroy();
    });
    client.on('end', () => {
      if (this.#client === client) this.#lose(new Error('The database connection ended'));
    });
    return client;
  }

  #send(batch: Batch): Batch['done'] {
    if (!this.#connection) throw new Error('The database connection is not open');
    const refused = batch.submit(this.#connection);
    if (refused) {
      batch.handleError(refused);
      return batch.done;
    }
    batch.onOver = this.#onOver;
    if (this.#sent.push(batch) === 1) this.#next();
    return batch.done;
  }

  /** Makes the oldest batch the receiver of pg's replies. */
  #next(): void {
    const [batch] = this.#sent;
    if (!batch) return;
    this.#patience.refresh();
    this.#oldestSince = performance.now();
    this.#client?.query(batch as unknown as pg.Submittable);
  }

  #lose(error: Error): void {
    clearTimeout(this.#patience);
    this.#onLost();
    // pg reports the error to its current query by itself.
    for (const batch of this.#sent.splice(1)) {
      batch.onOver = undefined;
      batch.handleError(error);
    }
  }
}
