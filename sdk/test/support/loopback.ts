import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Milliseconds of a monotonic clock. */
  at: number;
}

/** Responds to one request, or never. */
export type Step = (response: ServerResponse, request: Received) => void | Promise<void>;

/** Handles each request with the next step, and all later ones with the last. */
export class Loopback extends EventEmitter<{ received: []; closed: [] }> {
  readonly received: Received[] = [];
  readonly #steps: Step[];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(steps: Step[]) {
    super();
    this.#steps = steps;
  }

  static async start(...steps: Step[]): Promise<Loopback> {
    const loopback = new Loopback(steps);
    loopback.#server.listen(0, '127.0.0.1');
    await once(loopback.#server, 'listening');
    return loopback;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const at = performance.now();
    const received = { method, url, headers, body: await text(request), at };
    const step = this.#steps[Math.min(this.received.push(received), this.#steps.length) - 1];
    response.on('close', () => this.emit('closed'));
    this.emit('received');
    await step?.(response, received);
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

export const answer =
  (status: number, type: string, body: string): Step =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);

export const beginning =
  (type: string, text: string): Step =>
  (response) =>
    void response.writeHead(200, { 'content-type': type }).write(text);

export const endless =
  (type: string, text: string): Step =>
  async (response) => {
    response.writeHead(200, { 'content-type': type });
    while (!response.destroyed) await new Promise((resolve) => response.write(text, resolve));
  };

export const hangUp: Step = (response) => void response.destroy();

export const half: Step = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"items":[', () => response.destroy());
};

export const silent: Step = () => {};

export const after =
  (ms: number, step: Step): Step =>
  async (...request) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await step(...request);
  };

export const garbled: Step = (response) =>
  void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nnothing of gzip');
