import type { DriveConnection } from '../../drive/drive.port.ts';
import { notFound } from '../../platform/errors.ts';
import { driveFailure, nothingToRead, readUpTo, tooLarge } from './content.ts';
import { credentialsRefused, type GoogleTokens } from './google-tokens.ts';
import { Passing, retryAfterMs, withRetries } from './retries.ts';

/** What every request is sent with. The library's own retries and errors stay out of the way. */
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

/** What an answer may be: how many bytes of what. */
export interface Expected {
  /** What a 404 says is not there; null where nothing was named that could be missing. */
  what: 'File' | 'Folder' | null;
  maxBytes: number;
  overLimit: () => Error;
}

const MAX_ERROR_BYTES = 64 * 1024;
const PASSING_REASONS: readonly unknown[] = ['rateLimitExceeded', 'userRateLimitExceeded'];
const UNREADABLE_REASONS: readonly unknown[] = ['fileNotDownloadable', 'fileNotExportable'];

/** Sends requests of Drive v3 as one connection, until they succeed or fail for good. */
export class GoogleCalls {
  readonly #rootUrl: string;
  readonly #timeoutMs: number;
  readonly #tokens: GoogleTokens;

  constructor(rootUrl: string, timeoutMs: number, tokens: GoogleTokens) {
    this.#rootUrl = rootUrl;
    this.#timeoutMs = timeoutMs;
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
    }).catch((error: unknown) => {
      throw error instanceof TokenRefused ? credentialsRefused() : error;
    });
  }

  async #attempt(token: string, { what, maxBytes, overLimit }: Expected, send: Send): Promise<Buffer> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const options: SendOptions = {
      rootUrl: this.#rootUrl,
      headers: { authorization: `Bearer ${token}` },
      signal,
      responseType: 'stream',
      // the token goes to the operator's base URL and nowhere else
      redirect: 'manual',
      retry: false,
      fetchImplementation: fetch,
      validateStatus: () => true,
    };
    const lost = () => {
      const failure = driveFailure('The drive did not answer');
      return signal.aborted ? failure : new Passing(failure);
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
  const isPassing = status === 429 || status >= 500 || (status === 403 && PASSING_REASONS.includes(reason));
  return isPassing ? new Passing(failure, retryAfterMs(headers['retry-after'])) : failure;
}

/** `error.errors[0].reason` of Google's error bodies; undefined for anything else. */
async function reasonOf({ data }: Answer): Promise<unknown> {
  try {
    const body = await readUpTo(data, MAX_ERROR_BYTES, () => new Error('No error of Google’s is as long'));
    const { error } = JSON.parse(body.toString()) as { error: { errors: { reason: unknown }[] } };
    return error.errors[0]?.reason;
  } catch {
    return undefined;
  }
}
