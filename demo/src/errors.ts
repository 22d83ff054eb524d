/** An expected failure, printed in one line without a stack. */
export class DemoError extends Error {}

/** The reason of a network failure: a code like ECONNREFUSED if there is one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return 'code' in cause ? String(cause.code) : cause.message;
}
