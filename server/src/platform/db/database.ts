import { availableParallelism } from 'node:os';
import pg from 'pg';
import { FairSemaphore } from '../load/semaphore.ts';
import type { Clock } from '../ports.ts';
import { checkSession } from './connection-check.ts';
import { connectionOptions } from './connection-options.ts';
import { orRefused } from './constraint-errors.ts';
import { Pool } from './pool.ts';
import {
  type Scope,
  type SystemDb,
  systemScope,
  type TenantDb,
  type TenantTx,
  type Tx,
  tenantScope,
} from './queryable.ts';
import { Reads } from './reads.ts';
import { type Rows, Scoped, setScope } from './scoped.ts';
import { KEPT_ALIVE, Servers, WatchedClient } from './servers.ts';
import type { Session } from './session.ts';
import type { Statement } from './sql.ts';
import { SessionTx } from './transaction.ts';
import { orUnreachable } from './unreachable.ts';

/**
 * Sessions begin in a role without rights. Times come in UTC, so they are passed on unchanged. Compiling a statement
 * (jit) takes 200 ms, ten times as long as running it: row-level security makes the planner expect too many rows.
 */
const SESSION = [
  'role=acp_service',
  'timezone=UTC',
  'jit=off',
  'statement_timeout=30000',
  'idle_in_transaction_session_timeout=30000',
];

const LOCK_WITHIN_MS = 3000;
/** Longer than the server's statement_timeout, after which no answer can come. */
const ANSWER_WITHIN_MS = 40_000;
const DISK_FULL = '53100';
/**
 * Statements of jobs at once: as many as there are cores, so that jobs leave some of them to requests. A statement that
 * waits for a lock or the disk gives its permit back after 100 ms.
 */
const BACKGROUND = { ofAll: Math.max(2, availableParallelism()), countsForMs: 100 };

/** For how long a call waits before it gets a 503, in milliseconds. */
export interface DatabaseWaits {
  /** For the locks of others; default: 3000. */
  lockMs?: number;
  /** For a connection, or a share of them; default: 5000. */
  connectionMs?: number;
}

export interface DatabaseOptions {
  url: string;
  /** Size of the pool. */
  maxConnections: number;
  onError: (error: Error) => void;
  /** Default: the machine's clock. */
  clock?: Clock;
  /** Time limit for the answer to a statement. */
  answerWithinMs?: number;
  waits?: DatabaseWaits | undefined;
  /** Called when a read-only session is replaced, as after a failover. */
  onReadOnly?: () => void;
}

/** Connections to PostgreSQL. A session has no rights until a statement's scope sets its role and tenant. */
export class Database {
  readonly url: string;
  readonly #servers: Servers;
  readonly #pool: Pool;
  readonly #reads: Reads;
  readonly #clock: Clock;
  readonly #background = new FairSemaphore(BACKGROUND);
  #isClosed = false;
  /** A statement failed because the disk was full. Readiness clears it. */
  isFull = false;

  constructor(options: DatabaseOptions) {
    this.url = options.url;
    this.#clock = options.clock ?? (() => new Date());
    const { lockMs = LOCK_WITHIN_MS, connectionMs } = options.waits ?? {};
    const connection = {
      ...connectionOptions(options.url, [...SESSION, `lock_timeout=${lockMs}`]),
      ...KEPT_ALIVE,
      connectionTimeoutMillis: 10_000,
      application_name: 'agent-control-plane',
    };
    this.#servers = new Servers(connection.connectionString);
    const sessions = {
      servers: this.#servers,
      makeClient: (url: string) => new WatchedClient({ ...connection, connectionString: url }),
      // Errors after close() are expected: the server may be stopping.
      onError: (error: Error) => {
        if (!this.#isClosed) options.onError(error);
      },
      onReadOnly: options.onReadOnly ?? (() => {}),
      answerWithinMs: options.answerWithinMs ?? ANSWER_WITHIN_MS,
    };
    this.#pool = new Pool(options.maxConnections, sessions, connectionMs);
    this.#reads = new Reads(this.#pool);
  }

  /** Rejects unless sessions begin in the required role. */
  checkSession(): Promise<void> {
    return checkSession((statements) => this.#pool.run({ tenant_id: '', kind: 'check', statements }));
  }

  /** Statements in a tenant's scope. @param change the request's description for the audit log */
  tenant(tenant_id: string, change?: string): TenantDb {
    const scope = { ...tenantScope(tenant_id), change };
    return new TenantScoped(tenant_id, scope, this, this.#clock, (statements) =>
      this.#send(scope, statements),
    );
  }

  /** The same for jobs: few at once, because nobody waits for them. */
  background(tenant_id: string): TenantDb {
    const scope = tenantScope(tenant_id);
    const send = (statements: readonly Statement[]) =>
      this.#background.run(tenant_id, () => this.#send(scope, statements));
    const transaction: Database['transaction'] = (...args) =>
      this.#background.run(tenant_id, () => this.transaction(...args));
    return new TenantScoped(tenant_id, scope, { transaction }, this.#clock, send);
  }

  /** Statements that belong to no tenant or to all of them. */
  get system(): SystemDb {
    return this.systemFor(undefined);
  }

  /** The same on behalf of a request. */
  systemFor(change: string | undefined): SystemDb {
    const scope = { ...systemScope, change };
    return new SystemScoped(scope, this, this.#clock, (statements) => this.#send(scope, statements));
  }

  async #send(scope: Scope, statements: readonly Statement[]): Promise<Rows[]> {
    const all = [setScope(scope), ...statements];
    // The last statement names the kind: calls of a kind wait for the same tables.
    const call = { tenant_id: tenantOf(scope), kind: all.at(-1)?.name ?? '', statements: all };
    const isShared = scope.change === undefined && all.every(({ isRead }) => isRead);
    try {
      return (await (isShared ? this.#reads : this.#pool).run(call)).slice(1);
    } catch (error) {
      this.#note(error);
      throw orRefused(orUnreachable(error));
    }
  }

  #note(error: unknown): void {
    if (error instanceof pg.DatabaseError && error.code === DISK_FULL) this.isFull = true;
  }

  /** Runs `work` in one transaction, which holds a connection. BEGIN and the scope travel with its first statement. */
  transaction<T>(scope: Scope, work: (tx: TenantTx) => Promise<T>): Promise<T> {
    const use = { tenant_id: tenantOf(scope), kind: undefined };
    return this.#pool.use(use, (session) => this.#inTransaction(session, scope, work));
  }

  async #inTransaction<T>(session: Session, scope: Scope, work: (tx: TenantTx) => Promise<T>): Promise<T> {
    const tx = new SessionTx(session, scope, this.#clock());
    try {
      const result = await work(tx);
      await tx.commit();
      return result;
    } catch (error) {
      this.#note(error);
      await tx.rollback().catch(() => session.retire());
      throw error;
    }
  }

  /** Open connections, and callers that wait for one. */
  get load(): { open: number; waiting: number } {
    return this.#pool.load;
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
    await this.#pool.close();
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
