/**
 * The one error type that rules throw; `platform/http/errors.ts` maps each code to a status. Messages reach the client as
 * `{"detail": message}` (contract, section 1): write them for a person, without internals.
 */
export type ErrorCode =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
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
  /** More members of the answer, beside `detail`. */
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

/** One fault of a request; the shape and the type names are Pydantic v2's (contract, section 1). */
export interface Fault {
  loc: string[];
  msg: string;
  type: string;
}

/** A required field that is absent. */
export const missingFault = (...loc: string[]): Fault => ({ loc, msg: 'Field required', type: 'missing' });
/** A value of the right shape that is not acceptable. */
export const valueFault = (loc: string[], msg: string): Fault => ({ loc, msg, type: 'value_error' });

/** A malformed request: 422 with every fault listed. */
export class ValidationError extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super('The request is not valid');
    this.name = 'ValidationError';
    this.faults = faults;
  }
}

// A single fault that a rule finds in a well-formed request.
export const missing = (...loc: string[]) => new ValidationError([missingFault(...loc)]);
export const invalid = (loc: string[], msg: string) => new ValidationError([valueFault(loc, msg)]);

/** The same words for a missing row and for another tenant's. */
export const notFound = (what: string) => new ServiceError('not_found', `${what} not found`);

/** The value, or 404 where there is none. */
export function found<T>(what: string, value: T): Exclude<T, undefined | null | false> {
  if (value === undefined || value === null || value === false) throw notFound(what);
  return value as Exclude<T, undefined | null | false>;
}

export const conflict = (message: string) => new ServiceError('conflict', message);
export const forbidden = (message: string) => new ServiceError('forbidden', message);
export const unauthenticated = (message = 'Not authenticated') =>
  new ServiceError('unauthenticated', message, { 'www-authenticate': 'Bearer' });

/** Rate-limit headers (specification, section 7.10). `resetSeconds`: until the window ends. */
export const rateLimitHeaders = (limit: number, remaining: number, resetSeconds: number) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetSeconds),
});

/** @param limit adds `rateLimitHeaders`, where the answer does not carry them already */
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
