/** The embedded PostgreSQL cannot be found, created or started. The message is one line for the operator. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The `code` of a Node system error (`ENOENT`, `EEXIST`, …) or of a PostgreSQL error (`3D000`). */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
