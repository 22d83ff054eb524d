import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { networkInterfaces } from 'node:os';
import { serverOptions } from './raw-http.ts';

/** A body that comes byte by byte would be waited for without end. */
const ARRIVES_WITHIN_MS = 60_000;
/** Longer than a load balancer's, so that the balancer ends idle connections. */
const KEPT_ALIVE_MS = 72_000;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * The HTTP server of a service. It may listen before the app is there that answers, so that a start which waits for its
 * database can say so.
 */
export class Listener {
  readonly server: Server;
  #answer: RequestListener;
  /** For more addresses of the same name. */
  readonly #others: TcpServer[] = [];
  readonly #sockets = new Set<Socket>();
  #address: string | undefined;
  #isClosing = false;

  /** @param answer until the app takes over */
  constructor(answer: RequestListener) {
    this.#answer = answer;
    this.server = createServer(serverOptions, (request, response) => this.#answer(request, response));
    this.server.requestTimeout = ARRIVES_WITHIN_MS;
    this.server.keepAliveTimeout = KEPT_ALIVE_MS;
    this.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      if (this.#isClosing) socket.destroy();
    });
  }

  /** From now on the app answers, on open connections too. */
  handTo(answer: RequestListener): void {
    this.#answer = answer;
  }

  /** @returns the first address, as a URL; the same to whoever asks again */
  async listen(host: string, port: number): Promise<string> {
    this.#address ??= await this.#listen(host, port);
    return this.#address;
  }

  async #listen(host: string, port: number): Promise<string> {
    await listenAt(this.server, host, port);
    const bound = this.server.address() as AddressInfo;
    if (host === 'localhost') await this.#listenAtOthers(bound);
    const address = bound.address === '0.0.0.0' ? ownAddress() : bound.address;
    return `http://${address.includes(':') ? `[${address}]` : address}:${bound.port}`;
  }

  /** Clients may take either for `localhost`. */
  async #listenAtOthers({ address: first, port }: AddressInfo): Promise<void> {
    for (const address of LOOPBACK) {
      if (address === first) continue;
      const other = createTcpServer((socket) => this.server.emit('connection', socket));
      const isListening = await listenAt(other, address, port).then(
        () => true,
        () => false,
      );
      if (isListening) this.#others.push(other);
    }
  }

  /**
   * Ends connections without a request. Browsers and fetch open some in advance, and `close` would wait for Node's
   * headersTimeout of a minute.
   */
  dropSilent(): void {
    this.#isClosing = true;
    // `close` also waits for kept-alive connections, so answers from now on do not keep theirs.
    this.server.keepAliveTimeout = 1;
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Accepts nobody new, and waits for the connections to end. */
  async close(): Promise<void> {
    this.dropSilent();
    await Promise.all([this.server, ...this.#others].map(closeOne));
  }
}

async function listenAt(server: TcpServer, host: string, port: number): Promise<void> {
  server.listen({ host, port });
  await once(server, 'listening');
}

const closeOne = (server: TcpServer) => new Promise<void>((resolve) => server.close(() => resolve()));

/** An address of this machine, of the loopback interface where there is one. */
function ownAddress(): string {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ family }) => family === 'IPv4');
  return (found.find(({ internal }) => internal) ?? found[0])?.address ?? '127.0.0.1';
}
