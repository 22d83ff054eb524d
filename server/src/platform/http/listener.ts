import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  Server as TcpServer,
} from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverOptions } from './raw-http.ts';

/** A body that comes byte by byte would be waited for without end. */
const ARRIVES_WITHIN_MS = 60_000;
/** Longer than a load balancer's, so that the balancer ends idle connections. */
const KEPT_ALIVE_MS = 72_000;
/** For a request that is under way to a connection which has been silent so far. */
const SPEAKS_WITHIN_MS = 1000;
/** Strangers may open connections all the time. */
const MOST_TURNS = 1000;
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
  #accepted = 0;
  #isDraining = false;
  #isClosed = false;

  /** @param answer until the app takes over */
  constructor(answer: RequestListener) {
    this.#answer = answer;
    this.server = createServer(serverOptions, (request, response) => {
      if (this.#isDraining) response.setHeader('connection', 'close');
      this.#answer(request, response);
    });
    this.server.requestTimeout = ARRIVES_WITHIN_MS;
    this.server.keepAliveTimeout = KEPT_ALIVE_MS;
    this.server.on('connection', (socket: Socket) => {
      this.#accepted += 1;
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      if (this.#isClosed) socket.destroy();
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

  /** A balancer keeps connections open: from now on answers end theirs, so that few are left to close. */
  drain(): void {
    this.#isDraining = true;
  }

  /** `close` also waits for kept-alive connections, so answers from now on do not keep theirs. */
  endKept(): void {
    this.server.keepAliveTimeout = 1;
  }

  /** Accepts nobody new, and waits for the connections to end. */
  async close(): Promise<void> {
    this.endKept();
    const listening = [this.server, ...this.#others];
    if (this.#isDraining) {
      await this.#acceptWaiting();
      const closed = Promise.all(listening.map(stopListening));
      // A balancer repeats no change whose connection was reset.
      if (this.#sockets.size > 0) await Promise.race([closed, sleep(SPEAKS_WITHIN_MS)]);
      // A timer comes before the sockets: what arrived in time, while this process had no turn, is read first.
      await new Promise(setImmediate);
      this.#dropSilent();
      this.server.closeIdleConnections();
      await closed;
      return;
    }
    this.#dropSilent();
    await Promise.all(listening.map(closeOne));
  }

  /** A turn of the event loop accepts one connection, and those that wait in the kernel are reset by `close`. */
  async #acceptWaiting(): Promise<void> {
    let quiet = 0;
    for (let turn = 0; quiet < 2 && turn < MOST_TURNS; turn += 1) {
      const before = this.#accepted;
      await new Promise(setImmediate);
      quiet = this.#accepted === before ? quiet + 1 : 0;
    }
  }

  /** Browsers and fetch open connections in advance; `close` would wait for Node's headersTimeout of a minute. */
  #dropSilent(): void {
    this.#isClosed = true;
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}

async function listenAt(server: TcpServer, host: string, port: number): Promise<void> {
  server.listen({ host, port });
  await once(server, 'listening');
}

const closeOne = (server: TcpServer) => new Promise<void>((resolve) => server.close(() => resolve()));

/** As `close`, which of an HTTP server also ends idle connections at once. */
const stopListening = (server: TcpServer) =>
  new Promise<void>((resolve) => void TcpServer.prototype.close.call(server, () => resolve()));

/** An address of this machine, of the loopback interface where there is one. */
function ownAddress(): string {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ family }) => family === 'IPv4');
  return (found.find(({ internal }) => internal) ?? found[0])?.address ?? '127.0.0.1';
}
