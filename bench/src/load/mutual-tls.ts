import { Agent, request } from 'node:https';
import { text as readAll } from 'node:stream/consumers';
import { type Answer, type Call } from '../call.ts';

/** A connection of its own on which its holder presents a certificate, opened by its first request. */
export class MutualTls {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, identity: { ca: string; cert: string; key: string }) {
    this.#url = url;
    this.#agent = new Agent({ ...identity, keepAlive: true, maxSockets: 1 });
  }

  send({ method, path, headers, body = '' }: Call): Promise<Answer> {
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.#agent, headers: { ...headers, ...length } };
      const sent = request(this.#url + path, options, (response) => {
        readAll(response).then(
          (text) => resolve({ status: response.statusCode ?? 0, json: text && JSON.parse(text) }),
          reject,
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
