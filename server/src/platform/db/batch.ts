import pg from 'pg';
import { serialize } from 'pg-protocol';
import type { Row, Statement } from './sql.ts';

/** The part of pg's Connection that a batch uses; @types/pg leaves it out. */
export interface ProtocolConnection {
  stream: { write(bytes: Buffer): unknown; destroy(error?: Error): unknown };
}

interface RowDescription {
  fields: { name: string; dataTypeID: number }[];
}

interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/**
 * Prepared statements of each connection, with their columns once these are known. Bounded by the number of sql``
 * templates in the code.
 */
const preparedOn = new WeakMap<ProtocolConnection, Map<string, readonly Column[] | undefined>>();

/** The reply that a statement of a batch waits for. */
interface Answer {
  name: string;
  /** undefined: requested with the batch; they arrive before the rows. */
  columns: readonly Column[] | undefined;
}

/**
 * Several statements before one Sync: one network round trip and, by protocol, one implicit transaction. So
 * set_config(…, true) in the first statement ends with the batch, and a failure undoes all of it.
 *
 * A pg "Submittable" (like pg-cursor): pg calls submit() when the connection is free and then hands over the replies.
 */
export class Batch {
  readonly done: Promise<Row[][]>;
  /** Called when the last reply of this batch has arrived. */
  onOver: (() => void) | undefined;
  /** The connection had lost a prepared statement or its plan; nothing was done, and a second try may work. */
  isStale = false;
  readonly #statements: readonly Statement[];
  readonly #preparesAll: boolean;
  #answers: Answer[] = [];
  #results: Row[][] = [];
  #rows: Row[] = [];
  #connection: ProtocolConnection | undefined;
  #resolve!: (results: Row[][]) => void;
  #reject!: (error: Error) => void;
  #failed = false;

  /** @param preparesAll also what others that were sent before prepare, because they may fail */
  constructor(statements: readonly Statement[], preparesAll = false) {
    this.#statements = statements;
    this.#preparesAll = preparesAll;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: ProtocolConnection): Error | null {
    if (this.#connection) return null;
    let values: unknown[][];
    try {
      // Before anything is sent: an unserializable value must not leave the earlier statements to commit.
      values = this.#statements.map((statement) => statement.values.map(toText));
    } catch (error) {
      return error as Error;
    }
    this.#connection = connection;
    let prepared = preparedOn.get(connection);
    if (!prepared) preparedOn.set(connection, (prepared = new Map()));
    const messages: Buffer[] = [];
    for (const [index, { name, text }] of this.#statements.entries()) {
      if (this.#preparesAll || !prepared.has(name)) {
        // Close is no error for an unknown name, but Parse is one for a name that a failed batch left.
        messages.push(serialize.close({ type: 'S', name }), serialize.parse({ name, text }));
        prepared.set(name, undefined);
      }
      const columns = prepared.get(name);
      messages.push(serialize.bind({ statement: name, values: values[index] ?? [] }));
      if (!columns) messages.push(serialize.describe({ type: 'P', name: '' }));
      messages.push(serialize.execute());
      this.#answers.push({ name, columns });
    }
    messages.push(serialize.sync());
    connection.stream.write(Buffer.concat(messages));
    return null;
  }

  handleRowDescription(message: RowDescription): void {
    const answer = this.#answers[this.#results.length];
    if (answer) answer.columns = message.fields.map(columnOf);
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    const { columns = [] } = this.#answers[this.#results.length] ?? {};
    this.#rows.push(rowOf(columns, message.fields));
  }

  handleCommandComplete(): void {
    const { name = '', columns = [] } = this.#answers[this.#results.length] ?? {};
    // A failure may have made the connection forget the statement meanwhile.
    const prepared = this.#connection && preparedOn.get(this.#connection);
    if (prepared?.has(name)) prepared.set(name, columns);
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
    // 0A000 "cached plan must not change result type", 26000 "no such statement": prepare anew next time.
    this.isStale = error instanceof pg.DatabaseError && (error.code === '0A000' || error.code === '26000');
    if (this.isStale) prepared?.clear();
    // Statements behind the failure were not prepared. Those before it are prepared twice at worst.
    for (const { name } of this.#answers.slice(this.#results.length)) prepared?.delete(name);
    this.#reject(error);
    this.onOver?.();
  }

  handleReadyForQuery(): void {
    if (this.#failed) return;
    this.#resolve(this.#results);
    this.onOver?.();
  }

  /** A copy that was not sent yet. */
  again(): Batch {
    return new Batch(this.#statements, true);
  }
}

const columnOf = ({ name, dataTypeID }: RowDescription['fields'][number]): Column => ({
  name,
  parse: parserOf(dataTypeID),
});

function rowOf(columns: readonly Column[], fields: (string | null)[]): Row {
  const row: Row = {};
  for (const [index, column] of columns.entries()) {
    const text = fields[index];
    row[column.name] = text === null || text === undefined ? null : column.parse(text);
  }
  return row;
}

const { builtins } = pg.types;

const asNumber = (text: string) => Number(text);
const asText = (text: string) => text;

/**
 * Parsers by column type, where they differ from pg's: a date stays text, int8 becomes a number (no count or size of ours
 * passes 2^53), numeric stays exact text. timestamptz is a Date, as pg has it.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.DATE, asText],
  [builtins.INT8, asNumber],
  [builtins.NUMERIC, asText],
]);

function parserOf(typeId: number): (text: string) => unknown {
  let parser = parsers.get(typeId);
  if (!parser) {
    parser = pg.types.getTypeParser(typeId, 'text') as (text: string) => unknown;
    parsers.set(typeId, parser);
  }
  return parser;
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
