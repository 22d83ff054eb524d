import pg from 'pg';
import type { Batch, ProtocolConnection } from './batch.ts';
import { connectionOf, giveUp } from './timeouts.ts';
import { whyNotConnected } from './unreachable.ts';

/**
 * One connection that callers share, as in libpq's pipeline mode: a batch is sent at once, behind those still being
 * answered. pg hands replies to its current query, which is always the oldest batch here.
 */
export class Pipeline {
  readonly #client: pg.Client;
  readonly #connection: ProtocolConnection;
  readonly #connected: Promise<void>;
  readonly #onLost: () => void;
  /** Sent and not answered, oldest first. */
  readonly #sent: Batch[] = [];
  /** Shared by all batches, because the oldest always ends first. */
  readonly #onOver = () => {
    this.#sent.shift();
    this.#next();
  };
  /** Restarts with each batch. */
  readonly #patience: NodeJS.Timeout;
  #hasOpened = false;
  /** Batches taken on and not answered. */
  load = 0;

  constructor(
    config: pg.ClientConfig,
    onError: (error: Error) => void,
    onLost: () => void,
    answerWithinMs: number,
  ) {
    this.#client = new pg.Client(config);
    this.#connection = connectionOf(this.#client);
    this.#patience = setTimeout(() => {
      if (this.#sent.length > 0) giveUp(this.#connection);
    }, answerWithinMs).unref();
    this.#onLost = onLost;
    this.#client.on('error', (error) => {
      // A caller that retries gets another connection.
      onLost();
      onError(error);
      this.#connection.stream.destroy();
    });
    this.#client.on('end', () => this.#lose(new Error('The database connection ended')));
    this.#connected = this.#connect();
    this.#connected.catch(() => onLost());
  }

  /** False while nothing can have been sent. */
  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  /** Runs a batch, and once more when the connection had lost a prepared statement. */
  async run(batch: Batch): Promise<Awaited<Batch['done']>> {
    this.load++;
    try {
      if (!this.#hasOpened) await this.#connected;
      return await this.#send(batch);
    } catch (error) {
      if (!batch.isStale) throw error;
      return await this.#send(batch.again());
    } finally {
      this.load--;
    }
  }

  async close(): Promise<void> {
    await this.#connected.catch(() => undefined);
    await this.#client.end();
  }

  async #connect(): Promise<void> {
    try {
      await this.#client.connect();
    } catch (error) {
      throw whyNotConnected(error);
    }
    this.#hasOpened = true;
  }

  #send(batch: Batch): Batch['done'] {
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
    this.#client.query(batch as unknown as pg.Submittable);
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
