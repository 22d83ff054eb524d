import type { FileBody, OperationId, Path } from './caller.ts';
import { type Credentials, credentialHeader } from './credentials.ts';
import { ConnectionError } from './errors.ts';
import { operations } from './generated/operations.ts';
import type { OperationFacts } from './operation-facts.ts';
import { type Fetch, type Outgoing, readBytes, readText, send } from './transport.ts';
import { signalAfter, until } from './until.ts';

const NO_CONTENT = 204;

type PathValues = Readonly<Record<string, string | number>>;
type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

type StreamedId = 'list_instance_events' | 'list_instance_logs' | 'list_messages' | 'follow_changes';

export interface AnyInput {
  readonly path?: PathValues;
  readonly query?: QueryValues;
  readonly body?: unknown;
}

export interface ConnectionOptions extends Credentials {
  /** Such as http://127.0.0.1:8080. */
  readonly baseUrl: string;
  /** The platform's fetch by default. */
  readonly fetch?: Fetch | undefined;
}

export class Connection {
  readonly #baseUrl: string;
  readonly #credentials: Credentials;
  readonly #fetch: Fetch;

  constructor({ baseUrl, fetch = globalThis.fetch, ...credentials }: ConnectionOptions) {
    this.#baseUrl = readBaseUrl(baseUrl);
    this.#credentials = credentials;
    // Browsers refuse to call fetch as a method of another object.
    this.#fetch = (...request) => fetch(...request);
  }

  /** Throws as `send` does, and ConnectionError for an unexpected kind of body. */
  async exchange(
    id: OperationId,
    input: AnyInput,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { answers }: OperationFacts = operations[id];
    const timeout = signalAfter(timeoutMs);
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      const outgoing = await until(either, this.#outgoing(id, input));
      const response = await send(this.#fetch, outgoing, either);
      if (answers === 'bytes') return await readBytes(outgoing, response, either);
      const text = await readText(outgoing, response, either);
      if (answers === 'nothing') return nothingOf(outgoing, text);
      if (response.status === NO_CONTENT) return nothingOf(outgoing, text);
      return answers === 'text' ? text : parse(outgoing, text);
    } catch (error) {
      if (error !== timeout.reason) throw error;
      throw new ConnectionError(`${lineOf(id)} was not answered within ${timeoutMs} ms`, { cause: error });
    }
  }

  /** The stream ends with the signal. Throws as `send` does. */
  async openEvents<Id extends StreamedId>(
    id: Id,
    input: Pick<AnyInput, 'query'> & ([Path<Id>] extends [never] ? object : { readonly path: Path<Id> }),
    after: number,
    signal: AbortSignal,
  ): Promise<Response> {
    const headers = { accept: 'text/event-stream', 'last-event-id': String(after) };
    const outgoing = this.#outgoing(id, input, headers);
    return send(this.#fetch, await until(signal, outgoing), signal);
  }

  async #outgoing(id: OperationId, input: AnyInput, headers?: Outgoing['headers']): Promise<Outgoing> {
    const facts: OperationFacts = operations[id];
    const { method, path } = facts;
    const { body, headers: described } = bodyOf(facts, input.body);
    return {
      operation: id,
      line: lineOf(id),
      method,
      url: addressOf(this.#baseUrl, path, input.path, input.query),
      headers: {
        accept: facts.answers === 'text' || facts.answers === 'bytes' ? '*/*' : 'application/json',
        ...described,
        ...(await credentialHeader(this.#credentials, id, facts)),
        ...headers,
      },
      ...(body !== undefined && { body }),
    };
  }
}

function bodyOf({ takes }: OperationFacts, body: unknown): Pick<Outgoing, 'body' | 'headers'> {
  if (body === undefined) return { headers: {} };
  if (takes !== 'file') {
    return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  }
  const type = { 'content-type': 'application/octet-stream' };
  const isNamed = body instanceof File;
  const headers = isNamed ? { ...type, 'x-filename': encodeURIComponent(body.name) } : type;
  return { body: body as FileBody, headers };
}

const lineOf = (id: OperationId) => `${id} (${operations[id].method} ${operations[id].path})`;

/** A page of a proxy or portal is not an empty response. */
function nothingOf({ line }: Outgoing, text: string): undefined {
  if (text !== '') throw new ConnectionError(`${line} was answered with an unexpected body`);
}

/** A page of a proxy or portal is not JSON. */
function parse({ line }: Outgoing, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConnectionError(`${line} was not answered with JSON`, { cause: error });
  }
}

/** Throws TypeError unless the address is http(s) without credentials. */
function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  // Don't quote the address: it may hold a password.
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl is not an http(s) address');
  if (url.username || url.password)
    throw new TypeError('baseUrl holds a user name: pass credentials separately');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function addressOf(baseUrl: string, path: string, ids: PathValues = {}, query: QueryValues = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, ids[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.append(name, String(value));
  }
  return baseUrl + filled + (search.size === 0 ? '' : `?${search}`);
}

/** An empty id or dots would address another path, such as the list instead of a row. */
function segment(name: string, value: string | number | undefined): string {
  const text = value === undefined ? '' : String(value);
  if (['', '.', '..'].includes(text))
    throw new TypeError(`${name} is ${JSON.stringify(text)}, which is not an id`);
  return encodeURIComponent(text);
}
