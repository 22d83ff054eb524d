import { serialize } from 'pg-protocol';
import type { Row, Statement } from './sql.ts';
import { parserOf, toText } from './values.ts';

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

/** A session's prepared statements and their columns, by name. Bounded by the number of sql`` templates. */
export type Prepared = Map<string, readonly Column[]>;

/** The pending reply of a statement. */
interface Answer {
  name: string;
  /** undefined: the reply describes them, before the rows. */
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
  readonly #statements: readonly Statement[];
  readonly #prepared: Prepared;
  #answers: Answer[] = [];
  #results: Row[][] = [];
  #rows: Row[] = [];
  #resolve!: (results: Row[][]) => void;
  #reject!: (error: Error) => void;

  /** @param prepared the session's; the batch adds to it */
  constructor(statements: readonly Statement[], prepared: Prepared) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit({ stream }: ProtocolConnection): Error | null {
    const messages: Buffer[] = [];
    const parsed = new Set<string>();
    try {
      for (const { name, text, values } of this.#statements) {
        const columns = this.#prepared.get(name);
        if (!columns && !parsed.has(name)) {
          // A failed batch may have left the name, which Parse refuses. Close accepts unknown names.
          messages.push(serialize.close({ type: 'S', name }), serialize.parse({ name, text }));
          parsed.add(name);
        }
        messages.push(serialize.bind({ statement: name, values: values.map(toText) }));
        if (!columns) messages.push(serialize.describe({ type: 'P', name: '' }));
        messages.push(serialize.execute());
        this.#answers.push({ name, columns });
      }
    } catch (error) {
      // Send nothing: the statements before the invalid value would commit.
      return error as Error;
    }
    messages.push(serialize.sync());
    stream.write(Buffer.concat(messages));
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
    this.#prepared.set(name, columns);
    this.#results.push(this.#rows);
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#results);
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
