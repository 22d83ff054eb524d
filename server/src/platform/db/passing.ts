import pg from 'pg';
import { ServiceError } from '../errors.ts';
import { DatabaseUnreachable } from './unreachable.ts';

/**
 * Classes of SQLSTATE that nothing but a change of settings, rights or code ends: 28 a wrong password or login, 3D no such
 * database, 42 missing rights and wrong statements, 0A, 0L and 0P what the server or the role does not allow, and 22, 23 and
 * P0 what a migration finds in the rows.
 */
const LASTS = /^(?:28|3D|42|0A|0L|0P|22|23|P0)/;
/** A file that a setting names, such as sslrootcert. */
const OF_FILES = new Set(['open', 'read']);

const isWrongSetting = (error: Error): boolean =>
  error instanceof TypeError ||
  // A password that is missing or empty.
  error.message.startsWith('SASL: ') ||
  OF_FILES.has((error as NodeJS.ErrnoException).syscall ?? '');

/**
 * True for a failure of the database that may be over by itself: it is away, starts, recovers, takes no writes, has no room or
 * no connection to spare, does not know its name yet, or has another certificate than it will have. Everything else lasts.
 */
export function passes(error: unknown): boolean {
  let isOfDatabase = false;
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof pg.DatabaseError) return !LASTS.test(at.code ?? '');
    if (isWrongSetting(at)) return false;
    isOfDatabase ||= at instanceof DatabaseUnreachable || isMomentary(at);
  }
  return isOfDatabase;
}

/** The pool had no connection to give. */
const isMomentary = (error: Error): boolean => error instanceof ServiceError && error.code === 'unavailable';
