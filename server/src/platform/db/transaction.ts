import type pg from 'pg';
import { Batch } from './batch.ts';
import { orRefused } from './constraint-errors.ts';
import type { Scope, Tx } from './queryable.ts';
import { type Rows, Scoped, setScope } from './scoped.ts';
import { type Statement, sql } from './sql.ts';
import { answered } from './timeouts.ts';
import { orUnreachable } from './unreachable.ts';

const begin = () => sql`begin`;

/** A transaction on a connection of its own; BEGIN and the scope travel with its first statement. */
export class ClientTx extends Scoped implements Tx {
  readonly #client: pg.PoolClient;
  readonly #answerWithinMs: number;
  #pending: Statement[];
  #begun = false;

  /** @param now the transaction's time */
  constructor(client: pg.PoolClient, scope: Scope, now: Date, answerWithinMs: number) {
    super(
      scope,
      () => now,
      (statements) => this.#run(statements),
    );
    this.#client = client;
    this.#answerWithinMs = answerWithinMs;
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
    if (!this.#begun) return;
    const { command } = await this.#answered(this.#client.query('commit'));
    // PostgreSQL answers ROLLBACK to a commit after a failed statement.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back by an earlier failure');
  }

  async #run(statements: readonly Statement[]): Promise<Rows[]> {
    const pending = this.#pending;
    this.#pending = [];
    this.#begun = true;
    return (await this.#answered(run(this.#client, [...pending, ...statements]))).slice(pending.length);
  }

  #answered<T>(answer: Promise<T>): Promise<T> {
    return answered(this.#client, this.#answerWithinMs, answer).catch(raise);
  }
}

function raise(error: unknown): never {
  throw orRefused(orUnreachable(error));
}

function run(client: pg.PoolClient, statements: readonly Statement[]): Promise<Rows[]> {
  const batch = new Batch(statements);
  client.query(batch as unknown as pg.Submittable);
  return batch.done;
}
