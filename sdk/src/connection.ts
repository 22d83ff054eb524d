import { addressOf, type PathValues, type QueryValues, readBaseUrl } from './address.ts';
import type { OperationId } from './caller.ts';
import { type Credentials, credentialHeader } from './credentials.ts';
import { ConnectionError } from './errors.ts';
import { operations } from './generated/operations.ts';
import type { OperationFacts } from './operation-facts.ts';
import { type Fetch, type Outgoing, readText, send } from './transport.ts';
import { signalAfter, until } from './until.ts';

/** An operation's input, whichever it is. */
export interface AnyInput {
  readonly path?: PathValues;
  readonly query?: QueryValues;
  readonly body?: unknown;
}

export interface ConnectionOptions extends Credentials {
  /** Where the server is: http://127.0.0.1:8080. */
  readonly baseUrl: string;
  /** What to send requests with; the platform's fetch unless told. */
  readonly fetch?: Fetch | undefined;
}

/** One server, with the credentials for it. */
export class Connection {
  readonly #baseUrl: string;
  readonly #credentials: Credentials;
  readonly #fetch: Fetch;

  constructor({ baseUrl, fetch = globalThis.fetch, ...credentials }: ConnectionOptions) {
    this.#baseUrl = readBaseUrl(baseUrl);
    this.#credentials = credentials;
    // Browsers refuse their fetch as a method of something else.
    this.#fetch = (...request) => fetch(...request);
  }

  /** @returns what a 2xx answers, parsed. Throws as `send`, and ConnectionError for what is not of the operation's kind */
  async exchange(
    id: OperationId,
    input: AnyInput,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { answers }: OperationFacts = operations[id];
    const late = signalAfter(timeoutMs);
    const either = signal ? AbortSignal.any([signal, late]) : late;
    try {
      const outgoing = await until(either, this.#outgoing(id, input));
      const response = await send(this.#fetch, outgoing, either);
      const text = await readText(outgoing, response, either);
      if (answers === 'nothing') return nothingOf(outgoing, text);
      return answers === 'text' ? text : parse(outgoing, text);
    } catch (error) {
      if (error !== late.reason) throw error;
      throw new ConnectionError(`${lineOf(id)} was not answered within ${timeoutMs} ms`, { cause: error });
    }
  }

  /** Opens an instance's log as an event stream that goes on until the signal. Throws as `send` */
  async openEvents(instance_id: string, after: number, signal: AbortSignal): Promise<Response> {
    const headers = { accept: 'text/event-stream', 'last-event-id': String(after) };
    const outgoing = this.#outgoing('list_instance_events', { path: { instance_id } }, headers);
    return send(this.#fetch, await until(signal, outgoing), signal);
  }

  async #outgoing(id: OperationId, input: AnyInput, headers?: Outgoing['headers']): Promise<Outgoing> {
    const facts: OperationFacts = operations[id];
    const { method, path } = facts;
    const body = input.body === undefined ? undefined : JSON.stringify(input.body);
    return {
      operation: id,
      line: lineOf(id),
      method,
      url: addressOf(this.#baseUrl, path, input.path, input.query),
      headers: {
        accept: facts.answers === 'text' ? '*/*' : 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(await credentialHeader(this.#credentials, id, facts)),
        ...headers,
      },
      ...(body !== undefined && { body }),
    };
  }
}

const lineOf = (id: OperationId) => `${id} (${operations[id].method} ${operations[id].path})`;

/** A page of some portal in between is no answer of the API, nor that anything was taken away. */
function nothingOf({ line }: Outgoing, text: string): undefined {
  if (text !== '') throw new ConnectionError(`${line} was answered with something where there is nothing`);
}

/** See `nothingOf`. */
function parse({ line }: Outgoing, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConnectionError(`${line} was answered with something else than JSON`, { cause: error });
  }
}
