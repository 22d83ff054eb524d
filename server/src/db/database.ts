import pg from 'pg';
import { Batch, type Row } from './batch.ts';
import { Pipelines } from './pipelines.ts';
import { sessionAt } from './session.ts';
import { checkSession } from './session-check.ts';
import { type Statement, sql } from './sql.ts';
import { ANSWER_WITHIN_MS, answered, KEPT_ALIVE } from './timeouts.ts';
import { orUnreachable, whyNotConnected } from './unreachable.ts';

/**
 * Whose rows a statement may see. `tenant`: one tenant's, by row-level security. `system`: the service itself, for
 * work that belongs to no tenant yet (finding the owner of a credential) or to all of them (jobs).
 */
export type Scope = { role: 'tenant'; tenant_id: string } | { role: 'system' };

export const tenantScope = (tenant_id: string): Scope => ({ role: 'tenant', tenant_id });
export const systemScope: Scope = { role: 'system' };

/**
 * Runs statements in some scope. Statements that are issued together (in one tick, as by Promise.all) travel together:
 * one round trip, run in the order of issue, and all undone when one fails.
 */
export interface Queryable {
  rows<Row>(statement: Statement<Row>): Promise<Row[]>;
  /** Runs a statement of the job queue in the queue's own role, which sees none of our rows. */
  queueRows<Row>(statement: Statement<Row>): Promise<Row[]>;
}

/** Statements that see one tenant's rows, and know whose they are. */
export interface TenantQueryable extends Queryable {
  readonly tenant_id: string;
}

/** An open transaction. */
export interface Tx extends Queryable {
  /** Changes whose rows the following statements see; the transaction stays the same. */
  enter(scope: Scope): void;
}

const POSTGRES_ROLE = { tenant: 'acp_tenant', system: 'acp_system' } as const;

const begin = () => sql`begin`;

/**
 * Row-level security's only input: the role and the tenant of the transaction (or of the one round trip). It answers
 * with no row, which would tell nothing and cost as much as the row that was asked for.
 */
const setScope = (scope: Scope) =>
  sql`select where set_config('role', ${POSTGRES_ROLE[scope.role]}, true) is null
                or set_config('app.tenant_id', ${scope.role === 'tenant' ? scope.tenant_id : ''}, true) is null`;

const setQueueRole = () => sql`select set_config('role', 'acp_jobs', true)`;

/** Times are told in UTC, so that they can be passed on as they are. */
const SESSION = [
  'role=acp_service',
  'timezone=UTC',
  'statement_timeout=30000',
  'idle_in_transaction_session_timeout=30000',
];

export interface DatabaseOptions {
  url: string;
  /** For transactions; what stands alone shares a few connections more. */
  maxConnections: number;
  onError: (error: Error) => void;
  /** How long a statement is waited for. */
  answerWithinMs?: number;
}

/** Connections to PostgreSQL. Their logins start in a role without any right; only a scope gives some. */
export class Database {
  readonly url: string;
  readonly #pool: pg.Pool;
  readonly #pipelines: Pipelines;
  readonly #answerWithinMs: number;
  #isClosed = false;

