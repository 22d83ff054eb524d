import { orRefused } from './constraint-errors.ts';
import type { Scope, TenantTx } from './queryable.ts';
import { type Rows, Scoped, setScope } from './scoped.ts';
import type { Session } from './session.ts';
import { type Statement, sql } from './sql.ts';
import { orUnreachable } from './unreachable.ts';

const begin = () => sql`begin`;
const commit = () => sql`commit`;
const rollback = () => sql`rollback`;

/** A transaction of several batches; BEGIN and the scope travel with its first one. */
export class SessionTx extends Scoped implements TenantTx {
  readonly #session: Session;
  #pending: Statement[];
  #hasBegun = false;
  #hasFailed = false;

  /** @param now the transaction's time */
  constructor(session: Session, scope: Scope, now: Date) {
    super(
      scope,
      () => now,
      (statements) => this.#run(statements),
    );
    this.#session = session;
    this.#pending = [begin(), setScope(scope)];
  }

  /** Empty in the system scope, which sees all tenants. */
  get tenant_id(): string {
    return this.scope.role === 'tenant' ? this.scope.tenant_id : '';
  }

  enter(scope: Scope): void {
    this.scope = scope;
    this.#pending.push(setScope(scope));
  }

  async commit(): Promise<void> {
    // PostgreSQL would roll back silently.
    if (this.#hasFailed) throw new Error('The transaction was rolled back by an earlier failure');
    if (this.#hasBegun) await this.#send([commit()]);
  }

  async rollback(): Promise<void> {
    if (this.#hasBegun) await this.#send([rollback()]);
  }

  async #run(statements: readonly Statement[]): Promise<Rows[]> {
    const pending = this.#pending;
    this.#pending = [];
    this.#hasBegun = true;
    return (await this.#send([...pending, ...statements])).slice(pending.length);
  }

  async #send(statements: readonly Statement[]): Promise<Rows[]> {
    try {
      return await this.#session.run(statements);
    } catch (error) {
      this.#hasFailed = true;
      throw orRefused(orUnreachable(error));
    }
  }
}
