import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Passes on what is sent to a port, and, from the moment it is told to, nothing of what comes back. */
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
    server.on('connection', (client) => proxy.#join(client, connect(port, '127.0.0.1')));
    return proxy;
  }

  /** Resolves when something came that nobody will see. */
  silence(): Promise<void> {
    return new Promise((resolve) => {
      this.#onKept = resolve;
    });
  }

  /** From now on all is passed on again; what was kept is lost. */
  speak(): void {
    this.#onKept = undefined;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket, service: Socket): void {
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
