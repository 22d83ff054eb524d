import pg from 'pg';
import { ServiceError } from '../errors.ts';
import { DatabaseUnreachable } from './unreachable.ts';

/**
 * Classes of SQLSTATE that nothing but a change of settings, rights or code ends: 28 a wrong password or login, 3D no such
 * database, 42 missing rights and wrong statements, 0A, 0L and 0P what the server or the role does not allow, and 22, 23 and
 * P0 what a migration finds in the rows.
 */
const LASTS = /^(?:28|3D|42|0A|0L|0P|22|23|P0)/;
/** A file that a setting names, such as sslrootcert, is not there, not readable or a directory. */
const FILE_ERRORS = new Set(['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR']);

const isWrongSetting = (error: Error): boolean =>
  error instanceof TypeError ||
  // A password that is missing or empty.
  error.message.startsWith('SASL: ') ||
  isFileError(error);

/** A connection that is reset has the system call `read` as well. */
const isFileError = ({ syscall, code }: NodeJS.ErrnoException): boolean =>
  (syscall === 'open' || syscall === 'read') && FILE_ERRORS.has(code ?? '');

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
