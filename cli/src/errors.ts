/** Exit codes; see README.md. */
export const EXIT = {
  ok: 0,
  /** A negative result: files differ, a chain is broken, a deploy failed. */
  no: 1,
  usage: 2,
  unauthorized: 3,
  notFound: 4,
  conflict: 5,
  server: 6,
  /** A bug in agentctl. */
  fault: 70,
  interrupted: 130,
  terminated: 143,
} as const;

/** An expected failure, printed in a few lines without a stack. */
export class CliError extends Error {
  readonly code: number;
  /** A suggestion for the person. */
  readonly hint: string | undefined;

  constructor(code: number, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** A failure (`cause`) at one of several documents. */
export class FailureAt extends Error {
  readonly where: string;

  constructor(where: string, cause: unknown) {
    super(where, { cause });
    this.where = where;
  }
}

export const usageError = (message: string, hint?: string) => new CliError(EXIT.usage, message, hint);

/** The command ran, and its result is negative. */
export const saysNo = (message: string, hint?: string) => new CliError(EXIT.no, message, hint);
