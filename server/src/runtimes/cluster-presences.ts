import { isDeepStrictEqual } from 'node:util';
import type { SeldomLog } from '../platform/seldom-log.ts';
import type { HeldCluster } from './place.port.ts';
import type { OpenPresence, Presence } from './presence.port.ts';

interface Open {
  cluster: HeldCluster;
  presence: Presence | undefined;
}

/** One for each cluster, whichever copy has its lease. */
export class ClusterPresences {
  readonly #open: OpenPresence;
  readonly #log: SeldomLog;
  readonly #present = new Map<string, Open>();
  readonly #closing = new Set<Promise<void>>();

  constructor(open: OpenPresence, log: SeldomLog) {
    this.#open = open;
    this.#log = log;
  }

  /** @param clusters all that there are */
  follow(clusters: readonly HeldCluster[]): void {
    const wanted = new Map(clusters.map((cluster) => [cluster.id, cluster]));
    for (const open of this.#present.values())
      if (!isDeepStrictEqual(open.cluster, wanted.get(open.cluster.id))) this.#close(open);
    for (const cluster of clusters)
      if (!this.#present.has(cluster.id))
        this.#present.set(cluster.id, { cluster, presence: this.#tryOpen(cluster) });
  }

  async close(): Promise<void> {
    for (const open of this.#present.values()) this.#close(open);
    await Promise.all(this.#closing);
  }

  /** Nobody waits for a daemon that is slow. */
  #close({ cluster, presence }: Open): void {
    this.#present.delete(cluster.id);
    if (!presence) return;
    const closing = presence.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  /** Wrong settings are tried again when they have changed. */
  #tryOpen(cluster: HeldCluster): Presence | undefined {
    try {
      return this.#open(cluster);
    } catch (error) {
      const fields = { cluster_id: cluster.id, err: error };
      this.#log.warn(`presence ${cluster.id}`, fields, 'the runtimes of a cluster may be out of reach here');
      return undefined;
    }
  }
}
