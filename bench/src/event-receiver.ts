import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 500;

export interface Received {
  stream: string;
  number: number;
  at: number;
}

/** Takes events, after a while if it is slow. */
export class EventReceiver {
  readonly received: Received[] = [];
  readonly #afterMs: number;
  readonly #server = createServer((request, response) => void this.#take(request, response));
  #port = 0;

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** @returns its address, the same each time */
  async open(): Promise<string> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
    return `http://127.0.0.1:${this.#port}/`;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Resolves once so many different events came, or after the time. */
  async until(count: number, withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    const different = () => new Set(this.received.map(({ number }) => number)).size;
    while (different() < count && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { data } = JSON.parse(await text(request)) as { data: { instance_id: string; percent: number } };
    this.received.push({ stream: data.instance_id, number: data.percent, at: performance.now() });
    await sleep(this.#afterMs);
    response.writeHead(204).end();
  }
}
