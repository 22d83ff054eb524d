import pg from 'pg';
import { Batch, type Prepared } from './batch.ts';
import { connectInTurn, connectionOf, type Servers, type WatchedClient } from './servers.ts';
import type { Row, Statement } from './sql.ts';
import { DatabaseUnreachable, orUnreachable, whyNotConnected } from './unreachable.ts';

/** Sessions are renewed, so that they follow a change of servers; with jitter, so not all at once. */
const SERVES_FOR_MS = 30 * 60_000;
const JITTER = 0.2;
/** A read-only database is not asked for new sessions more often. */
const READ_ONLY_FOR_MS = 1000;

/** How sessions connect, and their timeout. */
export interface SessionOptions {
  servers: Servers;
  makeClient: (url: string) => WatchedClient;
  /** Called when a connection is lost. */
  onError: (error: Error) => void;
  /** Called when a read-only session is to be replaced. */
  onReadOnly: () => void;
  /** Time limit for the answer to a batch. */
  answerWithinMs: number;
}

/** One connection, which runs one batch at a time. */
export class Session {
  readonly #client: WatchedClient;
  readonly #options: SessionOptions;
  readonly #onOver: (session: Session) => void;
  readonly #prepared: Prepared = new Map();
  readonly #openedAt = performance.now();
  readonly #isOldAt = this.#openedAt + SERVES_FOR_MS * (1 - JITTER * Math.random());
  /** Timeout of a batch, and of an idle session. */
  readonly #quiet: NodeJS.Timeout;
  #isRunning = false;
  #isOver = false;

  private constructor(client: WatchedClient, options: SessionOptions, onOver: (session: Session) => void) {
    this.#client = client;
    this.#options = options;
    this.#onOver = onOver;
    client.on('end', () => this.retire());
    this.#quiet = setTimeout(() => {
      if (this.#isRunning) connectionOf(client).stream.destroy(new Error('The database did not answer'));
      else this.retire();
    }, options.answerWithinMs).unref();
  }

  /**
   * Connects.
   * @param onOver called when the session is lost, read-only or idle for too long
   */
  static async open(options: SessionOptions, onOver: (session: Session) => void): Promise<Session> {
    const { servers, makeClient, onError } = options;
    const make = (url: string) => {
      const client = makeClient(url);
      client.on('error', (error) => {
        onError(error);
        connectionOf(client).stream.destroy();
      });
      return client;
    };
    try {
      return new Session(await connectInTurn(servers, make), options, onOver);
    } catch (error) {
      throw whyNotConnected(error);
    }
  }

  /** True once the session is to be replaced. */
  isOver(now: number): boolean {
    return this.#isOver || now > this.#isOldAt;
  }

  /**
   * Runs statements in one round trip and transaction.
   * @param isReadOnly true if the statements set their transaction read-only
   */
  async run(statements: readonly Statement[], { isReadOnly = false } = {}): Promise<Row[][]> {
    const batch = new Batch(statements, this.#prepared);
    this.#isRunning = true;
    this.#quiet.refresh();
    this.#client.query(batch as unknown as pg.Submittable);
    try {
      return await batch.done;
    } catch (error) {
      this.#note(error, isReadOnly);
      throw error;
    } finally {
      this.#isRunning = false;
    }
  }

  /** The same; repeats once if the session had lost a prepared statement or its plan, which changes nothing. */
  async runAlone(statements: readonly Statement[]): Promise<Row[][]> {
    try {
      return await this.run(statements);
    } catch (error) {
      if (!isStale(error)) throw error;
      return await this.run(statements);
    }
  }

  close(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#quiet);
    return this.#client.end();
  }

  #note(error: unknown, isReadOnly: boolean): void {
    if (isStale(error)) this.#prepared.clear();
    // The server sends the reason before it closes the connection.
    else if (orUnreachable(error) instanceof DatabaseUnreachable) this.retire();
    else if (!isReadOnly && takesNoWrites(error)) this.#isReadOnly();
  }

  /** The server has become a standby, or takes writes again and this session is stale. */
  #isReadOnly(): void {
    if (performance.now() - this.#openedAt < READ_ONLY_FOR_MS) return;
    this.retire();
    this.#options.onReadOnly();
  }

  /** Removes the session from use: it is lost, or in an unknown state. */
  retire(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onOver(this);
  }
}

/** 0A000 "cached plan must not change result type", 26000 "no such statement". */
const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '0A000' || error.code === '26000');

/** A server or a session that is read-only. */
const takesNoWrites = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '25006';
