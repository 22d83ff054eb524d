import pg from 'pg';
import { ServiceError } from '../errors.ts';

/** The database is unreachable, or the connection was lost. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';
  /** False where no connection could be opened. */
  readonly mayHaveRun: boolean;

  constructor(cause: unknown, mayHaveRun: boolean) {
    const { message, code } = cause as NodeJS.ErrnoException;
    // An AggregateError of several addresses has no message.
    super(message || code, { cause });
    this.mayHaveRun = mayHaveRun;
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
  return new DatabaseUnreachable(error, true);
}

/** The same for opening a connection, except class 53 (too many connections), which is temporary. */
export function whyNotConnected(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && error.code?.startsWith('53')) return error;
  return new DatabaseUnreachable(error, false);
}
