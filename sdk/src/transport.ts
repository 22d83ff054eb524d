import type { FileBody } from './caller.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { until } from './until.ts';

export type Fetch = typeof globalThis.fetch;

export interface Outgoing {
  readonly operation: string;
  /** Such as deploy_recipe (POST /v1/recipes/deploy), for messages. */
  readonly line: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FileBody | undefined;
}

/**
 * @returns a 2xx with its body unread. Throws ApiError for other responses, ConnectionError without one, and the
 * signal's reason after an abort.
 */
export async function send(fetch: Fetch, outgoing: Outgoing, signal: AbortSignal): Promise<Response> {
  const { method, url, headers, body } = outgoing;
  // A redirect would leak the API key.
  const request = {
    method,
    headers,
    signal,
    redirect: 'error',
    ...(body !== undefined && { body }),
  } as const;
  const response = await withConnectionErrors(outgoing, signal, fetch(url, request));
  if (response.ok) return response;
  throw new ApiError(outgoing, response, await readText(outgoing, response, signal));
}

export const readText = (outgoing: Outgoing, response: Response, signal: AbortSignal): Promise<string> =>
  withConnectionErrors(outgoing, signal, response.text());

export const readBytes = async (
  outgoing: Outgoing,
  response: Response,
  signal: AbortSignal,
): Promise<Uint8Array> =>
  new Uint8Array(await withConnectionErrors(outgoing, signal, response.arrayBuffer()));

async function withConnectionErrors<T>(
  { line }: Outgoing,
  signal: AbortSignal,
  work: Promise<T>,
): Promise<T> {
  try {
    return await until(signal, work);
  } catch (error) {
    signal.throwIfAborted();
    throw new ConnectionError(`${line} was not answered (${reasonOf(error)})`, { cause: error });
  }
}

/** Node's fetch fails with "fetch failed"; the cause has the reason. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}
