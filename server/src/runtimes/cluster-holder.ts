import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ClusterPresences } from './cluster-presences.ts';
import type { Engine } from './engine.port.ts';
import { giveLeasesBack, listClusterSettings, renewLeases, takeLease } from './leases.db.ts';
import type { HeldCluster, OpenPlace } from './place.port.ts';
import type { OpenPresence } from './presence.port.ts';
import { type HostOptions, type HostServices, RuntimeHost } from './runtime-host.ts';

const ROUND_MS = 5000;
const LEASE_MS = 20_000;
/** Hosts that end calls to an engine when the service stops. */
const STOP_WITHIN_MS = 5000;

/** Throws when a setting of the cluster is wrong. Connects later. */
export type OpenEngine = (cluster: HeldCluster) => Engine;

export interface HolderOptions extends Omit<HostOptions, 'onReach'> {
  openEngine: OpenEngine;
  /** undefined: the runtimes of all clusters are within reach anyway. */
  openPresence?: OpenPresence | undefined;
  /** The ids of clusters that this copy reconciles; undefined: all. */
  clusters?: readonly string[] | undefined;
  roundMs?: number | undefined;
}

interface Held {
  cluster: HeldCluster;
  host: RuntimeHost;
  /** By this process's clock. */
  renewedAt: number;
  /** While it ends. */
  closing?: Promise<void>;
}

/**
 * Takes leases of clusters and runs a host for each that it has. Leases are rows, because rows are what they protect: every
 * write of a host requires its lease in the same statement.
 */
export class ClusterHolder {
  readonly #services: HostServices & { settings: { host_id: string } };
  readonly #options: HolderOptions;
  readonly #held = new Map<string, Held>();
  readonly #presences: ClusterPresences | undefined;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isStopping = false;

  constructor(services: HostServices & { settings: { host_id: string } }, options: HolderOptions) {
    this.#services = services;
    this.#options = options;
    const { openPresence } = options;
    this.#presences = openPresence && new ClusterPresences(openPresence, services.seldomLog);
  }

  get #me(): string {
    return this.#services.settings.host_id;
  }

  /** Leases of this copy's earlier process are free at once. */
  async start(): Promise<void> {
    await this.#services.db.system.run(giveLeasesBack(this.#me));
    this.#timer = setInterval(() => this.#beginRound(), this.#options.roundMs ?? ROUND_MS);
    this.#beginRound();
  }

  /** Ends no runtime. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    const hosts = Promise.all([...this.#held.values()].map((held) => this.#close(held)));
    const ended = Promise.all([this.#round, hosts, this.#presences?.close()]);
    await Promise.race([ended, sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
    await this.#services.db.system.run(giveLeasesBack(this.#me)).catch(() => {});
  }

  #beginRound(): void {
    if (this.#isStopping) return;
    this.#round ??= this.#renewAndTake()
      .catch((error: unknown) =>
        this.#services.seldomLog.warn('leases', { err: error }, 'the leases of clusters were not renewed'),
      )
      .finally(() => {
        this.#round = undefined;
      });
  }

  async #renewAndTake(): Promise<void> {
    const { system } = this.#services.db;
    const asked = performance.now();
    const sights = Object.fromEntries(
      [...this.#held].map(
        ([
          id,
          {
            host,
            cluster: { settings_hash },
          },
        ]) => [id, { settings_hash, reachable: host.reachable }],
      ),
    );
    const renewed = await system.run(renewLeases(this.#me, sights));
    const kept = new Map(renewed.map((cluster) => [cluster.id, cluster]));
    for (const [id, held] of this.#held) this.#keep(held, kept.get(id), asked);
    const { taken, all } = await system.run({
      taken: takeLease(this.#me, this.#options.clusters ?? null),
      all: listClusterSettings(),
    });
    if (taken) kept.set(taken.id, taken);
    if (this.#isStopping) return;
    this.#presences?.follow(all);
    // Also those whose settings have changed, and that are closed by now.
    for (const cluster of kept.values()) if (!this.#held.has(cluster.id)) this.#open(cluster, asked);
  }

  #keep(held: Held, cluster: HeldCluster | undefined, asked: number): void {
    held.renewedAt = asked;
    if (isDeepStrictEqual(cluster, held.cluster)) return;
    if (!cluster)
      this.#services.log.warn(
        { cluster_id: held.cluster.id },
        'this copy does not have the cluster any more',
      );
    void this.#close(held);
  }

  #close(held: Held): Promise<void> {
    held.renewedAt = Number.NEGATIVE_INFINITY;
    held.closing ??= held.host.stop().finally(() => this.#held.delete(held.cluster.id));
    return held.closing;
  }

  #open(cluster: HeldCluster, renewedAt: number): void {
    const { id, host_id, engine: kind } = cluster;
    const isHeld = () => performance.now() - (this.#held.get(id)?.renewedAt ?? -LEASE_MS) < LEASE_MS;
    const place: OpenPlace = { kind, host_id, holder: this.#me, engine: this.#engineOf(cluster), isHeld };
    const host = new RuntimeHost(this.#services, place, {
      ...this.#options,
      onReach: () => this.#beginRound(),
    });
    this.#held.set(id, { cluster, host, renewedAt });
    void host.start();
    this.#services.log.info({ cluster_id: id }, 'this copy has the cluster now');
  }

  #engineOf(cluster: HeldCluster): Engine {
    try {
      return this.#options.openEngine(cluster);
    } catch (error) {
      this.#services.log.error(
        { cluster_id: cluster.id, err: error },
        'a cluster has settings that do not work',
      );
      return outOfReach(error);
    }
  }
}

/** Until the settings of its cluster are changed. */
function outOfReach(reason: unknown): Engine {
  const refuse = () => Promise.reject(reason);
  return {
    ensure: refuse,
    remove: refuse,
    watch: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
    close: async () => {},
  };
}
