/** One SQL statement with its parameters. `Row` is what a row of its result looks like. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** A hint: it begins with "select", so most likely nothing has to reach the disk for it. */
  readonly isRead?: boolean;
  /** Never present; carries the row type for inference. */
  readonly row?: Row;
}

/** A constant piece of SQL, such as a column list, that several statements share. Never holds a value. */
class Fragment {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Compiled = Pick<Statement<unknown>, 'name' | 'text' | 'isRead'>;

/** Each place in the code is compiled once and gets one prepared-statement name. */
const compiled = new WeakMap<TemplateStringsArray, Compiled>();
let statementCount = 0;

function compile(strings: TemplateStringsArray, values: readonly unknown[]): Compiled {
  let text = strings[0] ?? '';
  let position = 0;
  values.forEach((value, index) => {
    text += value instanceof Fragment ? value.text : `$${++position}`;
    text += strings[index + 1] ?? '';
  });
  const entry = { name: `s${++statementCount}`, text, isRead: text.trimStart().startsWith('select') };
  compiled.set(strings, entry);
  return entry;
}

/**
 * A statement whose interpolated values are parameters: sql<Row>`select … where id = ${id}`.
 * Fragments are inlined and have to be the same constant at every call of one place.
 */
export function sql<Row = Record<string, never>>(
  strings: TemplateStringsArray,
  ...values: readonly unknown[]
): Statement<Row> {
  const { name, text, isRead } = compiled.get(strings) ?? compile(strings, values);
  return { name, text, isRead, values: values.filter((value) => !(value instanceof Fragment)) };
}

/** SQL for a time in the contract's form (section 1), in the session's zone, which is UTC. */
export const wireTime = (expression: string) => `to_char(${expression}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Statements whose text comes from elsewhere, by their text; each has to be one of a few. */
const given = new Map<string, string>();

/** A statement that a library wrote: the same text is prepared once. */
export function givenSql<Row>(text: string, values: readonly unknown[]): Statement<Row> {
  let name = given.get(text);
  if (name === undefined) given.set(text, (name = `s${++statementCount}`));
  return { name, text, values };
}

export const fragment = (text: string) => new Fragment(text);

/** A value for a jsonb parameter. (The driver would write a JavaScript array as a PostgreSQL array.) */
export const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);
