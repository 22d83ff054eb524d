import { isOwned, type Owner, RUNTIME_LABEL } from '../remote-engine/labels.ts';
import type { Pod } from './api.ts';

/** Keys of labels at pods and secrets. */
export const LABEL = {
  ...RUNTIME_LABEL,
  /** `true`: a network policy may let the pod reach public addresses. */
  internet: 'agent-control-plane.internet',
} as const;

/** Pods and their secrets have the same one. */
export const nameOf = (instance_id: string, generation: number) => `r-${instance_id}-${generation}`;

export const selectorOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

/** undefined: the pod is not one of this cluster and installation. */
export function instanceOf({ metadata }: Pod, owner: Owner): string | undefined {
  const { labels, name } = metadata;
  const instance_id = labels?.[LABEL.instance];
  if (!isOwned(labels, owner) || !instance_id) return undefined;
  return name === nameOf(instance_id, generationOf({ metadata })) ? instance_id : undefined;
}

export const generationOf = ({ metadata }: Pod) => Number(metadata.labels?.[LABEL.generation] ?? 0) || 0;

/** The uid of the secret that owns the pod; undefined: another one made the pod. */
export const ownerOf = ({ metadata }: Pod) =>
  metadata.ownerReferences?.find(({ kind, controller }) => kind === 'Secret' && controller)?.uid;

/** It becomes part of names and labels. */
export function requireName(id: string): void {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,50}[a-z0-9])?$/.test(id))
    throw new Error('An id must consist of small letters, digits and -');
}
