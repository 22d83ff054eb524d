import type { Row } from './batch.ts';
import { type Queryable, type Scope, type TenantQueryable, tenantScope } from './queryable.ts';
import { type Statement, sql } from './sql.ts';

const POSTGRES_ROLE = { tenant: 'acp_tenant', system: 'acp_system' } as const;

/**
 * Row-level security's only input: the role and the tenant of the transaction (or of the one round trip). It answers
 * with no row, which would tell nothing and cost as much as the row that was asked for.
 */
export const setScope = (scope: Scope) =>
  sql`select where set_config('role', ${POSTGRES_ROLE[scope.role]}, true) is null
                or set_config('app.tenant_id', ${scope.role === 'tenant' ? scope.tenant_id : ''}, true) is null`;

const setQueueRole = () => sql`select set_config('role', 'acp_jobs', true)`;

export type Rows = Row[];
type Send = (statements: readonly Statement<unknown>[]) => Promise<Rows[]>;

interface Waiting {
  statement: Statement<unknown>;
  resolve: (rows: Rows) => void;
  reject: (error: unknown) => void;
}

const SOON = Promise.resolve();

/** Collects the statements of one tick and sends them as one batch. */
export class Batching implements Queryable {
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

export class TenantBatching extends Batching implements TenantQueryable {
  readonly tenant_id: string;

  constructor(tenant_id: string, send: Send) {
    super(tenantScope(tenant_id), send);
    this.tenant_id = tenant_id;
  }
}
