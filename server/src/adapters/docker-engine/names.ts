import { isOwned, type Owner, RUNTIME_LABEL, SPEC_HASH } from '../remote-engine/labels.ts';

/** Keys of labels at containers, networks and volumes. */
export const LABEL = {
  ...RUNTIME_LABEL,
  spec_hash: SPEC_HASH,
  /** `isolated`, `gateway` or `internet`. */
  network: 'agent-control-plane.network',
} as const;

type Labels = Readonly<Record<string, string>> | null | undefined;

/**
 * Names and labels of one cluster's objects on a daemon that others may use as well. A tenant's networks belong to all
 * clusters of the installation.
 */
export class Names {
  readonly owner: Owner;
  readonly #prefix: string;

  constructor({ installation, cluster }: Owner) {
    this.owner = { installation, cluster };
    this.#prefix = `acp-${installation.slice(0, 8)}-`;
  }

  /** Its container and its volume have the same name. */
  ofRuntime(instance_id: string): string {
    return `${this.#prefix}${instance_id}`;
  }

  ofNetwork(tenant_id: string, { internet }: { internet: boolean }): string {
    return `${this.#prefix}${tenant_id}${internet ? '-internet' : ''}`;
  }

  /** undefined: the container is not called as ours are. */
  instanceOf(name: string | undefined): string | undefined {
    const [, instance_id] = /^\/?acp-[^-]+-([\w-]+)$/.exec(name ?? '') ?? [];
    const isOurs = instance_id !== undefined && name?.replace('/', '') === this.ofRuntime(instance_id);
    return isOurs ? instance_id : undefined;
  }

  isOurs(labels: Labels): boolean {
    return isOwned(labels, this.owner);
  }

  /** For `filters` of a list or of events: those of all clusters of the installation. */
  filter(more: Readonly<Record<string, string>> = {}): { label: string[] } {
    const all = { [LABEL.installation]: this.owner.installation, ...more };
    return { label: Object.entries(all).map(([key, value]) => `${key}=${value}`) };
  }
}
