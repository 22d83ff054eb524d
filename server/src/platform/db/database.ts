import pg from 'pg';
import type { Clock } from '../ports.ts';
import { checkSession } from './connection-check.ts';
import { connectionOptions } from './connection-options.ts';
import { orRefused } from './constraint-errors.ts';
import { Pipelines } from './pipelines.ts';
import {
  type Scope,
  type SystemDb,
  systemScope,
  type TenantDb,
  type TenantTx,
  type Tx,
  tenantScope,
} from './queryable.ts';
import { type Rows, Scoped, setScope } from './scoped.ts';
import type { Statement } from './sql.ts';
import { ANSWER_WITHIN_MS, answered, KEPT_ALIVE } from './timeouts.ts';
import { ClientTx } from './transaction.ts';
import { orUnreachable, whyNotConnected } from './unreachable.ts';

/** Sessions begin in a role without rights. Times come in UTC, so they are passed on unchanged. */
const SESSION = [
  'role=acp_service',
  'timezone=UTC',
  'statement_timeout=30000',
  'idle_in_transaction_session_timeout=30000',
];

export interface DatabaseOptions {
  url: string;
  /** Size of the pool for transactions. Other statements share up to ten more connections. */
  maxConnections: number;
  onError: (error: Error) => void;
  /** Default: the machine's clock. */
  clock?: Clock;
  /** Time limit for the answer to a statement. */
  answerWithinMs?: number;
}

/** Connections to PostgreSQL. A session has no rights until a statement's scope sets its role and tenant. */
export class Database {
  readonly url: string;
  readonly #pool: pg.Pool;
  readonly #pipelines: Pipelines;
  readonly #answerWithinMs: number;
  readonly #clock: Clock;
  #isClosed = false;

  constructor(options: DatabaseOptions) {
    this.url = options.url;
    this.#clock = options.clock ?? (() => new Date());
    // A closed pool does not wait for the server, which may be stopping; its errors then mean nothing.
    const onError = (error: Error) => {
      if (!this.#isClosed) options.onError(error);
    };
    const connection = {
      ...connectionOptions(options.url, SESSION),
      ...KEPT_ALIVE,
      connectionTimeoutMillis: 10_000,
      application_name: 'agent-control-plane',
    };
    this.#answerWithinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS;
    this.#pipelines = new Pipelines(connection, onError, this.#answerWithinMs);
    this.#pool = new pg.Pool({ ...connection, max: options.maxConnections });
    // Without a listener, the error of a checked-out connection would end the process.
    this.#pool.on('connect', (client) => client.on('error', onError));
    // The connection's own listener has reported the error already.
    this.#pool.on('error', () => {});
  }

  /** Rejects unless sessions begin in the role and with the rights that the service needs. */
  checkSession(): Promise<void> {
    return checkSession((statements) => this.#pipelines.run(statements));
  }

  /** Statements in a tenant. @param change describes the request that they serve, for the record of changes */
  tenant(tenant_id: string, change?: string): TenantDb {
    const scope = { ...tenantScope(tenant_id), change };
    return new TenantScoped(tenant_id, scope, this, this.#clock, (statements) =>
      this.#send(scope, statements),
    );
  }

  /** Statements of the service itself, for what belongs to no tenant or to all of them. */
  get system(): SystemDb {
    return this.systemFor(undefined);
  }

  /** The same on behalf of a request. */
  systemFor(change: string | undefined): SystemDb {
    const scope = { ...systemScope, change };
    return new SystemScoped(scope, this, this.#clock, (statements) => this.#send(scope, statements));
  }

  async #send(scope: Scope, statements: readonly Statement[]): Promise<Rows[]> {
    try {
      return (await this.#pipelines.run([setScope(scope), ...statements])).slice(1);
    } catch (error) {
      throw orRefused(orUnreachable(error));
    }
  }

  /** Runs `work` in one transaction. BEGIN and the scope travel with its first statement. */
  async transaction<T>(scope: Scope, work: (tx: TenantTx) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw whyNotConnected(error);
    });
    const tx = new ClientTx(client, scope, this.#clock(), this.#answerWithinMs);
    try {
      const result = await work(tx);
      await tx.commit();
      client.release();
      return result;
    } catch (error) {
      // A connection that cannot roll back is closed.
      await answered(client, this.#answerWithinMs, client.query('rollback')).then(
        () => client.release(),
        (rollbackError: Error) => client.release(rollbackError),
      );
      throw error;
    }
  }

  /** Open connections, and callers that wait for one. */
  get load(): { open: number; waiting: number } {
    const { open, underWay } = this.#pipelines.load;
    return {
      open: this.#pool.totalCount + open,
      waiting: this.#pool.waitingCount + Math.max(0, underWay - open),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#pool.end(), this.#pipelines.close()]);
  }
}

class TenantScoped extends Scoped implements TenantDb {
  readonly tenant_id: string;
  readonly #db: Database;

  constructor(
    tenant_id: string,
    scope: Scope,
    db: Database,
    clock: Clock,
    send: ConstructorParameters<typeof Scoped>[2],
  ) {
    super(scope, clock, send);
    this.tenant_id = tenant_id;
    this.#db = db;
  }

  transaction<T>(work: (tx: TenantTx) => Promise<T>): Promise<T> {
    return this.#db.transaction(this.scope, work);
  }
}

class SystemScoped extends Scoped implements SystemDb {
  readonly #db: Database;

  constructor(scope: Scope, db: Database, clock: Clock, send: ConstructorParameters<typeof Scoped>[2]) {
    super(scope, clock, send);
    this.#db = db;
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#db.transaction(this.scope, work);
  }
}
