import pg from 'pg';
import { conflict, ServiceError } from '../errors.ts';

/** True when `error` is the database refusing a second row for `constraint`, or for any. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, '23505') && (constraint === undefined || error.constraint === constraint);
}

/** True when `error` is the database refusing a reference to a row that is not there, or the end of one that is named. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, '23503') && (constraint === undefined || error.constraint === constraint);
}

/** True when `error` is the database refusing what is longer than `constraint` lets it be. */
export function isTooLong(error: unknown, constraint: string): boolean {
  return isDatabaseError(error, '22001') && error.constraint === constraint;
}

/**
 * True when `error` is the database refusing what it was given (data, a constraint, a limit, a trigger) or giving way
 * to somebody else (a deadlock), so that a part of it may yet be taken.
 */
export function isRefusedContent(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(?:22|23|40|54|P0)/.test(error.code ?? '');
}

function isDatabaseError(error: unknown, code: string): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === code;
}

/** Checks of our own SQL (0032_checks.sql) as the errors that rules throw; every other error as it is. */
export function orRefused(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  if (error.code === 'AC404') return new ServiceError('not_found', error.message);
  if (error.code === 'AC409') return conflict(error.message);
  return error;
}
