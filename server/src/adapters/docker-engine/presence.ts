import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/ports.ts';
import { SeldomLog } from '../../platform/seldom-log.ts';
import type { Presence } from '../../runtimes/presence.port.ts';
import type { Owner } from '../remote-engine/labels.ts';
import type { DaemonEvent } from './api.ts';
import { DockerClient, type DockerEndpoint } from './client.ts';
import { DockerUnreachable } from './failures.ts';
import { Names } from './names.ts';
import { findOwnContainer } from './own-container.ts';
import { ServiceNetworks } from './service-networks.ts';

/** For networks whose event was lost, and daemons that tell of no networks. */
const LOOK_EVERY_MS = 10_000;
const PAUSE_MS = { first: 1000, longest: 30_000 };

export interface DockerPresenceOptions extends DockerEndpoint, Owner {
  /** The host of MTLS_PUBLIC_URL. */
  service_name: string;
  log: Log;
  /** For tests. */
  hostname?: string;
  lookEveryMs?: number;
  firstPauseMs?: number;
}

/**
 * Keeps this service's container in the networks of all tenants of a daemon, whichever copy makes them. It leaves a
 * network when the copy that has the cluster removes it. Does nothing where the service is no container of that daemon.
 */
export class DockerPresence implements Presence {
  readonly #options: DockerPresenceOptions;
  readonly #client: DockerClient;
  readonly #networks: ServiceNetworks;
  readonly #log: SeldomLog;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: DockerPresenceOptions) {
    const { service_name, log } = options;
    this.#options = options;
    this.#client = new DockerClient(options);
    const names = new Names(options);
    this.#networks = new ServiceNetworks({ client: this.#client, names, service_name, log });
    this.#log = new SeldomLog(log);
    this.#running = this.#run();
  }

  close(): Promise<void> {
    this.#closing.abort();
    return this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { firstPauseMs: first = PAUSE_MS.first } = this.#options;
    for (let pauseMs = first; !signal.aborted; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
      try {
        this.#client.forgetVersion();
        if (!(await this.#join())) return;
        pauseMs = first;
        await this.#follow();
      } catch (error) {
        if (!signal.aborted) this.#warn(error);
      }
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Until the daemon ends its events. */
  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    const query = { filters: { type: ['network'], event: ['create'] } };
    const join = async () => void (await this.#join().catch((error: unknown) => this.#warn(error)));
    const timer = setInterval(() => void join(), this.#options.lookEveryMs ?? LOOK_EVERY_MS).unref();
    try {
      const events = this.#client.lines<DaemonEvent>({ path: '/events', query, signal }, () => void join());
      for await (const { Actor } of events) if (Actor) await join();
      throw new DockerUnreachable('The daemon ended its events');
    } finally {
      clearInterval(timer);
    }
  }

  /** @returns false: the service is no container there */
  async #join(): Promise<boolean> {
    const own = await findOwnContainer(this.#client, this.#options.hostname ?? hostname());
    if (own) await this.#networks.joinAll(own);
    return own !== undefined;
  }

  #warn(error: unknown): void {
    this.#log.warn('join', { err: error }, 'the networks of tenants were not joined; trying again');
  }
}
