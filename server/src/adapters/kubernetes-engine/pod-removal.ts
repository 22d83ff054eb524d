import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '../remote-engine/labels.ts';
import type { KubernetesClient } from './client.ts';
import type { KeptPods } from './kept-pods.ts';
import { instanceOf, LABEL, selectorOf } from './names.ts';

const PAUSE_MS = { first: 100, longest: 10_000 };

interface Removal {
  client: KubernetesClient;
  owner: Owner;
  kept: KeptPods;
  /** A list that was begun at `listed` showed only these. */
  dropOthers: (names: ReadonlySet<string>, listed: number) => void;
}

/** Asks for the end of all pods of an instance, also of those that no watch has shown. */
async function endPods(instance_id: string, { client, owner, kept, dropOthers }: Removal): Promise<void> {
  const listed = performance.now();
  const labels = { [LABEL.installation]: owner.installation, [LABEL.instance]: instance_id };
  const { pods } = await client.listPods(selectorOf(labels));
  for (const pod of pods) if (instanceOf(pod, owner) === instance_id) kept.putNew(pod);
  dropOthers(new Set(pods.map(({ metadata }) => metadata.name ?? '')), listed);
  for (const pod of kept.all) {
    kept.markOurs(pod.name);
    await client.deletePod(pod.name, pod.uid);
    await client.deleteSecret(pod.name, pod.owner);
  }
}

/** @returns false: aborted before it was done */
export async function endPodsUntilDone(
  instance_id: string,
  removal: Removal,
  signal: AbortSignal,
  warn: (error: unknown) => void,
): Promise<boolean> {
  for (let pauseMs = PAUSE_MS.first; !signal.aborted; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.longest)) {
    try {
      await endPods(instance_id, removal);
      return true;
    } catch (error) {
      warn(error);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
  return false;
}
