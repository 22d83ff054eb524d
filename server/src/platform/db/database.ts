import { availableParallelism } from 'node:os';
import pg from 'pg';
import { PatientTurns } from '../load/patient-turns.ts';
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
import { Servers, WatchedClient } from './servers.ts';
import type { Statement } from './sql.ts';
import { ANSWER_WITHIN_MS, answered, KEPT_ALIVE } from './timeouts.ts';
import { ClientTx } from './transaction.ts';
import { Transactions } from './transactions.ts';
import { orUnreachable } from './unreachable.ts';

/** Sessions begin in a role without rights. Times come in UTC, so they are passed on unchanged. */
const SESSION = [
  'role=acp_service',
  'timezone=UTC',
  'statement_timeout=30000',
  'lock_timeout=3000',
  'idle_in_transaction_session_timeout=30000',
];

const DISK_FULL = '53100';
/**
 * Work of jobs at once. More would get no more done on the cores that there are, and requests would share those with all of
 * it. Waiting for a lock or the disk takes a place for 100 ms at most.
 */
const BACKGROUND = { places: Math.max(2, availableParallelism()), countsForMs: 100 };

export interface DatabaseOptions {
  url: string;
  /** Size of the pool for transactions. Other statements share up to ten more connections. */
  maxConnections: number;
  onError: (error: Error) => void;
  /** Default: the machine's clock. */
  clock?: Clock;
  /** Time limit for the answer to a statement. */
  answerWithinMs?: number;
  /** Called when a session took no writes and is replaced, as after a failover. */
  onReadOnly?: () => void;
}

/** Connections to PostgreSQL. A session has no rights until a statement's scope sets its role and tenant. */
export class Database {
  readonly url: string;
  readonly #servers: Servers;
  readonly #transactions: Transactions;
  readonly #pipelines: Pipelines;
  readonly #answerWithinMs: number;
  readonly #clock: Clock;
  readonly #background = new PatientTurns(BACKGROUND.places, BACKGROUND.countsForMs);
  #isClosed = false;
  /** A statement failed because the disk was full. Readiness clears it. */
  isFull = false;

  constructor(options: DatabaseOptions) {
    this.url = options.url;
    this.#clock = options.clock ?? (() => new Date());
    const connection = {
      ...connectionOptions(options.url, SESSION),
      ...KEPT_ALIVE,
      connectionTimeoutMillis: 10_000,
      application_name: 'agent-control-plane',
    };
    this.#answerWithinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS;
    this.#servers = new Servers(connection.connectionString);
    const on = {
      servers: this.#servers,
      // A closed pool does not wait for the server, which may be stopping; its errors then mean nothing.
      onError: (error: Error) => {
        if (!this.#isClosed) options.onError(error);
      },
      onReadOnly: options.onReadOnly ?? (() => {}),
    };
    const makeClient = (url: string) => new WatchedClient({ ...connection, connectionString: url });
    this.#pipelines = new Pipelines({ ...on, makeClient, answerWithinMs: this.#answerWithinMs });
    this.#transactions = new Transactions({ ...connection, max: options.maxConnections }, on);
  }

  /** Rejects unless sessions begin in the role and with the rights that the service needs. */
  checkSession(): Promise<void> {
    return checkSession((statements) => this.#pipelines.run({ tenant_id: '', statements }));
  }

  /** Statements in a tenant. @param change describes the request that they serve, for the record of changes */
  tenant(tenant_id: string, change?: string): TenantDb {
    const scope = { ...tenantScope(tenant_id), change };
    return new TenantScoped(tenant_id, scope, this, this.#clock, (statements) =>
      this.#send(scope, statements),
    );
  }

  /** Statements in a tenant for jobs, few at once in this process: nobody waits for them. */
  background(tenant_id: string): TenantDb {
    const scope = tenantScope(tenant_id);
    const send = (statements: readonly Statement[]) =>
      this.#background.run(() => this.#send(scope, statements));
    const transaction: Database['transaction'] = (...args) =>
      this.#background.run(() => this.transaction(...args));
    return new TenantScoped(tenant_id, scope, { transaction }, this.#clock, send);
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
      const call = { tenant_id: tenantOf(scope), statements: [setScope(scope), ...statements] };
      return (await this.#pipelines.run(call)).slice(1);
    } catch (error) {
      this.#note(error);
      throw orRefused(orUnreachable(error));
    }
  }

  #note(error: unknown): void {
    if (error instanceof pg.DatabaseError && error.code === DISK_FULL) this.isFull = true;
  }

  /** Runs `work` in one transaction. BEGIN and the scope travel with its first statement. */
  transaction<T>(scope: Scope, work: (tx: TenantTx) => Promise<T>): Promise<T> {
    return this.#transactions.run(tenantOf(scope), async (client) => {
      const tx = new ClientTx(client, scope, this.#clock(), this.#answerWithinMs);
      try {
        const result = await work(tx);
        await tx.commit();
        this.#transactions.giveBack(client);
        return result;
      } catch (error) {
        this.#note(error);
        // A connection that cannot roll back is closed.
        await answered(client, this.#answerWithinMs, client.query('rollback')).then(
          () => this.#transactions.giveBack(client, error),
          (rollbackError: Error) => client.release(rollbackError),
        );
        throw error;
      }
    });
  }

  /** Open connections, and callers that wait for one. */
  get load(): { open: number; waiting: number } {
    const [shared, own] = [this.#pipelines.load, this.#transactions.load];
    return { open: shared.open + own.open, waiting: shared.waiting + own.waiting };
  }

  /** How often the server had no connection to spare. */
  get refusals(): number {
    return this.#servers.refusals;
  }

  /** True while callers wait for a connection, or the server had none to spare a moment ago. */
  get isBusy(): boolean {
    return this.load.waiting > 0 || this.#servers.isShort;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#transactions.end(), this.#pipelines.close()]);
  }
}

const tenantOf = (scope: Scope) => (scope.role === 'tenant' ? scope.tenant_id : '');

class TenantScoped extends Scoped implements TenantDb {
  readonly tenant_id: string;
  readonly #db: Pick<Database, 'transaction'>;

  constructor(
    tenant_id: string,
    scope: Scope,
    db: Pick<Database, 'transaction'>,
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
