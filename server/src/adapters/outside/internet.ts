import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { EventEmitter, once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../platform/ports.ts';
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

type Message = { id: number; host: string } | { path: string; failed?: string };

/**
 * Proxies of HTTP (CONNECT, and requests for http URLs) that reach public addresses alone, each at a Unix socket. They run
 * in a thread of their own, which starts with the first.
 */
export class Internet {
  readonly #log: Log;
  readonly #lookup: (name: string) => Promise<LookupAddress[]>;
  readonly #isOpen: (address: string) => boolean;
  readonly #paths = new Set<string>();
  readonly #events = new EventEmitter().setMaxListeners(0);
  #worker: Worker | undefined;

  constructor({ log, lookup = lookUpAll, isOpen = (address) => isOutside(address) }: InternetOptions) {
    this.#log = log;
    this.#lookup = lookup;
    this.#isOpen = isOpen;
  }

  /** Opens a proxy at a socket that it makes. @returns closes and removes it */
  async open(path: string): Promise<() => Promise<void>> {
    this.#paths.add(path);
    const failed = await this.#tell(path, { listenAt: path });
    if (failed !== undefined) throw new Error(failed);
    return async () => {
      this.#paths.delete(path);
      const worker = this.#worker;
      if (worker) await Promise.race([this.#tell(path, { closeAt: path }), once(worker, 'exit')]);
      if (this.#paths.size > 0 || this.#worker !== worker) return;
      this.#worker = undefined;
      await worker?.terminate();
    };
  }

  /** @returns what failed. A thread that is started again is told again */
  async #tell(path: string, message: object): Promise<string | undefined> {
    const answered = once(this.#events, path);
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
    const [failed] = (await answered) as [string | undefined];
    return failed;
  }

  #start(): Worker {
    const worker = new Worker(SCRIPT, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } });
    worker.on('error', (error) => this.#log.error({ err: error }, 'the proxy of runtimes failed'));
    worker.on('message', (message: Message) => {
      if ('path' in message) this.#events.emit(message.path, message.failed);
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
    for (const path of this.#paths) worker.postMessage({ listenAt: path });
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
