import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const ASK_EVERY_MS = 100;
/** Copies under test have to drain for longer: an older answer says nothing about a copy that may have ended. */
const KNOWN_FOR_MS = 3000;

/** A minimal load balancer: round robin over the ready copies, without retries. */
export class ReadyProxy {
  readonly #ports: readonly number[];
  readonly #server: Server;
  /** By port: when a copy was asked that answered that it is ready. */
  readonly #ready = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;
  #next = 0;

  private constructor(ports: readonly number[]) {
    this.#ports = ports;
    this.#timer = setInterval(() => void this.#look(), ASK_EVERY_MS);
    this.#server = createServer((incoming, answer) => void this.#passOn(incoming, answer));
  }

  async #passOn(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const ready = await this.#readyNow();
    const port = ready[this.#next++ % ready.length];
    if (port === undefined) {
      answer.writeHead(502).end();
      return;
    }
    const { method, url: path, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (upstream) => {
      answer.writeHead(upstream.statusCode ?? 502, upstream.headers);
      upstream.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    incoming.pipe(passed);
  }

  /** As of answers that are not too old: this process or the machine may have stood still. */
  async #readyNow(): Promise<number[]> {
    for (;;) {
      const known = this.#ports.filter((port) => this.#ready.has(port));
      const since = performance.now() - KNOWN_FOR_MS;
      const ready = known.filter((port) => (this.#ready.get(port) ?? 0) > since);
      if (ready.length > 0 || known.length === 0) return ready;
      await this.#look();
    }
  }

  static async before(ports: readonly number[]): Promise<ReadyProxy> {
    const proxy = new ReadyProxy(ports);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get base_url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async sees(port: number): Promise<void> {
    while (!this.#ready.has(port)) await this.#look();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #look(): Promise<void> {
    await Promise.all(
      this.#ports.map(async (port) => {
        const askedAt = performance.now();
        const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) this.#ready.set(port, askedAt);
        else this.#ready.delete(port);
      }),
    );
  }
}
