import pg from 'pg';
import { ServiceError } from '../errors.ts';

/** The database is unreachable, or the connection was lost; the statement may have been executed. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';

  constructor(cause: unknown) {
    const { message, code } = cause as NodeJS.ErrnoException;
    // An AggregateError of several addresses has no message.
    super(message || code, { cause });
  }
}

/**
 * Maps connection errors to DatabaseUnreachable: class 08, 57P (server stops or starts), 25P03 and 25P04 (the
 * transaction idled or ran too long). A TypeError is a value that cannot be sent.
 */
export function orUnreachable(error: unknown): unknown {
  if (error instanceof DatabaseUnreachable || error instanceof TypeError) return error;
  // The caller timed out before anything was sent.
  if (error instanceof ServiceError) return error;
  if (error instanceof pg.DatabaseError && !/^(?:08|57P|25P0[34])/.test(error.code ?? '')) return error;
  return new DatabaseUnreachable(error);
}

/** The same for opening a connection, except class 53 (too many connections), which is temporary. */
export function whyNotConnected(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && error.code?.startsWith('53')) return error;
  return new DatabaseUnreachable(error);
}
