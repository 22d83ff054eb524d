import pg from 'pg';

/** There is no connection to the database, or it was lost: what was asked of it may have been done. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';

  constructor(cause: unknown) {
    const { message, code } = cause as NodeJS.ErrnoException;
    // Of several addresses that were tried there is no message.
    super(message || code, { cause });
  }
}

/**
 * What failed because there was no connection, told as that; everything else as it is. The server's own words for it
 * are class 08, 57P when it stops, starts or cuts a session off, and 25P03 and 25P04 when a transaction was left alone or
 * open for too long, as by a service that was suspended in it. What is no word of the server’s was said by the
 * connection, but for values that cannot be sent.
 */
export function orUnreachable(error: unknown): unknown {
  if (error instanceof DatabaseUnreachable || error instanceof TypeError) return error;
  if (error instanceof pg.DatabaseError && !/^(?:08|57P|25P0[34])/.test(error.code ?? '')) return error;
  return new DatabaseUnreachable(error);
}

/** Why a connection could not be made; that there are too many (class 53) passes. */
export function whyNotConnected(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && error.code?.startsWith('53')) return error;
  return new DatabaseUnreachable(error);
}
