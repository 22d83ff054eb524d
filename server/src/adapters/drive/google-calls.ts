import type { DriveConnection } from '../../drive/drive.port.ts';
import { notFound } from '../../platform/errors.ts';
import { signalAfter } from '../../platform/signal-after.ts';
import { retryAfterMs } from '../retry-after.ts';
import { driveFailure, nothingToRead, readUpTo, tooLarge } from './content.ts';
import { credentialsRefused, type GoogleTokens } from './google-tokens.ts';
import { TransientError, withRetries } from './retries.ts';

/** Turns off the library's own retries and errors. */
interface SendOptions {
  rootUrl: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  responseType: 'stream';
  redirect: 'manual';
  retry: false;
  fetchImplementation: typeof fetch;
  validateStatus: () => true;
}

interface Answer {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  data: AsyncIterable<Uint8Array>;
}

export type Send = (options: SendOptions) => Promise<unknown>;

export interface Expected {
  /** For the 404 error; null when the request names nothing that could be missing. */
  what: 'File' | 'Folder' | null;
  maxBytes: number;
  overLimit: () => Error;
}

interface GoogleCallsOptions {
  base_url: string;
  timeoutMs: number;
  firstRetryMs?: number | undefined;
}

const MAX_ERROR_BYTES = 64 * 1024;
const TRANSIENT_REASONS: readonly unknown[] = ['rateLimitExceeded', 'userRateLimitExceeded'];
const UNREADABLE_REASONS: readonly unknown[] = ['fileNotDownloadable', 'fileNotExportable'];

/** Drive v3 requests with retries and fresh tokens. */
export class GoogleCalls {
  readonly #rootUrl: string;
  readonly #timeoutMs: number;
  readonly #firstRetryMs: number | undefined;
  readonly #tokens: GoogleTokens;

  constructor({ base_url, timeoutMs, firstRetryMs }: GoogleCallsOptions, tokens: GoogleTokens) {
    this.#rootUrl = `${base_url}/`;
    this.#timeoutMs = timeoutMs;
    this.#firstRetryMs = firstRetryMs;
    this.#tokens = tokens;
  }

  /** @returns the body of a 2xx */
  async call(connection: DriveConnection, expected: Expected, send: Send): Promise<Buffer> {
    return withRetries(async () => {
      const token = await this.#tokens.get(connection);
      try {
        return await this.#attempt(token, expected, send);
      } catch (error) {
        if (!(error instanceof TokenRefused)) throw error;
      }
      this.#tokens.reject(connection, token);
      return this.#attempt(await this.#tokens.get(connection), expected, send);
    }, this.#firstRetryMs).catch((error: unknown) => {
      throw error instanceof TokenRefused ? credentialsRefused() : error;
    });
  }

  async #attempt(token: string, { what, maxBytes, overLimit }: Expected, send: Send): Promise<Buffer> {
    const signal = signalAfter(this.#timeoutMs);
    const options: SendOptions = {
      rootUrl: this.#rootUrl,
      headers: { authorization: `Bearer ${token}` },
      signal,
      responseType: 'stream',
      // The token is for the operator's base URL only.
      redirect: 'manual',
      retry: false,
      fetchImplementation: fetch,
      validateStatus: () => true,
    };
    const lost = () => {
      const failure = driveFailure('The drive did not answer');
      return signal.aborted ? failure : new TransientError(failure);
    };
    const answer = (await send(options).catch(() => {
      throw lost();
    })) as Answer;
    if (answer.status < 200 || answer.status > 299) throw failureOf(answer, await reasonOf(answer), what);
    const tooLong = overLimit();
    return readUpTo(answer.data, maxBytes, () => tooLong).catch((error: unknown) => {
      throw error === tooLong ? tooLong : lost();
    });
  }
}

class TokenRefused extends Error {}

function failureOf({ status, headers }: Answer, reason: unknown, what: Expected['what']): Error {
  if (status === 401) return new TokenRefused();
  if (status === 404 && what) return notFound(what);
  if (reason === 'exportSizeLimitExceeded') return tooLarge();
  if (UNREADABLE_REASONS.includes(reason)) return nothingToRead();
  const failure = driveFailure(`The drive answered ${status}`);
  const isTransient =
    status === 429 || status >= 500 || (status === 403 && TRANSIENT_REASONS.includes(reason));
  return isTransient ? new TransientError(failure, retryAfterMs(headers['retry-after'])) : failure;
}

/** @returns `error.errors[0].reason`; undefined for any other body */
async function reasonOf({ data }: Answer): Promise<unknown> {
  try {
    const body = await readUpTo(data, MAX_ERROR_BYTES, () => new Error('The error body is too long'));
    const { error } = JSON.parse(body.toString()) as { error: { errors: { reason: unknown }[] } };
    return error.errors[0]?.reason;
  } catch {
    return undefined;
  }
}
