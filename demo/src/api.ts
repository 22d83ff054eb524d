import { DemoError, reasonOf } from './errors.ts';

const TIMEOUT_MS = 30_000;
const MAX_DETAIL_LENGTH = 300;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Headers = Readonly<Record<string, string>>;

/** The server refused: the message has the request, the status and what the server said. */
export class ApiError extends DemoError {
  readonly status: number;

  constructor(request: string, status: number, detail: string, requestId: string | null) {
    super(
      `${request} answered ${status}: ${detail}${requestId === null ? '' : ` (X-Request-Id ${requestId})`}`,
    );
    this.status = status;
  }
}

export interface Outgoing {
  headers?: Headers;
  /** Sent as these bytes. */
  body?: Uint8Array<ArrayBuffer>;
  timeoutMs?: number;
}

/** A client of the server for one credential; its requests end when the signal aborts. */
export class Api {
  readonly base_url: string;
  readonly #credential: Headers;
  readonly #signal: AbortSignal;

  constructor(base_url: string, credential: Headers, signal: AbortSignal) {
    this.base_url = base_url;
    this.#credential = credential;
    this.#signal = signal;
  }

  /** The same server with another credential. */
  as(credential: Headers, signal = this.#signal): Api {
    return new Api(this.base_url, credential, signal);
  }

  /** @returns the JSON of a 2xx, null where it has no body. Throws ApiError for any other answer. */
  async call<T>(method: Method, path: string, json?: unknown): Promise<T> {
    const response = await this.send(method, path, {
      ...(json !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: new TextEncoder().encode(JSON.stringify(json)),
      }),
    });
    const text = await response.text();
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  /** As `call`, but undefined when the server does not have the route (404, 405). */
  async callIfThere<T>(method: Method, path: string, json?: unknown): Promise<T | undefined> {
    try {
      return await this.call<T>(method, path, json);
    } catch (error) {
      if (error instanceof ApiError && [404, 405].includes(error.status)) return undefined;
      throw error;
    }
  }

  /** @returns a 2xx, its body unread. Throws ApiError for any other answer, DemoError when there is none. */
  async send(
    method: Method,
    path: string,
    { headers, body, timeoutMs = TIMEOUT_MS }: Outgoing = {},
  ): Promise<Response> {
    const response = await fetch(this.base_url + path, {
      method,
      headers: { ...this.#credential, ...headers },
      ...(body && { body }),
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(timeoutMs)]),
    }).catch((error: unknown) => {
      this.#signal.throwIfAborted();
      throw this.#unanswered(`${method} ${path}`, error);
    });
    if (response.ok) return response;
    const detail = detailOf(await response.text());
    throw new ApiError(`${method} ${path}`, response.status, detail, response.headers.get('x-request-id'));
  }

  #unanswered(request: string, error: unknown): DemoError {
    const reason = reasonOf(error);
    if (reason !== 'ECONNREFUSED')
      return new DemoError(`${this.base_url} did not answer ${request} (${reason})`);
    return new DemoError(
      `No server answers at ${this.base_url}: start it with "npm start" in another terminal, then try again`,
    );
  }
}

/** What an error body says, in one line: the message, or each fault with its field (specification, section 7). */
function detailOf(text: string): string {
  let detail: unknown;
  try {
    ({ detail } = JSON.parse(text));
  } catch {
    detail = text;
  }
  const faults = (Array.isArray(detail) ? detail : []) as { loc?: string[]; msg?: string }[];
  if (faults.length > 0) return faults.map(({ loc = [], msg = '' }) => `${loc.join('.')}: ${msg}`).join('; ');
  return (typeof detail === 'string' ? detail : text).replace(/\s+/g, ' ').slice(0, MAX_DETAIL_LENGTH);
}
