import { describe, test } from 'vitest';
import { type ClusterAccess, fileContents } from '../../src/adapters/kubernetes-engine/access.ts';
import { TEST_RUNTIME } from '../support/runtimes.ts';
import { describeEngine, type EngineBed } from './contract.ts';
import { IMAGE, kubernetesBed, podName } from './kubernetes-bed.ts';
import { StandInNode } from './stand-in-node.ts';

/** A real API server without nodes. The engine has its own token, and the node one with all rights in the namespace. */
const { KUBERNETES_URL, KUBERNETES_CA_FILE, KUBERNETES_TOKEN_FILE, KUBERNETES_NAMESPACE } = process.env;
const { KUBERNETES_ADMIN_TOKEN_FILE = KUBERNETES_TOKEN_FILE } = process.env;

if (
  KUBERNETES_URL &&
  KUBERNETES_CA_FILE &&
  KUBERNETES_TOKEN_FILE &&
  KUBERNETES_ADMIN_TOKEN_FILE &&
  KUBERNETES_NAMESPACE
) {
  const access: ClusterAccess = {
    url: KUBERNETES_URL,
    ca: fileContents(KUBERNETES_CA_FILE),
    token: fileContents(KUBERNETES_TOKEN_FILE),
    namespace: async () => KUBERNETES_NAMESPACE,
  };
  describeEngine(`kubernetes, at ${KUBERNETES_URL}`, async () => {
    const admin = { ...access, token: fileContents(KUBERNETES_ADMIN_TOKEN_FILE) };
    const node = await StandInNode.open(admin, { [IMAGE]: TEST_RUNTIME });
    const bed: EngineBed = {
      ...kubernetesBed(access),
      close: () => node.close(),
      outOfMemory: async (id) => node.kubelet.outOfMemory(podName(id)),
      occupy: (id) => node.occupy(podName(id)),
      isOccupied: async (id) => (await node.find(podName(id))).metadata.labels === undefined,
      removeByHand: (id) => node.remove(podName(id)),
      labels: async (id) => JSON.stringify((await node.find(podName(id))).metadata.labels),
    };
    return bed;
  });
} else {
  describe('the engine kubernetes, at a real API server', () => {
    test.skip('needs KUBERNETES_URL, _CA_FILE, _TOKEN_FILE and _NAMESPACE', () => {});
  });
}
