import type { Clock } from '../ports.ts';
import type { Queryable, Scope } from './queryable.ts';
import { type NamedQueries, NOW, Query, type Results, type Row, type Statement, sql } from './sql.ts';

const POSTGRES_ROLE = { tenant: 'acp_tenant', system: 'acp_system' } as const;

/**
 * Sets the only input of row-level security: role and tenant of the transaction. It returns no row, because one would
 * cost as much as the row that was asked for. The description of a change is set until the transaction ends.
 */
export const setScope = (scope: Scope) => {
  const role = POSTGRES_ROLE[scope.role];
  const tenant_id = scope.role === 'tenant' ? scope.tenant_id : '';
  if (scope.change === undefined)
    return sql`select where set_config('role', ${role}, true) is null
                         or set_config('app.tenant_id', ${tenant_id}, true) is null`;
  return sql`select where set_config('role', ${role}, true) is null
                       or set_config('app.tenant_id', ${tenant_id}, true) is null
                       or set_config('app.change', ${scope.change}, true) is null`;
};

export type Rows = Row[];
type Send = (statements: readonly Statement[]) => Promise<Rows[]>;

/** Sends queries in a scope and reads their results. */
export class Scoped implements Queryable {
  readonly #send: Send;
  readonly #clock: Clock;
  protected scope: Scope;

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
  run<Queries extends NamedQueries>(queries: Queries): Promise<Results<Queries>>;
  async run(first: Query<unknown> | NamedQueries, ...others: readonly Query<unknown>[]): Promise<unknown> {
    if (first instanceof Query) {
      const results = await this.#run([first, ...others]);
      return others.length === 0 ? results[0] : results;
    }
    const results = await this.#run(Object.values(first));
    return Object.fromEntries(Object.keys(first).map((name, index) => [name, results[index]]));
  }

  runAll<T>(queries: readonly Query<T>[]): Promise<T[]> {
    return queries.length === 0 ? Promise.resolve([]) : (this.#run(queries) as Promise<T[]>);
  }

  async #run(queries: readonly Query<unknown>[]): Promise<unknown[]> {
    const { now } = this;
    const results = await this.#send(queries.map((query) => withTime(query, now)));
    return queries.map((query, index) => query.read(results[index] ?? []));
  }
}

/** Replaces NOW by the time of the call. */
function withTime(query: Statement, now: Date): Statement {
  if (!query.values.includes(NOW)) return query;
  const { name, text, isRead = false, values } = query;
  return { name, text, isRead, values: values.map((value) => (value === NOW ? now : value)) };
}
