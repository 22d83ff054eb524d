/** Something that a person can mend or has done: told in one line, without a stack. */
export class DemoError extends Error {}

/** What a request that failed on its way failed with: `ECONNREFUSED`, else the name of the error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}
