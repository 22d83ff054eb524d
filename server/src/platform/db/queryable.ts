import type { Statement } from './sql.ts';

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
