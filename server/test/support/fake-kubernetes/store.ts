import { randomUUID } from 'node:crypto';
import type { ObjectMeta, Pod, Secret, Status } from '../../../src/adapters/kubernetes-engine/api.ts';

export interface Change {
  version: number;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: Pod;
}

/** An answer of the API server with an error. */
export class Refused extends Error {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: number, reason: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = { code, reason, message };
    this.headers = headers;
  }
}

type Selected = (metadata: ObjectMeta) => boolean;

/** Objects with versions, and the changes that watches tell. */
export class FakeStore {
  readonly pods = new Map<string, Pod>();
  readonly secrets = new Map<string, Secret>();
  readonly #listeners = new Set<(change: Change) => void>();
  #history: Change[] = [];
  #version = 100;
  /** Versions before it are forgotten. */
  #oldest = 0;

  get version(): string {
    return String(this.#version);
  }

  /** The API server forgets all versions before this one. */
  compact(): void {
    this.#version++;
    this.#oldest = this.#version;
    this.#history = [];
  }

  isForgotten(version: string): boolean {
    return Number(version) < this.#oldest;
  }

  since(version: string): Change[] {
    return this.#history.filter((change) => change.version > Number(version));
  }

  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  select(selected: Selected): Pod[] {
    return [...this.pods.values()].filter(({ metadata }) => selected(metadata));
  }

  createSecret(secret: Secret): Secret {
    const made = { ...secret, metadata: this.#metadataOf('secrets', secret.metadata, this.secrets) };
    this.secrets.set(made.metadata.name ?? '', made);
    return made;
  }

  createPod(pod: Pod): Pod {
    const made = {
      ...pod,
      metadata: this.#metadataOf('pods', pod.metadata, this.pods),
      status: { phase: 'Pending' },
    };
    this.#tell('ADDED', made);
    return made;
  }

  /** @param change of metadata and status */
  changePod(name: string, change: { metadata?: ObjectMeta; status?: Pod['status'] }): void {
    const pod = this.pods.get(name);
    if (!pod) return;
    const metadata = { ...pod.metadata, ...change.metadata };
    this.#tell('MODIFIED', { ...pod, metadata, status: { ...pod.status, ...change.status } });
  }

  removePod(name: string): void {
    const pod = this.pods.get(name);
    if (pod) this.#tell('DELETED', pod);
  }

  #metadataOf(kind: string, metadata: ObjectMeta, objects: ReadonlyMap<string, unknown>): ObjectMeta {
    const { name = '' } = metadata;
    if (objects.has(name)) throw new Refused(409, 'AlreadyExists', `${kind} "${name}" already exists`);
    this.#version++;
    return { ...metadata, uid: randomUUID(), resourceVersion: this.version };
  }

  #tell(type: Change['type'], pod: Pod): void {
    this.#version++;
    const object = { ...pod, metadata: { ...pod.metadata, resourceVersion: this.version } };
    const name = object.metadata.name ?? '';
    if (type === 'DELETED') this.pods.delete(name);
    else this.pods.set(name, object);
    const change = { version: this.#version, type, object };
    this.#history.push(change);
    for (const listener of this.#listeners) listener(change);
  }
}

/** Reads a labelSelector or fieldSelector of equalities. */
export function selectedBy(query: URLSearchParams): Selected {
  const labels = (query.get('labelSelector') ?? '').split(',').filter(Boolean);
  const name = /^metadata\.name=(.*)$/.exec(query.get('fieldSelector') ?? '')?.[1];
  return (metadata) =>
    (name === undefined || metadata.name === name) &&
    labels.every((label) => {
      const [key = '', value] = label.split('=');
      return metadata.labels?.[key] === value;
    });
}
