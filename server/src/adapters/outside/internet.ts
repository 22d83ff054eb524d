import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../platform/ports.ts';
import { type SocketAnswer, ThreadSockets } from '../../platform/thread-sockets.ts';
import { addressIn, isPublicAddress, isSameAddress } from './public-address.ts';

const SCRIPT = join(import.meta.dirname, '../../../internet-thread.mjs');
const START_AGAIN_AFTER_MS = 100;
const MAX_HEAP_MIB = 128;

interface InternetOptions {
  log: Log;
  /** All addresses of a name; the system's by default. */
  lookup?: (name: string) => Promise<LookupAddress[]>;
  /** By default public addresses that are not this machine's. */
  isOpen?: (address: string) => boolean;
}

type Message = { id: number; host: string } | SocketAnswer;

/**
 * Proxies of HTTP (CONNECT, and requests for http URLs) that reach public addresses alone, each at a Unix socket. They run
 * in a thread of their own, which starts with the first.
 */
export class Internet {
  readonly #log: Log;
  readonly #lookup: (name: string) => Promise<LookupAddress[]>;
  readonly #isOpen: (address: string) => boolean;
  readonly #sockets = new ThreadSockets(() => (this.#worker ??= this.#start()));
  #worker: Worker | undefined;

  constructor({ log, lookup = lookUpAll, isOpen = (address) => isOutside(address) }: InternetOptions) {
    this.#log = log;
    this.#lookup = lookup;
    this.#isOpen = isOpen;
  }

  /** Opens a proxy at a socket that it makes. @returns closes and removes it */
  async open(path: string): Promise<() => Promise<void>> {
    await this.#sockets.open(path);
    return async () => {
      this.#sockets.forget(path);
      const worker = this.#worker;
      if (worker) await this.#sockets.close(path, once(worker, 'exit'));
      if (!this.#sockets.isEmpty || this.#worker !== worker) return;
      this.#worker = undefined;
      await worker?.terminate();
    };
  }

  #start(): Worker {
    const worker = new Worker(SCRIPT, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
    worker.on('error', (error) => this.#log.error({ err: error }, 'the proxy of runtimes failed'));
    worker.on('message', (message: Message) => {
      if ('path' in message) this.#sockets.answered(message);
      else void this.#answer(worker, message);
    });
    worker.once('exit', () => void this.#startAgain(worker));
    worker.unref();
    return worker;
  }

  async #startAgain(ended: Worker): Promise<void> {
    if (this.#worker !== ended) return;
    await wait(START_AGAIN_AFTER_MS);
    const worker = (this.#worker = this.#start());
    this.#sockets.openAgainIn(worker);
  }

  async #answer(worker: Worker, { id, host }: { id: number; host: string }): Promise<void> {
    worker.postMessage({ id, addresses: await this.#addressesOf(host) });
  }

  /** A name with one address that is not open has none: its others may be a disguise. */
  async #addressesOf(host: string): Promise<LookupAddress[]> {
    const literal = addressIn(host);
    const found =
      literal === undefined
        ? await this.#lookup(host).catch(() => [])
        : [{ address: literal, family: literal.includes(':') ? 6 : 4 }];
    return found.every(({ address }) => this.#isOpen(address)) ? found : [];
  }
}

const lookUpAll = (name: string) => systemLookup(name, { all: true });

/** True for a public address that is not this machine's, behind which its own ports are. */
export function isOutside(address: string, interfaces = networkInterfaces()): boolean {
  const own = Object.values(interfaces).flatMap((addresses = []) => addresses);
  return isPublicAddress(address) && !own.some((one) => isSameAddress(one.address, address));
}
