import { randomUUID } from 'node:crypto';
import type { ClusterAccess } from '../../src/adapters/kubernetes-engine/access.ts';
import { KubernetesEngine } from '../../src/adapters/kubernetes-engine/engine.ts';
import { nameOf } from '../../src/adapters/kubernetes-engine/names.ts';
import { silentLog } from '../support/log.ts';
import type { EngineBed } from './contract.ts';

export const IMAGE = 'runtime:1';
/** The suite's runtimes begin with it. */
const GENERATION = 3;

/** The pod, and its secret, of an instance of the suite. */
export const podName = (instance_id: string) => nameOf(instance_id, GENERATION);

/** Shared by the suite's beds of fake and real API servers. */
export function kubernetesBed(access: ClusterAccess) {
  const installation = randomUUID();
  const output: string[] = [];
  return {
    output,
    outlives: true,
    restartsInPlace: true,
    mintsFirst: true,
    image: IMAGE,
    open: ({ start_timeout_ms = 60_000, cluster = 'default', clean } = {}) =>
      new KubernetesEngine({
        access,
        installation,
        cluster,
        image: IMAGE,
        pull_policy: 'missing',
        start_timeout_ms,
        log: silentLog,
        onOutput: async (_id, lines) => void output.push(...lines),
        ...(clean && { clean }),
      }),
  } satisfies Partial<EngineBed>;
}
