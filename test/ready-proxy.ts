import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const ASK_EVERY_MS = 100;

/** A minimal load balancer: round robin over the ready copies, without retries. */
export class ReadyProxy {
  readonly #ports: readonly number[];
  readonly #server: Server;
  readonly #ready = new Set<number>();
  readonly #timer: NodeJS.Timeout;
  #next = 0;

  private constructor(ports: readonly number[]) {
    this.#ports = ports;
    this.#timer = setInterval(() => void this.#look(), ASK_EVERY_MS);
    this.#server = createServer((incoming, answer) => {
      const ready = ports.filter((port) => this.#ready.has(port));
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
    });
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
        const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) this.#ready.add(port);
        else this.#ready.delete(port);
      }),
    );
  }
}
