import pg from 'pg';
import { tryAgain } from '../errors.ts';
import { FairSemaphore } from '../load/semaphore.ts';
import { takesNoWrites } from './pipeline.ts';
import { type Servers, WatchedClient } from './servers.ts';
import { whyNotConnected } from './unreachable.ts';

/** How long a caller waits for a connection. */
const WAITS_FOR_MS = 5000;
/** As of the pipelines, but for the jitter: connections of a pool are opened at different times. */
const SERVES_FOR_S = 30 * 60;
/** The part of the connections that one tenant may hold. */
const SHARE = 0.6;
const MAX_WAITING = 10_000;

const busy = () => tryAgain('The database is busy');

/** Connections for transactions, one for each at a time. A tenant holds part of them, and who waits for too long is refused. */
export class Transactions {
  readonly #servers: Servers;
  readonly #pool: pg.Pool;
  readonly #turns: FairSemaphore;
  readonly #max: number;
  readonly #onReadOnly: () => void;
  #waiting = 0;

  constructor(
    config: pg.PoolConfig & { max: number },
    on: { servers: Servers; onError: (error: Error) => void; onReadOnly: () => void },
  ) {
    this.#servers = on.servers;
    this.#onReadOnly = on.onReadOnly;
    this.#max = config.max;
    this.#turns = new FairSemaphore(
      { ofOne: Math.ceil(config.max * SHARE), ofAll: config.max },
      { maxWaiting: MAX_WAITING, refusal: busy },
    );
    class Client extends WatchedClient {
      constructor(options?: pg.ClientConfig) {
        super({ ...options, connectionString: on.servers.url });
      }
    }
    this.#pool = new pg.Pool({ ...config, maxLifetimeSeconds: SERVES_FOR_S, Client });
    // Without a listener, the error of a checked-out connection would end the process.
    this.#pool.on('connect', (client) => client.on('error', on.onError));
    // The connection's own listener has reported the error already.
    this.#pool.on('error', () => {});
  }

  /** Open connections, and callers that wait for one. */
  get load(): { open: number; waiting: number } {
    return { open: this.#pool.totalCount, waiting: this.#waiting };
  }

  /** Gives `work` a connection of its own. @param tenant_id empty for the service itself, which may take all */
  async run<T>(tenant_id: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const tooLate = new AbortController();
    const timer = setTimeout(() => tooLate.abort(busy()), WAITS_FOR_MS).unref();
    this.#waiting++;
    let isWaiting = true;
    const goOn = () => {
      clearTimeout(timer);
      if (isWaiting) this.#waiting--;
      isWaiting = false;
    };
    const use = async () => {
      goOn();
      return work(await this.#connect());
    };
    const share = tenant_id === '' ? this.#max : undefined;
    return this.#turns.run(tenant_id, use, tooLate.signal, share).finally(goOn);
  }

  /** Gives a connection back, unless its session is of no use any more. */
  giveBack(client: pg.PoolClient, error?: unknown): void {
    if (takesNoWrites(error)) this.#onReadOnly();
    client.release(takesNoWrites(error) && (error as Error));
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  #connect(): Promise<pg.PoolClient> {
    return this.#servers
      .inTurn(async () => {
        const client = await this.#pool.connect();
        try {
          this.#servers.mustServe(client as unknown as WatchedClient);
          return client;
        } catch (error) {
          client.release(error as Error);
          throw error;
        }
      })
      .catch((error: unknown) => {
        throw whyNotConnected(error);
      });
  }
}
