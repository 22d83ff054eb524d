import type { IncomingMessage } from 'node:http';
import { isTimeout, readBytes } from '../remote-engine/answers.ts';
import { retryAfterMs } from '../retry-after.ts';
import type { Status } from './api.ts';
import { ClusterRefusal, ClusterUnreachable } from './failures.ts';

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_MESSAGE = 500;

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ClusterUnreachable('The answer of the API server is not JSON');
  }
}

/** @param response with a status of 300 or more */
export async function refusalOf(response: IncomingMessage): Promise<ClusterRefusal> {
  const { statusCode = 0, headers } = response;
  const bytes = await readBytes(response, MAX_BYTES, 'API server').catch(() => Buffer.alloc(0));
  const text = bytes.toString();
  const { reason = '', message, details } = statusOf(text);
  const said = `${statusCode}: ${(message ?? text).trim().slice(0, MAX_MESSAGE)}`;
  const seconds = details?.retryAfterSeconds;
  const waitMs = retryAfterMs(headers['retry-after']) ?? (seconds === undefined ? undefined : seconds * 1000);
  return new ClusterRefusal(statusCode, reason, said, waitMs);
}

/** Proxies in between answer with pages of their own. */
function statusOf(text: string): Status {
  try {
    const status: unknown = JSON.parse(text);
    return typeof status === 'object' && status !== null ? status : {};
  } catch {
    return {};
  }
}

/** The caller's own abort is not a failure of the cluster. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted && !isTimeout(signal.reason)) return signal.reason;
  if (error instanceof ClusterUnreachable || error instanceof ClusterRefusal) return error;
  const cause = isTimeout(signal?.reason) ? signal?.reason : error;
  return new ClusterUnreachable(`The API server does not answer: ${(cause as Error).message}`, { cause });
}
