import type { HeldCluster } from './place.port.ts';

/** Keeps this copy of the service where it can reach the runtimes of a cluster, also while another copy has its lease. */
export interface Presence {
  /** Resolves when nothing is under way. Never rejects. */
  close(): Promise<void>;
}

/** undefined: nothing has to be done for it. Throws when a setting of the cluster is wrong. Connects later. */
export type OpenPresence = (cluster: HeldCluster) => Presence | undefined;
