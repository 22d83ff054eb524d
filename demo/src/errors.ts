/** Printed in one line without a stack. */
export class DemoError extends Error {}

/** A code such as ECONNREFUSED, or a message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return 'code' in cause ? String(cause.code) : cause.message;
}