  constructor(options: DatabaseOptions) {
    this.url = options.url;
    // A pool that is closed does not wait until the server has let its connections go, and that may be about to stop.
    const onError = (error: Error) => {
      if (!this.#isClosed) options.onError(error);
    };
    const connection = {
      ...sessionAt(options.url, SESSION),
      ...KEPT_ALIVE,
      connectionTimeoutMillis: 10_000,
      application_name: 'agent-control-plane',
    };
    this.#answerWithinMs = options.answerWithinMs ?? ANSWER_WITHIN_MS;
    this.#pipelines = new Pipelines(connection, onError, this.#answerWithinMs);
    this.#pool = new pg.Pool({ ...connection, max: options.maxConnections });
    // A connection may be lost while somebody has it, too: unheard, its error would end the process.
    this.#pool.on('connect', (client) => client.on('error', onError));
    // What the pool says of an idle one was heard from the connection itself.
    this.#pool.on('error', () => {});
  }

  /** Throws where sessions do not begin as they have to. */
  checkSession(): Promise<void> {
    return checkSession((statements) => this.#pipelines.run(statements));
  }

  /** Statements outside of a transaction: what is issued together is one round trip and a transaction of its own. */
  tenant(tenant_id: string): TenantQueryable {
    return new TenantBatching(tenant_id, (statements) => this.#send(tenantScope(tenant_id), statements));
  }

  /** The same for what belongs to no tenant, or to all of them. */
  get system(): Queryable {
    return new Batching(systemScope, (statements) => this.#send(systemScope, statements));
  }

  async #send(scope: Scope, statements: readonly Statement<unknown>[]): Promise<Rows[]> {
    try {
      return (await this.#pipelines.run([setScope(scope), ...statements])).slice(1);
    } catch (error) {
      throw orUnreachable(error);
    }
  }

  /** Runs `work` in one transaction. BEGIN and the scope travel with its first statement. */
  async transaction<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw whyNotConnected(error);
    });
    const tx = new ClientTx(client, scope, this.#answerWithinMs);
    try {
      const result = await work(tx);
      await tx.commit();
      client.release();
      return result;
    } catch (error) {
      // A connection whose rollback does not get through is not handed out again.
      await answered(client, this.#answerWithinMs, client.query('rollback')).then(
        () => client.release(),
        (rollbackError: Error) => client.release(rollbackError),
      );
      throw error;
    }
  }

  /** How many connections are open and how many callers wait for one. */
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

type Rows = Row[];
type Send = (statements: readonly Statement<unknown>[]) => Promise<Rows[]>;

interface Waiting {
  statement: Statement<unknown>;
  resolve: (rows: Rows) => void;
  reject: (error: unknown) => void;
}

const SOON = Promise.resolve();

/** Collects the statements of one tick and sends them as one batch. */
class Batching implements Queryable {
  readonly #send: Send;
  protected scope: Scope;
  #waiting: Waiting[] = [];

  constructor(scope: Scope, send: Send) {
    this.scope = scope;
    this.#send = send;
  }

  rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    return new Promise<Rows>((resolve, reject) => {
      // Not queueMicrotask, which makes an asynchronous resource of each.
      if (this.#waiting.push({ statement, resolve, reject }) === 1) void SOON.then(() => this.#flush());
    }) as Promise<Row[]>;
  }

  async queueRows<Row>(statement: Statement<Row>): Promise<Row[]> {
    const steps = [this.rows(setQueueRole()), this.rows(statement), this.rows(setScope(this.scope))] as const;
    return (await Promise.all(steps))[1];
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const results = await this.#send(waiting.map((item) => item.statement));
      for (const [index, item] of waiting.entries()) item.resolve(results[index] ?? []);
    } catch (error) {
      for (const item of waiting) item.reject(error);
    }
  }
}

class TenantBatching extends Batching implements TenantQueryable {
  readonly tenant_id: string;

  constructor(tenant_id: string, send: Send) {
    super(tenantScope(tenant_id), send);
    this.tenant_id = tenant_id;
  }
}

class ClientTx extends Batching implements Tx {
  readonly #client: pg.PoolClient;
  readonly #answerWithinMs: number;
  #pending: Statement<unknown>[];
  #begun = false;

  constructor(client: pg.PoolClient, scope: Scope, answerWithinMs: number) {
    super(scope, (statements) => this.#run(statements));
    this.#client = client;
    this.#answerWithinMs = answerWithinMs;
    this.#pending = [begin(), setScope(scope)];
  }

  enter(scope: Scope): void {
    this.scope = scope;
    this.#pending.push(setScope(scope));
  }

  async commit(): Promise<void> {
    if (!this.#begun) return;
    const { command } = await this.#answered(this.#client.query('commit'));
    // What PostgreSQL answers when a statement had failed and somebody went on regardless: nothing was kept.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back by an earlier failure');
  }

  async #run(statements: readonly Statement<unknown>[]): Promise<Rows[]> {
    const pending = this.#pending;
    this.#pending = [];
    this.#begun = true;
    return (await this.#answered(run(this.#client, [...pending, ...statements]))).slice(pending.length);
  }

  #answered<T>(answer: Promise<T>): Promise<T> {
    return answered(this.#client, this.#answerWithinMs, answer).catch(raiseLost);
  }
}

function raiseLost(error: unknown): never {
  throw orUnreachable(error);
}

function run(client: pg.PoolClient, statements: readonly Statement<unknown>[]): Promise<Rows[]> {
  const batch = new Batch(statements);
  client.query(batch as unknown as pg.Submittable);
  return batch.done;
}
