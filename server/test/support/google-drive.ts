import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface FakeFile {
  id: string;
  name: string;
  mimeType: string;
  parents?: string[];
  modifiedTime?: string;
  webViewLink?: string;
  trashed?: boolean;
  shortcutDetails?: { targetId: string };
  size?: string;
  content?: string | Buffer;
}

interface Seen {
  method: string;
  path: string;
  query: Record<string, string>;
  authorization: string | undefined;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Drive v3 and Google's token endpoint on the wire. */
export class FakeGoogle {
  files: FakeFile[] = [];
  readonly seen: Seen[] = [];
  readonly tokenForms: Record<string, string>[] = [];
  /** Accepted by Drive; the token endpoint adds to them. */
  readonly tokens = new Set<string>();
  readonly answers: Answer[] = [];
  readonly tokenAnswers: Answer[] = [];
  /** The limit, even when a request asks for more. */
  maxPageSize = 1000;
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://google.invalid');
    const body = await buffer(request);
    if (url.pathname === '/token') return this.#token(body, request, response);
    const query = Object.fromEntries(url.searchParams);
    const { authorization } = request.headers;
    this.seen.push({ method: request.method ?? '', path: url.pathname, query, authorization });
    const answer = this.answers.shift();
    if (answer) return answer(response, request);
    if (!this.tokens.has(authorization?.replace('Bearer ', '') ?? ''))
      return fail(response, 401, 'authError');
    const [, id, action] = /^\/drive\/v3\/files(?:\/([^/]+)(?:\/(export))?)?$/.exec(url.pathname) ?? [];
    if (id === undefined) return this.#list(query, response);
    const file = this.files.find((file) => file.id === decodeURIComponent(id));
    if (!file) return fail(response, 404, 'notFound');
    if (action === 'export') return void response.end(`${query.mimeType}: ${String(file.content)}`);
    if (query.alt === 'media') return void response.end(file.content ?? '');
    reply(response, 200, resourceOf(file));
  }

  #token(body: Buffer, request: IncomingMessage, response: ServerResponse): void {
    this.tokenForms.push(Object.fromEntries(new URLSearchParams(body.toString())));
    const answer = this.tokenAnswers.shift();
    if (answer) return answer(response, request);
    const access_token = `access-${this.tokenForms.length}`;
    this.tokens.add(access_token);
    reply(response, 200, { access_token, expires_in: 3599, token_type: 'Bearer' });
  }

  #list(query: Record<string, string>, response: ServerResponse): void {
    const matches = parseQuery(query.q ?? '');
    if (!matches) return fail(response, 400, 'invalid');
    const found = this.files.filter(matches);
    const from = Number(query.pageToken ?? 0);
    const to = from + Math.min(Number(query.pageSize), this.maxPageSize);
    reply(response, 200, {
      files: found.slice(from, to).map(resourceOf),
      ...(to < found.length && { nextPageToken: String(to) }),
    });
  }
}

export const reply = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** The message must not be passed on. */
export const fail = (response: ServerResponse, status: number, reason: string): void => {
  const message = 'the provider’s own words';
  reply(response, status, { error: { code: status, message, errors: [{ reason, message }] } });
};

function resourceOf({ content, ...file }: FakeFile): object {
  const isGoogleType = file.mimeType.startsWith('application/vnd.google-apps.');
  return { ...(!isGoogleType && { size: String(Buffer.byteLength(content ?? '')) }), ...file };
}

type Matcher = (file: FakeFile) => boolean;

/** Parses terms joined by `and`. @returns undefined for any other query */
function parseQuery(q: string): Matcher | undefined {
  const text = String.raw`'(?:[^'\\]|\\.)*'`;
  const parent = `${text} in parents`;
  const term = `trashed = false|name contains ${text}|mimeType = ${text}|${parent}|\\(${parent}(?: or ${parent})*\\)`;
  if (!new RegExp(`^(?:${term})(?: and (?:${term}))*$`).test(q)) return undefined;
  const matchers = [...q.matchAll(new RegExp(term, 'g'))].map(([found]): Matcher => {
    const values = [...found.matchAll(new RegExp(text, 'g'))].map(([value]) =>
      value.slice(1, -1).replaceAll(/\\(.)/g, '$1'),
    );
    const [value = ''] = values;
    if (found.startsWith('trashed')) return (file) => !file.trashed;
    if (found.startsWith('name')) return (file) => file.name.toLowerCase().includes(value.toLowerCase());
    if (found.startsWith('mimeType')) return (file) => file.mimeType === value;
    return (file) => values.some((id) => file.parents?.includes(id));
  });
  return (file) => matchers.every((matches) => matches(file));
}
