import { ApiError, ConnectionError } from './errors.ts';
import { until } from './until.ts';

export type Fetch = typeof globalThis.fetch;

/** A request, ready to be sent as often as needed. */
export interface Outgoing {
  /** The operationId. */
  readonly operation: string;
  /** What messages call it: deploy_recipe (POST /v1/recipes/deploy). */
  readonly line: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends a request once. @returns a 2xx, its body unread. Throws ApiError for any other answer, ConnectionError when
 * there is none, and the signal's reason when that ended it.
 */
export async function send(fetch: Fetch, outgoing: Outgoing, signal: AbortSignal): Promise<Response> {
  const { method, url, headers, body } = outgoing;
  // The API does not redirect, and a redirect would carry the API key to wherever it points.
  const request = {
    method,
    headers,
    signal,
    redirect: 'error',
    ...(body !== undefined && { body }),
  } as const;
  const response = await answered(outgoing, signal, fetch(url, request));
  if (response.ok) return response;
  throw new ApiError(outgoing, response, await readText(outgoing, response, signal));
}

export const readText = (outgoing: Outgoing, response: Response, signal: AbortSignal): Promise<string> =>
  answered(outgoing, signal, response.text());

/** What the network throws, in words of ours. */
async function answered<T>({ line }: Outgoing, signal: AbortSignal, work: Promise<T>): Promise<T> {
  try {
    return await until(signal, work);
  } catch (error) {
    signal.throwIfAborted();
    throw new ConnectionError(`${line} was not answered (${reasonOf(error)})`, { cause: error });
  }
}

/** Node's fetch says "fetch failed", and why in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}
