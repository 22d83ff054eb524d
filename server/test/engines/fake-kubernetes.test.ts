import { FakeKubernetes } from '../support/fake-kubernetes/fake-kubernetes.ts';
import { TEST_RUNTIME } from '../support/runtimes.ts';
import { describeEngine, type EngineBed } from './contract.ts';
import { IMAGE, kubernetesBed, podName } from './kubernetes-bed.ts';

describeEngine('kubernetes, on a fake API server', async () => {
  const fake = await FakeKubernetes.start({ images: { [IMAGE]: TEST_RUNTIME } });
  const bed: EngineBed = {
    ...kubernetesBed(fake.access),
    close: () => fake.close(),
    outOfMemory: async (id) => fake.kubelet?.outOfMemory(podName(id)),
    occupy: async (id) => void fake.store.createPod({ metadata: { name: podName(id) } }),
    isOccupied: async (id) => fake.store.pods.get(podName(id))?.metadata.labels === undefined,
    removeByHand: async (id) => fake.deletePod(podName(id)),
    takeAway: async () => {
      await fake.away();
      return () => fake.listen();
    },
    labels: async (id) => JSON.stringify(fake.store.pods.get(podName(id))?.metadata.labels),
  };
  return bed;
});
