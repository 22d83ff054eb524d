/** Parts of the Kubernetes API that are used here, the same from version 1.20 on. */

export interface ObjectMeta {
  name?: string;
  uid?: string;
  resourceVersion?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  /** It is being deleted. */
  deletionTimestamp?: string;
  ownerReferences?: {
    apiVersion: string;
    kind: string;
    name: string;
    uid: string;
    controller?: boolean;
    blockOwnerDeletion?: boolean;
  }[];
}

export interface Terminated {
  exitCode?: number;
  signal?: number;
  /** Error, OOMKilled, Completed and others. */
  reason?: string;
  message?: string;
  /** The container that ended. */
  containerID?: string;
  finishedAt?: string;
}

export interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string };
  terminated?: Terminated;
}

export interface ContainerStatus {
  name: string;
  ready?: boolean;
  /** Its startup probe has succeeded. */
  started?: boolean;
  restartCount?: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

export interface Pod {
  apiVersion?: 'v1';
  kind?: 'Pod';
  metadata: ObjectMeta;
  spec?: Record<string, unknown>;
  status?: {
    /** Pending, Running, Succeeded, Failed or Unknown. */
    phase?: string;
    reason?: string;
    message?: string;
    podIP?: string;
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
    containerStatuses?: ContainerStatus[];
  };
}

export interface Secret {
  apiVersion?: 'v1';
  kind?: 'Secret';
  metadata: ObjectMeta;
  immutable?: boolean;
  stringData?: Record<string, string>;
}

/** The body of a refusal. */
export interface Status {
  code?: number;
  /** AlreadyExists, Conflict, Forbidden, Invalid, Expired and others. */
  reason?: string;
  message?: string;
  details?: { retryAfterSeconds?: number };
}

export interface PodList {
  metadata?: { resourceVersion?: string; continue?: string };
  items?: Pod[] | null;
}

/** A line of a watch. */
export type WatchEvent =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: Pod }
  | { type: 'BOOKMARK'; object: { metadata?: { resourceVersion?: string } } }
  | { type: 'ERROR'; object: Status };
