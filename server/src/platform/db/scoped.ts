import type { Clock } from '../ports.ts';
import type { Queryable, Scope } from './queryable.ts';
import { NOW, type Query, type Results, type Row, type RowsQuery, type Statement, sql } from './sql.ts';

const POSTGRES_ROLE = { tenant: 'acp_tenant', system: 'acp_system' } as const;

/**
 * Sets row-level security's only input: the role and the tenant of the transaction or round trip. It returns no row,
 * because a row costs as much as the one that was asked for.
 */
export const setScope = (scope: Scope) =>
  sql`select where set_config('role', ${POSTGRES_ROLE[scope.role]}, true) is null
                or set_config('app.tenant_id', ${scope.role === 'tenant' ? scope.tenant_id : ''}, true) is null`;

export type Rows = Row[];
type Send = (statements: readonly Statement[]) => Promise<Rows[]>;

interface Waiting {
  statement: Statement;
  resolve: (rows: Rows) => void;
  reject: (error: unknown) => void;
}

const SOON = Promise.resolve();

/** Sends queries in a scope and reads their results. */
export class Scoped implements Queryable {
  readonly #send: Send;
  readonly #clock: Clock;
  protected scope: Scope;
  #waiting: Waiting[] = [];

  constructor(scope: Scope, clock: Clock, send: Send) {
    this.scope = scope;
    this.#clock = clock;
    this.#send = send;
  }

  get now(): Date {
    return this.#clock();
  }

  run<T>(query: Query<T>): Promise<T>;
  run<Queries extends readonly [Query<unknown>, Query<unknown>, ...Query<unknown>[]]>(
    ...queries: Queries
  ): Promise<Results<Queries>>;
  async run(...queries: readonly Query<unknown>[]): Promise<unknown> {
    const results = await this.#run(queries);
    return queries.length === 1 ? results[0] : results;
  }

  runAll<T>(queries: readonly Query<T>[]): Promise<T[]> {
    return queries.length === 0 ? Promise.resolve([]) : (this.#run(queries) as Promise<T[]>);
  }

  async #run(queries: readonly Query<unknown>[]): Promise<unknown[]> {
    const { now } = this;
    const results = await this.#send(queries.map((query) => withTime(query, now)));
    return queries.map((query, index) => query.read(results[index] ?? []));
  }

  rows<R>(statement: RowsQuery<R>): Promise<R[]> {
    return new Promise<Rows>((resolve, reject) => {
      // Not queueMicrotask, which makes an asynchronous resource of each.
      const waiting = { statement: withTime(statement, this.now), resolve, reject };
      if (this.#waiting.push(waiting) === 1) void SOON.then(() => this.#flush());
    }) as Promise<R[]>;
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

/** Replaces NOW by the time of the call. */
function withTime(query: Statement, now: Date): Statement {
  if (!query.values.includes(NOW)) return query;
  const { name, text, isRead = false, values } = query;
  return { name, text, isRead, values: values.map((value) => (value === NOW ? now : value)) };
}
