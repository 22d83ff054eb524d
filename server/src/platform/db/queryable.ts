import type { NamedQueries, Query, Results } from './sql.ts';

/**
 * The rows that a statement may see. `tenant`: one tenant's, by row-level security. `system`: all, for work that belongs
 * to no tenant yet (finding the owner of a credential) or to all of them (jobs).
 * `change` describes the request for the audit log.
 */
export type Scope = ({ role: 'tenant'; tenant_id: string } | { role: 'system' }) & {
  change?: string | undefined;
};

export const tenantScope = (tenant_id: string): Scope => ({ role: 'tenant', tenant_id });
export const systemScope: Scope = { role: 'system' };

/** Runs statements in a scope. */
export interface Queryable {
  /** The time of the call; in a transaction, the time at which it began. */
  readonly now: Date;
  /** Runs one query: one round trip, and a transaction of its own unless this is one already. */
  run<T>(query: Query<T>): Promise<T>;
  /**
   * Runs queries in order: one round trip, one transaction. If one fails, nothing is changed and later ones do not run.
   */
  run<Queries extends readonly [Query<unknown>, Query<unknown>, ...Query<unknown>[]]>(
    ...queries: Queries
  ): Promise<Results<Queries>>;
  /** The same with a name for each result; the order is that of the keys. */
  run<Queries extends NamedQueries>(queries: Queries): Promise<Results<Queries>>;
  /** The same for a list of queries; an empty list needs no round trip. */
  runAll<T>(queries: readonly Query<T>[]): Promise<T[]>;
}

/** Statements in a tenant's scope. */
export interface TenantQueryable extends Queryable {
  readonly tenant_id: string;
}

/** An open transaction. */
export interface Tx extends Queryable {
  /** Sets the scope of the following statements, in the same transaction. */
  enter(scope: Scope): void;
}

/** An open transaction that began in a tenant. */
export interface TenantTx extends Tx, TenantQueryable {}

/** Statements outside of a transaction, which can begin one. */
export interface SystemDb extends Queryable {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** The same in a tenant. */
export interface TenantDb extends TenantQueryable {
  transaction<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>;
}
