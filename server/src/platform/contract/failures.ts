import type { DeclaredFailure, Operation } from './operation.ts';
import { failureHeaders } from './response-headers.ts';
import { Detail, ValidationError } from './shapes.ts';

type Failure = DeclaredFailure | 415 | 422;

/** Names from RFC 9110 and 6585. */
const texts: Readonly<Record<Failure, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'The request cannot be carried out as it stands'],
  401: ['Unauthorized', 'No valid credential'],
  403: [
    'Forbidden',
    'The role or the scope is missing, or a limit of the tenant is reached; the message says which',
  ],
  404: ['NotFound', 'Not there, or not yours'],
  406: ['NotAcceptable', 'Accept does not name the content types that are answered with'],
  409: ['Conflict', 'The state does not allow it'],
  412: ['PreconditionFailed', 'The state has moved on'],
  413: ['ContentTooLarge', 'Too large'],
  415: ['UnsupportedMediaType', 'The body is not application/json'],
  422: ['UnprocessableContent', 'The request is not valid; every fault is listed'],
  429: ['TooManyRequests', 'Rate limit exceeded; see Retry-After'],
  500: ['InternalServerError', 'Internal error'],
  502: ['BadGateway', 'A service behind this one failed'],
  503: ['ServiceUnavailable', 'Not available at the moment'],
};

/** The declared failures and those that follow from the declaration. */
export function failuresOf(operation: Operation): Failure[] {
  const failures = new Set<Failure>(operation.failures);
  if (operation.credential !== 'none') failures.add(401);
  if (['tenant', 'admin', 'admin_user', 'user'].includes(operation.credential)) failures.add(403);
  if (operation.protectedBy || typeof operation.sender === 'object') failures.add(403);
  // API keys on a user's route are counted before they are refused; so are requests of a login.
  if (['tenant', 'admin', 'admin_user', 'user', 'optional_user'].includes(operation.credential))
    failures.add(429);
  // Runtimes are limited, and guesses at the operations token are throttled.
  if (['instance', 'enrollment', 'operations'].includes(operation.credential)) failures.add(429);
  if (operation.params) failures.add(404);
  if (operation.params || operation.query || operation.body) failures.add(422);
  // An unexpected body is refused if it is too large or not JSON, otherwise ignored.
  if (operation.method !== 'GET') failures.add(413);
  // 429: too many concurrent large bodies.
  if (operation.method !== 'GET' && operation.rawBody !== 'any') failures.add(415).add(429);
  if (operation.method !== 'GET' && operation.rawBody === undefined) failures.add(422);
  // Malformed HTTP is refused on every route.
  if ([...failures].every((status) => status >= 500)) failures.add(400);
  return [...failures].toSorted((a, b) => a - b);
}

export const failureName = (status: Failure): string => texts[status][0];
export const failureText = (status: Failure): string => texts[status][1];

/** By name; each status has one shared response. */
export function failureResponses(operations: readonly Operation[]): Record<string, object> {
  const shared = operations.flatMap((operation) =>
    failuresOf(operation).filter((status) => !(status in (operation.failureShapes ?? {}))),
  );
  const statuses = [...new Set(shared)].toSorted((a, b) => a - b);
  const responses = statuses.map((status): [string, object] => {
    const [name, description] = texts[status];
    const schema = status === 422 ? ValidationError : Detail;
    const headers = failureHeaders(status);
    return [name, { description, headers, content: { 'application/json': { schema } } }];
  });
  return Object.fromEntries(responses);
}
