/**
 * The only error type of rules; `platform/http/errors.ts` maps codes to statuses. Messages reach the client as
 * `{"detail": message}` (contract, section 1): write them for people, without internals.
 */
export type ErrorCode =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'internal'
  | 'bad_gateway'
  | 'unavailable';

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the body besides `detail`. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    headers: Record<string, string> = {},
    members: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
    this.headers = headers;
    this.members = members;
  }
}

/** Pydantic v2's shape and type names (contract, section 1). */
export interface Fault {
  loc: string[];
  msg: string;
  type: string;
}

export const missingFault = (...loc: string[]): Fault => ({ loc, msg: 'Field required', type: 'missing' });
/** A value of the right shape that is not acceptable. */
export const valueFault = (loc: string[], msg: string): Fault => ({ loc, msg, type: 'value_error' });

/** 422 with all errors of the request. */
export class ValidationError extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super('The request is not valid');
    this.name = 'ValidationError';
    this.faults = faults;
  }
}

// Single errors that rules find in well-formed requests.
export const missing = (...loc: string[]) => new ValidationError([missingFault(...loc)]);
export const invalid = (loc: string[], msg: string) => new ValidationError([valueFault(loc, msg)]);

/** The same text for a missing row and another tenant's. */
export const notFound = (what: string) => new ServiceError('not_found', `${what} not found`);

/** 404 without a value. */
export function found<T>(what: string, value: T): Exclude<T, undefined | null | false> {
  if (value === undefined || value === null || value === false) throw notFound(what);
  return value as Exclude<T, undefined | null | false>;
}

export const conflict = (message: string) => new ServiceError('conflict', message);
export const forbidden = (message: string) => new ServiceError('forbidden', message);
export const unauthenticated = (message = 'Not authenticated') =>
  new ServiceError('unauthenticated', message, { 'www-authenticate': 'Bearer' });

/** Specification, section 7.10. `resetSeconds`: until the window ends. */
export const rateLimitHeaders = (limit: number, remaining: number, resetSeconds: number) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetSeconds),
});

/** @param limit adds `rateLimitHeaders`, unless the response already has them */
export const rateLimited = (
  retryAfterSeconds: number,
  message = 'Rate limit exceeded',
  limit?: number,
): ServiceError => {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return new ServiceError('rate_limited', message, {
    'retry-after': String(seconds),
    ...(limit !== undefined && rateLimitHeaders(limit, 0, seconds)),
  });
};

/** 503 for a momentary overload. */
export const tryAgain = (message: string) => new ServiceError('unavailable', message, { 'retry-after': '1' });
