import type { Engine } from './engine.port.ts';

/** As statements know it. */
export interface Place {
  /** In runtimes.host_id: a copy of the service, or a cluster. */
  host_id: string;
  /** The copy that has the cluster's lease, which every write requires; null: the copy itself is the place. */
  holder: string | null;
}

/** A place with the engine that runs its runtimes. */
export interface OpenPlace extends Place {
  kind: 'process' | 'docker' | 'kubernetes';
  engine: Engine;
  /** By this process's clock. A process that was suspended finds out at once. */
  isHeld: () => boolean;
}

/** A cluster as copies need it that talk to it. */
export interface HeldCluster {
  id: string;
  host_id: string;
  engine: OpenPlace['kind'];
  endpoint: string | null;
  sealed_credentials: Buffer | null;
  options: Record<string, unknown>;
  /** Changes with what says how it is reached. */
  settings_hash: string;
  /** The database's id, which tells what runs there for it from what runs there for others. */
  installation: string;
}
