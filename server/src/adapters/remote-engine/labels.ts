import type { RuntimeSpec } from '../../runtimes/engine.port.ts';

/** Keys of labels at what belongs to a runtime. */
export const RUNTIME_LABEL = {
  installation: 'agent-control-plane.installation',
  cluster: 'agent-control-plane.cluster',
  instance: 'agent-control-plane.instance',
  tenant: 'agent-control-plane.tenant',
  generation: 'agent-control-plane.generation',
} as const;

/** The key of a label, or of an annotation. */
export const SPEC_HASH = 'agent-control-plane.spec-hash';

/** Several may share a daemon or a namespace: other installations, and other clusters of one. */
export interface Owner {
  installation: string;
  /** The cluster's id. */
  cluster: string;
}

export const labelsOf = (spec: RuntimeSpec, { installation, cluster }: Owner) => ({
  [RUNTIME_LABEL.installation]: installation,
  [RUNTIME_LABEL.cluster]: cluster,
  [RUNTIME_LABEL.instance]: spec.instance_id,
  [RUNTIME_LABEL.tenant]: spec.tenant_id,
  [RUNTIME_LABEL.generation]: String(spec.generation),
});

/** Things that no cluster is named at belong to all clusters of the installation. */
export function isOwned(
  labels: Readonly<Record<string, string>> | null | undefined,
  { installation, cluster }: Owner,
): boolean {
  const { [RUNTIME_LABEL.installation]: found, [RUNTIME_LABEL.cluster]: of = cluster } = labels ?? {};
  return found === installation && of === cluster;
}
