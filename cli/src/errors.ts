/** See README.md. */
export const EXIT = {
  ok: 0,
  /** A negative result: files differ, a chain is broken, a deploy failed. */
  no: 1,
  usage: 2,
  unauthorized: 3,
  notFound: 4,
  conflict: 5,
  server: 6,
  fault: 70,
  interrupted: 130,
  terminated: 143,
} as const;

/** Printed in a few lines without a stack. */
export class CliError extends Error {
  readonly code: number;
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

export const negativeResult = (message: string, hint?: string) => new CliError(EXIT.no, message, hint);
