/** A statement as it is sent: its text is prepared once under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** A hint that the statement only reads: its text begins with "select". */
  readonly isRead?: boolean;
}

export type Row = Record<string, unknown>;

/** As a parameter: the time of the call, by the clock of the Queryable that runs the statement. */
export const NOW = Symbol('now');

/**
 * A statement with the reader of its rows, as a value: nothing is sent until `q.run(…)`. The reader runs after the commit,
 * so it never refuses; a check that has to stop later statements raises in SQL (`mustExist`).
 */
export class Query<T> implements Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly isRead: boolean;
  readonly read: (rows: readonly Row[]) => T;

  constructor(statement: Statement, read: (rows: readonly Row[]) => T) {
    this.name = statement.name;
    this.text = statement.text;
    this.values = statement.values;
    this.isRead = statement.isRead ?? false;
    this.read = read;
  }

  map<U>(change: (result: T) => U): Query<U> {
    return new Query(this, (rows) => change(this.read(rows)));
  }
}

/** A query whose result is its rows. */
export class RowsQuery<R> extends Query<R[]> {
  /** The first row, or undefined where there is none. */
  first(): Query<R | undefined> {
    return new Query(this, (rows) => rows[0] as R | undefined);
  }

  /** The one row of a statement that always returns one, such as an aggregate or an insert. */
  one(): Query<R> {
    return new Query(this, (rows) => rows[0] as R);
  }

  /** True where there is a row. */
  exists(): Query<boolean> {
    return new Query(this, (rows) => rows.length > 0);
  }

  /** Changes each row. */
  each<U>(change: (row: R) => U): Query<U[]> {
    return new Query(this, (rows) => rows.map((row) => change(row as R)));
  }
}

/** Queries by name. Names must not be numbers, whose order objects do not keep. */
export type NamedQueries = Readonly<Record<string, Query<unknown>>>;

/** The queries' results, by position or name. */
export type Results<Queries extends readonly Query<unknown>[] | NamedQueries> = {
  [Index in keyof Queries]: Queries[Index] extends Query<infer T> ? T : never;
};

/** A constant piece of SQL, such as a column list, that several statements share. Never holds a value. */
class Fragment {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

interface Compiled extends Pick<Statement, 'name' | 'text' | 'isRead'> {
  /** The text of each interpolated fragment, at its index. */
  fragments: readonly (string | undefined)[];
}

/** Each template in the code is compiled once, to one prepared-statement name. */
const compiled = new WeakMap<TemplateStringsArray, Compiled>();
let statementCount = 0;

function compile(strings: TemplateStringsArray, values: readonly unknown[]): Compiled {
  let text = strings[0] ?? '';
  let position = 0;
  values.forEach((value, index) => {
    text += value instanceof Fragment ? value.text : `$${++position}`;
    text += strings[index + 1] ?? '';
  });
  const fragments = values.map((value) => (value instanceof Fragment ? value.text : undefined));
  const isRead = text.trimStart().startsWith('select');
  const entry = { name: `s${++statementCount}`, text, isRead, fragments };
  compiled.set(strings, entry);
  return entry;
}

const asRows = (rows: readonly Row[]) => rows as Row[];

/**
 * A query whose interpolated values are parameters: sql<Row>`select … where id = ${id}`.
 * Fragments are inlined. A template must always have the same fragments, because it is prepared once; others throw.
 */
export function sql<R = Record<string, never>>(
  strings: TemplateStringsArray,
  ...values: readonly unknown[]
): RowsQuery<R> {
  const { name, text, isRead, fragments } = compiled.get(strings) ?? compile(strings, values);
  const parameters = values.filter((value, index) => {
    if (!(value instanceof Fragment)) return true;
    if (value.text !== fragments[index])
      throw new TypeError(`A fragment differs from the one that was prepared: ${fragments[index]}`);
    return false;
  });
  return new RowsQuery({ name, text, isRead, values: parameters }, asRows as never);
}

/** SQL for a time in the contract's form (section 1), in the session's zone, which is UTC. */
export const wireTime = (expression: string) => `to_char(${expression}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const fragment = (text: string) => new Fragment(text);

/** A value for a jsonb parameter. (The driver would write a JavaScript array as a PostgreSQL array.) */
export const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);
