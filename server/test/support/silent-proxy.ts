import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards to a port, and while silent drops the responses. */
export class SilentProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #onKept: (() => void) | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  static async to(port: number): Promise<SilentProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new SilentProxy(server);
    server.on('connection', (client) => proxy.#connectStreams(client, connect(port, '127.0.0.1')));
    return proxy;
  }

  /** Resolves when a response was dropped. */
  silence(): Promise<void> {
    return new Promise((resolve) => {
      this.#onKept = resolve;
    });
  }

  /** Forwards again; dropped data is lost. */
  speak(): void {
    this.#onKept = undefined;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #connectStreams(client: Socket, service: Socket): void {
    for (const socket of [client, service]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.pipe(service);
    service.on('data', (chunk) => {
      if (this.#onKept) this.#onKept();
      else client.write(chunk);
    });
  }
}
