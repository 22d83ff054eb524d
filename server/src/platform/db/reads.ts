import pg from 'pg';
import type { Call, Pool } from './pool.ts';
import { type Row, sql } from './sql.ts';

/** Largest group. */
const MAX_TOGETHER = 16;
/** After a group failed, its kind runs alone for this long. */
const ALONE_FOR_MS = 10_000;

interface Read extends Call {
  resolve: (results: Row[][]) => void;
  reject: (error: unknown) => void;
}

/** Fails a group early in which a read writes, waits for a lock or is slow. */
const guard = () => sql`
  select where set_config('transaction_read_only', 'on', true) is null
            or set_config('statement_timeout', '250ms', true) is null`;

/**
 * Groups reads of one statement that arrive in the same turn of the event loop into one transaction, which saves PostgreSQL
 * and the service a transaction and two wake-ups for each. A slow read does not slow the others for long: a group that waits
 * for a lock or works for 250 ms fails, each of its reads runs again alone, and so do later reads of the statement for 10 s.
 */
export class Reads {
  readonly #pool: Pool;
  readonly #waiting = new Map<string, Read[]>();
  /** Kinds that run alone, and until when. */
  readonly #apart = new Map<string, number>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  run(call: Call): Promise<Row[][]> {
    if (this.#isApart(call.kind)) return this.#pool.run(call);
    return new Promise((resolve, reject) => {
      const read = { ...call, resolve, reject };
      const group = this.#waiting.get(call.kind);
      if (group && group.length < MAX_TOGETHER) {
        group.push(read);
      } else {
        const next = [read];
        this.#waiting.set(call.kind, next);
        setImmediate(() => this.#send(call.kind, next));
      }
    });
  }

  #isApart(kind: string): boolean {
    if (this.#apart.size === 0) return false;
    const until = this.#apart.get(kind) ?? 0;
    if (performance.now() < until) return true;
    this.#apart.delete(kind);
    return false;
  }

  #send(kind: string, reads: Read[]): void {
    if (this.#waiting.get(kind) === reads) this.#waiting.delete(kind);
    if (reads.length > 1) void this.#together(kind, reads);
    else for (const read of reads) this.#alone(read);
  }

  async #together(kind: string, reads: readonly Read[]): Promise<void> {
    const statements = [guard(), ...reads.flatMap((read) => read.statements)];
    try {
      const results = await this.#pool.use({ tenant_id: '', kind }, (session) =>
        session.run(statements, { isReadOnly: true }),
      );
      let end = 1;
      for (const read of reads) read.resolve(results.slice(end, (end += read.statements.length)));
    } catch (error) {
      // Nothing was changed. Each runs again alone, so only the faulty one fails; a lost connection fails all.
      if (error instanceof pg.DatabaseError || error instanceof TypeError) {
        this.#apart.set(kind, performance.now() + ALONE_FOR_MS);
        for (const read of reads) this.#alone(read);
      } else for (const { reject } of reads) reject(error);
    }
  }

  #alone(read: Read): void {
    this.#pool.run(read).then(read.resolve, read.reject);
  }
}
