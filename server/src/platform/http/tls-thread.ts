import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '../ports.ts';
import { type SocketAnswer, ThreadSockets } from '../thread-sockets.ts';
import { type OpenedConnection, TlsConnection } from './tls-connection.ts';

const SCRIPT = join(import.meta.dirname, '../../../tls-thread.mjs');
const RESTART_AFTER_MS = 100;

/** PEM. */
interface TlsContext {
  cert: string;
  key: string;
  /** Authorities of clients. */
  ca: string;
  minVersion: 'TLSv1.2';
}

interface TlsThreadOptions {
  context: TlsContext;
  handshakeTimeoutMs: number;
  log: Log;
  onConnection: (connection: TlsConnection) => void;
}

type Message =
  | OpenedConnection
  | { port: number }
  | { failed: string }
  | SocketAnswer
  | { trouble: string }
  | { closed: true };

/**
 * A TLS listener in its own thread, so that handshakes and certificates of strangers do not block the service's event
 * loop. The thread limits each network and is restarted when it ends.
 */
export class TlsThread {
  readonly #options: TlsThreadOptions;
  readonly #connections = new Set<TlsConnection>();
  /** `closed`: the thread accepts no more connections; `drained`: the last connection has ended. */
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #sockets = new ThreadSockets(() => this.#worker);
  #context: TlsContext;
  #worker: Worker | undefined;
  #isClosing = false;

  constructor(options: TlsThreadOptions) {
    this.#options = options;
    this.#context = options.context;
  }

  /** @param port 0: a free one @returns the port */
  async listen(host: string, port: number): Promise<number> {
    const { handshakeTimeoutMs, log } = this.#options;
    const workerData = { host, port, context: this.#context, handshakeTimeoutMs };
    const worker = new Worker(SCRIPT, { workerData });
    this.#worker = worker;
    worker.on('error', (error) => log.error({ err: error }, 'the TLS thread failed'));
    const actual = await new Promise<number>((resolve, reject) => {
      worker.on('message', (message: Message) => {
        if ('connection' in message) this.#open(message);
        else if ('port' in message) resolve(message.port);
        else if ('path' in message) this.#sockets.answered(message);
        else if ('failed' in message) reject(new Error(message.failed));
        else if ('closed' in message) this.#events.emit('closed');
        else log.error({ reason: message.trouble }, 'the TLS listener failed');
      });
      worker.once('exit', () => {
        this.#events.emit('closed');
        reject(new Error('The TLS thread has ended'));
      });
    }).catch(async (error: unknown) => {
      await worker.terminate();
      throw error;
    });
    worker.once('exit', () => void this.#restart(host, actual));
    this.#sockets.openAgainIn(worker);
    return actual;
  }

  /**
   * Listens at a Unix socket as well, whose connections have no address, and limits of their own.
   * @returns ends that
   */
  async listenAt(path: string): Promise<() => Promise<void>> {
    await this.#sockets.open(path);
    return async () => {
      this.#sockets.forget(path);
      if (this.#isClosing) return;
      await this.#sockets.close(path, once(this.#events, 'closed'));
    };
  }

  /** For new connections. */
  setContext(context: TlsContext): void {
    this.#context = context;
    this.#worker?.postMessage({ context });
  }

  /** Stops accepting, aborts handshakes and waits for the connections to end. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker || this.#isClosing) return;
    this.#isClosing = true;
    // -1: the thread has ended.
    if (worker.threadId !== -1) {
      const closed = once(this.#events, 'closed');
      worker.postMessage({});
      await closed;
    }
    if (this.#connections.size > 0) await once(this.#events, 'drained');
    await worker.terminate();
  }

  async #restart(host: string, port: number): Promise<void> {
    while (!this.#isClosing) {
      this.#options.log.warn({ port }, 'the TLS thread has ended and is started again');
      await wait(RESTART_AFTER_MS);
      const isDone = await this.#tryListening(host, port);
      if (isDone) return;
    }
  }

  async #tryListening(host: string, port: number): Promise<boolean> {
    try {
      if (!this.#isClosing) await this.listen(host, port);
      return true;
    } catch (error) {
      this.#options.log.error({ err: error }, 'the TLS thread cannot listen');
      return false;
    }
  }

  #open(opened: OpenedConnection): void {
    const connection = new TlsConnection(opened);
    this.#connections.add(connection);
    connection.once('close', () => {
      this.#connections.delete(connection);
      if (this.#connections.size === 0) this.#events.emit('drained');
    });
    this.#options.onConnection(connection);
  }
}
