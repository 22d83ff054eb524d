import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type ChannelFile, faultIn, fileIn } from './channel-rules.ts';

interface SentFile {
  id: string;
  caption?: string;
  filename?: string;
}

export interface Sent {
  path: string;
  token: string;
  body: {
    to?: string;
    recipient?: string;
    type: string;
    text?: { body: string };
    template?: unknown;
    interactive?: unknown;
    image?: SentFile;
    document?: SentFile;
    audio?: SentFile;
    video?: SentFile;
    biz_opaque_callback_data: string;
  };
}

/** Responds in place of the usual 200. @returns true if the request counts as sent */
type Mood = (response: ServerResponse, sent: Sent) => boolean;

export const refusal =
  (
    status: number,
    code: unknown,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    rest: object = {},
  ): Mood =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { code, message, type: 'OAuthException', ...rest } }));
    return false;
  };
export const page =
  (status: number): Mood =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<html>gateway</html>');
    return false;
  };
/** Accepts the message, but cuts the connection before the response. */
export const cutAfterTaking: Mood = (response) => {
  response.destroy();
  return true;
};

/** The send API on the wire: POST /{phone_number_id}/messages. */
export class FakeSendApi {
  readonly sent: Sent[] = [];
  /** Includes refused requests. */
  readonly tried: Sent[] = [];
  /** Messages that were marked as read, which are no others. */
  readonly read: { path: string; token: string; body: unknown }[] = [];
  /** Files by the id that they were given. */
  readonly files = new Map<string, ChannelFile>();
  /** Responds to the next upload in place of the usual 200. */
  uploadMood: Mood | undefined;
  readonly #moods = new Map<string, Mood[]>();
  /** While set, responds to every other request. */
  mood: Mood | undefined;
  onGet: (path: string, response: ServerResponse) => void = (_path, response) =>
    response.writeHead(404).end();
  readonly #server: Server = createServer((request, response) => {
    if (request.method === 'GET') this.onGet(request.url ?? '', response);
    else if (request.url?.endsWith('/media')) void this.#take(request, response);
    else void this.#serve(request, response);
  });

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Only to this address, because messages of other tests may be retried meanwhile. */
  answerTo(address: string, ...moods: Mood[]): void {
    this.#moods.set(address, [...(this.#moods.get(address) ?? []), ...moods]);
  }

  get texts(): (string | undefined)[] {
    return this.sent.map(({ body }) => body.text?.body);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as Sent['body'];
    const sent = { path: request.url ?? '', token: (request.headers.authorization ?? '').slice(7), body };
    if ('status' in body) {
      this.read.push(sent);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}');
      return;
    }
    this.tried.push(sent);
    const fault = faultIn(body, this.files);
    if (fault !== undefined) {
      refusal(400, 131_009, `Parameter value is not valid: ${fault}`)(response, sent);
      return;
    }
    const mood = this.#moods.get(body.to ?? '')?.shift() ?? this.mood;
    if (mood) {
      if (mood(response, sent)) this.sent.push(sent);
      return;
    }
    this.sent.push(sent);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ messages: [{ id: `wamid.out.${this.sent.length}` }] }));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const mood = this.uploadMood;
    this.uploadMood = undefined;
    const file = await fileIn(request);
    const sent = {
      path: request.url ?? '',
      token: '',
      body: { type: 'upload', biz_opaque_callback_data: '' },
    };
    if (mood) {
      mood(response, sent);
      return;
    }
    if (file === undefined) {
      refusal(400, 100, 'Param file must be a file with one of the following types')(response, sent);
      return;
    }
    const id = String(1_000_000 + this.files.size);
    this.files.set(id, file);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id }));
  }
}
