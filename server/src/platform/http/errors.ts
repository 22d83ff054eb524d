import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import pg from 'pg';
import { DatabaseUnreachable } from '../db/unreachable.ts';
import { type ErrorCode, type Fault, ServiceError, ValidationError, valueFault } from '../errors.ts';
import { withOpenAiError } from '../openai-errors.ts';

/** The only mapping of error codes to statuses. */
const statusOf: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  bad_gateway: 502,
  unavailable: 503,
};

interface Answer {
  status: number;
  body: { detail: string | readonly Fault[]; [member: string]: unknown };
  headers?: Readonly<Record<string, string>>;
}

/** Requests that may be made twice. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
const UNREACHABLE = 'The database is not reachable';
/** For a request without any effect. */
const retryLater = (detail: string): Answer => ({
  status: 503,
  body: { detail },
  headers: { 'retry-after': '1' },
});
const INTERNAL: Answer = { status: 500, body: { detail: 'Internal server error' } };

/** For Fastify's own errors. */
const fastifyAnswers: Readonly<Record<string, Answer>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, body: { detail: 'The body has to be application/json' } },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    body: { detail: 'Content-Length does not match the body' },
  },
  FST_ERR_BAD_URL: { status: 404, body: { detail: 'Not found' } },
};

/** The client disconnected during the body; it never gets this. */
const ABORTED: Answer = { status: 400, body: { detail: 'The request was broken off' } };

/**
 * Details of internal errors go only to the log.
 * @param isRepeatable true if a second execution of the request does no harm
 */
export function answerFor(error: unknown, isRepeatable = false): Answer {
  if (error instanceof ValidationError) return { status: 422, body: { detail: error.faults } };
  if (error instanceof ServiceError) {
    const { code, message: detail, headers, members } = error;
    return { status: statusOf[code], body: { detail, ...members }, headers };
  }
  // Clients repeat a request with Retry-After by themselves, and this one may have been executed.
  if (error instanceof DatabaseUnreachable && error.mayHaveRun && !isRepeatable)
    return { status: 503, body: { detail: UNREACHABLE } };
  if (error instanceof DatabaseUnreachable) return retryLater(UNREACHABLE);
  if (error instanceof pg.DatabaseError) return answerForDatabase(error);
  return fastifyAnswers[(error as FastifyError).code] ?? INTERNAL;
}

/** If so, the log must name the cause. */
export const hidesCause = (error: unknown, { status }: Answer): boolean =>
  status === 500 ||
  error instanceof DatabaseUnreachable ||
  // "busy" may be a full disk, a lack of connections or a slow statement.
  (error instanceof pg.DatabaseError && status === 503);

function answerForDatabase(error: pg.DatabaseError): Answer {
  // Class 22, data exception: validation accepted a value that no column can store.
  if (error.code?.startsWith('22')) {
    return { status: 422, body: { detail: [valueFault(['body'], 'A value is out of range')] } };
  }
  if (error.code === '53100') return retryLater('The database has no room: its disk is full');
  // 57014 statement_timeout, 55P03 lock_timeout, 53xxx out of resources, 40xxx deadlock or serialization failure.
  if (/^(?:57014|55P03|53|40)/.test(error.code ?? '')) return retryLater('The database is busy');
  // 23503, foreign key: a row was deleted after the statement found it.
  if (error.code === '23503') {
    return { status: 404, body: { detail: 'What the request refers to was deleted meanwhile' } };
  }
  // A standby or a read-only server.
  if (error.code === '25006') return retryLater('The database takes no writes');
  return INTERNAL;
}

/** ECONNRESET alone could come from a service that we called. */
const isAborted = (error: unknown, { raw }: FastifyRequest): boolean =>
  !raw.complete && raw.errored === error;

const tooLarge = ({ routeOptions }: FastifyRequest): Answer => ({
  status: 413,
  body: { detail: `The body is larger than ${routeOptions.bodyLimit / (1024 * 1024)} MiB` },
});

function answerTo(error: unknown, request: FastifyRequest): Answer {
  if (isAborted(error, request)) return ABORTED;
  const isTooLarge = (error as FastifyError).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
  return isTooLarge ? tooLarge(request) : answerFor(error, REPEATABLE.has(request.method));
}

export async function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const found = answerTo(error, request);
  const isForOpenAi = request.routeOptions.config?.operation?.openAiErrors;
  const answer = isForOpenAi ? { ...found, body: withOpenAiError(found.status, found.body) } : found;
  if (hidesCause(error, answer)) request.log.error({ reqId: request.id, err: error }, 'request failed');
  return reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .send(answer.body);
}
