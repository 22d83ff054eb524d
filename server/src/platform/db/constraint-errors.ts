import pg from 'pg';
import { conflict, forbidden, rateLimited, ServiceError, ValidationError } from '../errors.ts';
import { tooLong } from '../json/document-limit.ts';

/** True for a unique violation, of `constraint` if given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, '23505') && (constraint === undefined || error.constraint === constraint);
}

/** True for a foreign-key violation, of `constraint` if given. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isDatabaseError(error, '23503') && (constraint === undefined || error.constraint === constraint);
}

export const isCheckViolation = (error: unknown): boolean => isDatabaseError(error, '23514');

/** True if the database refused the data, or found a deadlock: a part of the group may still be accepted. */
export function isRefusedContent(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(?:22|23|40|54|P0)/.test(error.code ?? '');
}

function isDatabaseError(error: unknown, code: string): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === code;
}

/** Deletions free room at any time. */
const MAY_HAVE_ROOM_IN_SECONDS = 60;

/** Turns a check raised in SQL (checks.sql) into the error that a rule would throw. */
export function orRefused(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  if (error.code === 'AC403') return forbidden(error.message);
  if (error.code === 'AC404') return new ServiceError('not_found', error.message);
  if (error.code === 'AC409') return conflict(error.message);
  if (error.code === 'AC429') return rateLimited(MAY_HAVE_ROOM_IN_SECONDS, error.message);
  if (error.code === 'ACPAG') return new ValidationError([tooLong(['query', 'per_page'], error.message)]);
  if (error.code === 'AC422') return new ValidationError([tooLong(['body'], error.message)]);
  return error;
}
