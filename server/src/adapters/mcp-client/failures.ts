import { isJsonObject } from '../../platform/json/json-object.ts';
import { NotPublic } from '../outside/guarded-fetch.ts';
import { TooLarge } from './limited-response.ts';

/** Errors before anything was sent. */
const NOT_SENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Codes of servers that do not know a session. */
const UNKNOWN_SESSION: readonly unknown[] = [-32_000, -32_001];

/**
 * True where the server forgot the session that it gave: 404 by the protocol, and 400 or an error of JSON-RPC with some. Nothing
 * was done then.
 */
export function isLostSession(error: unknown, session_id: string | undefined): boolean {
  if (session_id === undefined) return false;
  const { status, text } = httpAnswerOf(error);
  if (status === 404) return true;
  const { code, message } = status === 400 ? jsonRpcErrorIn(text) : (Object(error) as JsonRpcError);
  return UNKNOWN_SESSION.includes(code) && /\bsession\b/i.test(String(message));
}

function httpAnswerOf(error: unknown): { status?: unknown; text?: unknown } {
  const { data } = Object(error) as { data?: unknown };
  return isJsonObject(data) ? data : {};
}

interface JsonRpcError {
  code?: unknown;
  message?: unknown;
}

function jsonRpcErrorIn(text: unknown): JsonRpcError {
  try {
    const { error } = Object(JSON.parse(String(text))) as { error?: unknown };
    return isJsonObject(error) ? error : {};
  } catch {
    return {};
  }
}

/** True for an address that takes no connection, and for a refusal by status, before any work. */
export function isNotMade(error: unknown): boolean {
  const { status } = httpAnswerOf(error);
  if (typeof status === 'number') return status >= 400 && status < 500 && status !== 408;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return NOT_SENT.has(String((Object(cause) as { code?: unknown }).code));
}

/** True for an error of the protocol and for an answer that is too large. */
export function isAnswer(error: unknown): boolean {
  const { status, text } = httpAnswerOf(error);
  const { code } = status === 400 ? jsonRpcErrorIn(text) : (Object(error) as { code?: unknown });
  return error instanceof TooLarge || typeof code === 'number';
}

/** Without the server's own text, which may quote a credential. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'It cannot be reached';
  const causes = [error, error.cause, error.cause instanceof Error ? error.cause.cause : undefined];
  const known = causes.find((cause) => cause instanceof NotPublic || cause instanceof TooLarge);
  if (known instanceof Error) return known.message;
  const status = (error as { data?: { status?: unknown } }).data?.status;
  if (typeof status === 'number') return `It answered with status ${status}`;
  if ((error as { code?: unknown }).code === 'INVALID_RESULT') return 'Its answer is none of MCP';
  const coded = causes.find((cause) => typeof (cause as { code?: unknown } | undefined)?.code === 'string');
  if (coded) return `It cannot be reached: ${(coded as { code: string }).code}`;
  const { code } = error as { code?: unknown };
  if (typeof code === 'number') return `It answered with the error ${code}`;
  return 'It does not speak MCP';
}
