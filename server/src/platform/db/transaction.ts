import type pg from 'pg';
import { Batch } from './batch.ts';
import { Batching, type Rows, setScope } from './batching.ts';
import type { Scope, Tx } from './queryable.ts';
import { type Statement, sql } from './sql.ts';
import { answered } from './timeouts.ts';
import { orUnreachable } from './unreachable.ts';

const begin = () => sql`begin`;

/** A transaction on a connection of its own; BEGIN and the scope travel with its first statement. */
export class ClientTx extends Batching implements Tx {
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
