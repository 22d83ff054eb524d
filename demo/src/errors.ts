/** Something that a person can mend or has done: told in one line, without a stack. */
export class DemoError extends Error {}

/** What a request that failed on its way failed with: a code like ECONNREFUSED where there is one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return 'code' in cause ? String(cause.code) : cause.message;
}
