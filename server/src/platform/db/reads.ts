import pg from 'pg';
import { type Row, type Statement, sql } from './sql.ts';

/** Reads of up to so many callers form one transaction, because a transaction and a wake-up for each cost more. */
const READS_TOGETHER = 16;
/**
 * A group of READS_AT_ONCE goes at once while fewer than GROUPS_AHEAD groups are under way, so the database works while
 * the service parses the other requests of the same event-loop turn.
 */
const READS_AT_ONCE = 4;
const GROUPS_AHEAD = 2;
/** A read that made others wait goes alone for so long. */
const ALONE_FOR_MS = 10_000;
const SLOW_MS = 100;

/** Statements of one caller, and on whose behalf they run. */
export interface Call {
  /** Empty for the service itself. */
  tenant_id: string;
  statements: readonly Statement[];
  /** True where we forbid it to write. */
  isReadOnly?: boolean;
}

/** One caller's reads. */
interface Read extends Call {
  resolve: (results: Row[][]) => void;
  reject: (error: unknown) => void;
}

/**
 * A statement that only looks like a read fails then (25006), and is run alone. One that waits for a lock, or takes long,
 * fails before the others of the group notice.
 */
const readOnly = () => sql`
  select where set_config('transaction_read_only', 'on', true) is null
            or set_config('lock_timeout', '100ms', true) is null
            or set_config('statement_timeout', '1s', true) is null`;

const TIMED_OUT = ['55P03', '57014'];

/** The kind of a call: calls of one kind wait for the same tables. */
export const kindOf = ({ tenant_id, statements }: Call): string =>
  `${tenant_id}/${statements.at(-1)?.name ?? ''}`;

/** Lets reads of several callers share a transaction. */
export class Reads {
  readonly #run: (call: Call) => Promise<Row[][]>;
  #waiting: Read[] = [];
  #groupsUnderWay = 0;
  /** Kinds of reads that made others wait, and until when they go alone. */
  readonly #slow = new Map<string, number>();

  /** @param run runs the statements of one call, all or none */
  constructor(run: (call: Call) => Promise<Row[][]>) {
    this.#run = run;
  }

  run(call: Call): Promise<Row[][]> {
    if (this.#isSlow(call)) return this.#run(call);
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.push({ ...call, resolve, reject });
      if (waiting >= READS_AT_ONCE && this.#groupsUnderWay < GROUPS_AHEAD) this.#send();
      // After every request of the same event-loop turn has been parsed.
      else if (waiting === 1) setImmediate(() => this.#send());
    });
  }

  #isSlow(call: Call): boolean {
    if (this.#slow.size === 0) return false;
    const kind = kindOf(call);
    if (performance.now() < (this.#slow.get(kind) ?? Infinity)) return this.#slow.has(kind);
    this.#slow.delete(kind);
    return false;
  }

  #send(): void {
    const reads = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < reads.length; at += READS_TOGETHER) {
      const group = reads.slice(at, at + READS_TOGETHER);
      if (group.length > 1) void this.#together(group);
      else for (const read of group) this.#alone(read);
    }
  }

  async #together(reads: readonly Read[]): Promise<void> {
    this.#groupsUnderWay++;
    try {
      const statements = [readOnly(), ...reads.flatMap((read) => read.statements)];
      const results = await this.#run({ tenant_id: '', statements, isReadOnly: true });
      let end = 1;
      for (const read of reads) read.resolve(results.slice(end, (end += read.statements.length)));
    } catch (error) {
      // Nothing was done. Run alone, the faulty caller fails by itself; a lost connection fails all.
      if (error instanceof pg.DatabaseError && TIMED_OUT.includes(error.code ?? ''))
        for (const read of reads) void this.#timed(read);
      else if (error instanceof pg.DatabaseError || error instanceof TypeError)
        for (const read of reads) this.#alone(read);
      else for (const { reject } of reads) reject(error);
    } finally {
      this.#groupsUnderWay--;
    }
  }

  #alone(read: Read): void {
    this.#run(read).then(read.resolve, read.reject);
  }

  /** Alone, and alone from now on where it was the one that took long. */
  async #timed(read: Read): Promise<void> {
    const until = performance.now() + ALONE_FOR_MS;
    const isSlow = setTimeout(() => this.#slow.set(kindOf(read), until), SLOW_MS).unref();
    await this.#run(read).then(read.resolve, read.reject);
    clearTimeout(isSlow);
  }
}
