import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** The channel's media on the wire: GET /{media_id} describes a medium, with an address below /download/. */
export class FakeMediaChannel {
  /** By path; `keep` adds both paths of a medium. */
  readonly answers = new Map<string, Answer>();
  readonly requests: { path: string; token: string }[] = [];
  base_url = '';
  readonly #server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    this.requests.push({ path, token: (request.headers.authorization ?? '').slice(7) });
    const answer = this.answers.get(path) ?? notThere;
    answer(response, request);
  });

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.base_url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this.base_url;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  keep(media_id: string, content: Uint8Array, mime_type: string, extra: object = {}): void {
    const url = `${this.base_url}/download/${media_id}`;
    const description = {
      messaging_product: 'whatsapp',
      id: media_id,
      url,
      mime_type,
      file_size: content.length,
      ...extra,
    };
    this.answers.set(`/${media_id}`, sending('application/json', JSON.stringify(description)));
    this.answers.set(`/download/${media_id}`, sending(mime_type, content));
  }
}

export const sending =
  (type: string, content: string | Uint8Array, status = 200): Answer =>
  (response) => {
    response
      .writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(content) })
      .end(content);
  };

const notThere = sending(
  'application/json',
  JSON.stringify({ error: { code: 100, error_subcode: 33, message: 'Unsupported get request' } }),
  400,
);
