import pg from 'pg';
import type { Statement } from './sql.ts';
import { parserOf } from './types.ts';

/** The part of pg's Connection that speaks the extended protocol (@types/pg leaves most of it out). */
interface ProtocolConnection {
  stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string; types: number[] }): void;
  bind(message: { portal: string; statement: string; values: unknown[] }): void;
  describe(message: { type: 'P' | 'S'; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  close(message: { type: 'P' | 'S'; name: string }): void;
  sync(): void;
}

interface RowDescription {
  fields: { name: string; dataTypeID: number }[];
}

interface Column {
  name: string;
  parse: (text: string) => unknown;
}

type Row = Record<string, unknown>;

/** Which statements each connection has prepared. Bounded by the number of places in the code that say sql``. */
const preparedOn = new WeakMap<ProtocolConnection, Set<string>>();

/**
 * Several statements before one Sync: one network round trip and, by protocol, one implicit transaction, so a
 * set_config(…, true) in the first holds for the others and ends with them. A failure in any undoes all.
 * A pg "Submittable" (like pg-cursor): pg calls submit() when the connection is free and then hands over the replies.
 */
export class Batch {
  readonly done: Promise<Row[][]>;
  readonly #statements: readonly Statement<unknown>[];
  readonly #results: Row[][] = [];
  readonly #fresh: string[] = [];
  #columns: Column[] = [];
  #rows: Row[] = [];
  #resolve!: (rows: Row[][]) => void;
  #reject!: (error: Error) => void;
  #failed = false;

  constructor(statements: readonly Statement<unknown>[]) {
    this.#statements = statements;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: ProtocolConnection): Error | null {
    let values: unknown[][];
    try {
      // Before anything is sent: a value that cannot be written must not leave the earlier statements to commit.
      values = this.#statements.map((statement) => statement.values.map(toText));
    } catch (error) {
      return error as Error;
    }
    let prepared = preparedOn.get(connection);
    if (!prepared) preparedOn.set(connection, (prepared = new Set()));
    connection.stream.cork();
    try {
      for (const [index, { name, text }] of this.#statements.entries()) {
        if (!prepared.has(name)) {
          // Closing a name that is not there is no error; one left by a batch that failed later is.
          connection.close({ type: 'S', name });
          connection.parse({ name, text, types: [] });
          prepared.add(name);
          this.#fresh.push(name);
        }
        connection.bind({ portal: '', statement: name, values: values[index] ?? [] });
        connection.describe({ type: 'P', name: '' });
        connection.execute({ portal: '', rows: 0 });
      }
    } finally {
      connection.sync();
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription(message: RowDescription): void {
    this.#columns = message.fields.map((field) => ({ name: field.name, parse: parserOf(field.dataTypeID) }));
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    const row: Row = {};
    for (const [index, column] of this.#columns.entries()) {
      const text = message.fields[index];
      row[column.name] = text === null || text === undefined ? null : column.parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {
    this.#results.push(this.#rows);
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handlePortalSuspended(): void {}

  handleError(error: Error, connection?: ProtocolConnection): void {
    this.#failed = true;
    const prepared = connection && preparedOn.get(connection);
    if (prepared) {
      for (const name of this.#fresh) prepared.delete(name);
      // 0A000 "cached plan must not change result type", 26000 "no such statement": prepare anew next time.
      if (error instanceof pg.DatabaseError && (error.code === '0A000' || error.code === '26000'))
        prepared.clear();
    }
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    if (!this.#failed) this.#resolve(this.#results);
  }
}

function toText(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return arrayLiteral(value);
  throw new TypeError('An object as a parameter has to be passed through json()');
}

function arrayLiteral(items: readonly unknown[]): string {
  const parts = items.map((item) => {
    const text = toText(item);
    if (text === null) return 'NULL';
    if (Buffer.isBuffer(text)) return `"\\\\x${text.toString('hex')}"`;
    return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  });
  return `{${parts.join(',')}}`;
}
