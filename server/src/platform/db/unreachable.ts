import pg from 'pg';
import { ServiceError } from '../errors.ts';

/** The database could not be reached, or the connection was lost; the statement may have been carried out. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';

  constructor(cause: unknown) {
    const { message, code } = cause as NodeJS.ErrnoException;
    // An AggregateError of several addresses has no message.
    super(message || code, { cause });
  }
}

/**
 * Maps errors of the connection to DatabaseUnreachable and leaves all others. The server reports a lost session as class
 * 08, as 57P when it stops or starts, and as 25P03 or 25P04 when a transaction idled too long. A TypeError is a value
 * that cannot be sent.
 */
export function orUnreachable(error: unknown): unknown {
  if (error instanceof DatabaseUnreachable || error instanceof TypeError) return error;
  // Nothing was sent: the caller waited for a connection for too long.
  if (error instanceof ServiceError) return error;
  if (error instanceof pg.DatabaseError && !/^(?:08|57P|25P0[34])/.test(error.code ?? '')) return error;
  return new DatabaseUnreachable(error);
}

/** The same for opening a connection; class 53 (too many connections) is left as it is, because it passes. */
export function whyNotConnected(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && error.code?.startsWith('53')) return error;
  return new DatabaseUnreachable(error);
}
