/** What a command ends with; see README.md. */
export const EXIT = {
  ok: 0,
  /** The answer is no: files differ, a chain is broken, a deploy failed. */
  no: 1,
  usage: 2,
  unauthorized: 3,
  notFound: 4,
  conflict: 5,
  server: 6,
  /** A fault of agentctl's own. */
  fault: 70,
  interrupted: 130,
  terminated: 143,
} as const;

/** Something that a person can mend or wanted to know: told in a few lines, without a stack. */
export class CliError extends Error {
  readonly code: number;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(code: number, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** A failure at one of several things that were asked for; its cause says which failure. */
export class FailureAt extends Error {
  readonly where: string;

  constructor(where: string, cause: unknown) {
    super(where, { cause });
    this.where = where;
  }
}

export const usageError = (message: string, hint?: string) => new CliError(EXIT.usage, message, hint);

/** The command was carried out, and the answer is no. */
export const saysNo = (message: string, hint?: string) => new CliError(EXIT.no, message, hint);
