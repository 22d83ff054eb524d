import pg from 'pg';
import type { Batch, ProtocolConnection } from './batch.ts';
import { connectionOf, giveUp } from './timeouts.ts';
import { whyNotConnected } from './unreachable.ts';

/**
 * One connection that callers share, as in libpq's pipeline mode: a batch is sent at once, behind those that are still
 * being answered, so that a busy service pays neither a round trip for each nor a connection.
 * pg gives replies to the query at work; here that is always the batch which was sent first.
 */
export class Pipeline {
  readonly #client: pg.Client;
  readonly #connection: ProtocolConnection;
  readonly #connected: Promise<void>;
  readonly #onLost: () => void;
  /** Sent and not answered; the first is at work. */
  readonly #sent: Batch[] = [];
  /** One for all batches: what is over is always the first. */
  readonly #onOver = () => {
    this.#sent.shift();
    this.#next();
  };
  /** Begins anew with each batch whose turn it is. */
  readonly #patience: NodeJS.Timeout;
  #hasOpened = false;
  /** What it has taken on and not answered. */
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
      // Whoever is told of it and asks again gets another connection.
      onLost();
      onError(error);
      this.#connection.stream.destroy();
    });
    this.#client.on('end', () => this.#lose(new Error('The database connection ended')));
    this.#connected = this.#connect();
    this.#connected.catch(() => onLost());
  }

  /** False as long as nothing can have been sent. */
  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  /** Runs a batch; once more when the connection had forgotten a statement or the plan for it, which did nothing. */
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

  /** Hands the replies that come next to the batch whose turn it is. */
  #next(): void {
    const [batch] = this.#sent;
    if (!batch) return;
    this.#patience.refresh();
    this.#client.query(batch as unknown as pg.Submittable);
  }

  #lose(error: Error): void {
    clearTimeout(this.#patience);
    this.#onLost();
    // pg tells the one at work by itself.
    for (const batch of this.#sent.splice(1)) {
      batch.onOver = undefined;
      batch.handleError(error);
    }
  }
}
