import { expect, test } from 'vitest';
import type { RuntimeSpec } from '../../runtimes/engine.port.ts';
import { type PodOptions, podOf, secretOf } from './pod.ts';

const MINTED = {
  ENROLLMENT_TOKEN: 'minted-1',
  PROXY_KEY: 'minted-2',
  MESSAGE_SECRET: 'minted-3',
  LLM_API_KEY: 'minted-4',
};
const SPEC: RuntimeSpec = {
  instance_id: 'one',
  tenant_id: 'tenant',
  generation: 4,
  cpu_millis: 500,
  memory_mib: 256,
  internet: false,
  hash: 'f'.repeat(64),
  environment: { CONTROL_PLANE_URL: 'https://service', DOLLAR: '$(HOME)' },
};
const OPTIONS: PodOptions = {
  installation: 'installation',
  cluster: 'eu-1',
  image: 'runtime:1',
  pull_policy: 'missing',
  start_timeout_ms: 300_000,
};

interface Container {
  image: string;
  imagePullPolicy: string;
  resources: object;
  securityContext: object;
  startupProbe: { periodSeconds: number; failureThreshold: number };
  readinessProbe: object;
}

const specOf = (spec: Partial<RuntimeSpec> = {}, options: Partial<PodOptions> = {}) => {
  const pod = podOf({ ...SPEC, ...spec }, 'owner-uid', { ...OPTIONS, ...options });
  const [container] = (pod.spec as { containers: Container[] }).containers;
  return { pod, spec: pod.spec ?? {}, container: container as Container };
};

test('a pod may run where the Pod Security Standard restricted is enforced', () => {
  const { spec, container } = specOf();
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    restartPolicy: 'Always',
    securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
  });
  for (const forbidden of ['hostNetwork', 'hostPID', 'hostIPC']) expect(spec).not.toHaveProperty(forbidden);
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    privileged: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const volumes = spec.volumes as object[];
  expect(volumes.every((volume) => 'emptyDir' in volume)).toBe(true);
});

test('nothing of the environment is in the pod, and all of it is in its secret', () => {
  const secret = secretOf(SPEC, MINTED, OPTIONS);
  expect(secret).toMatchObject({ immutable: true, metadata: { name: 'r-one-4' } });
  expect(secret.stringData).toEqual({
    ...SPEC.environment,
    ...MINTED,
    INSTANCE_ID: 'one',
    TLS: 'on',
    HOST: '0.0.0.0',
    PORT: '8700',
    STATE_DIR: '/state',
  });
  const { pod } = specOf();
  expect(JSON.stringify(pod)).not.toMatch(/minted|https:\/\/service/);
  expect(JSON.stringify(secret.metadata)).not.toContain('minted');
});

test('a pod belongs to its secret, and a label has at most 63 characters', () => {
  const { metadata } = specOf({ internet: true }).pod;
  expect(metadata.ownerReferences).toEqual([
    {
      apiVersion: 'v1',
      kind: 'Secret',
      name: 'r-one-4',
      uid: 'owner-uid',
      controller: true,
      blockOwnerDeletion: false,
    },
  ]);
  expect(metadata.labels).toEqual({
    'agent-control-plane.installation': 'installation',
    'agent-control-plane.cluster': 'eu-1',
    'agent-control-plane.instance': 'one',
    'agent-control-plane.tenant': 'tenant',
    'agent-control-plane.generation': '4',
    'agent-control-plane.internet': 'true',
  });
  expect(metadata.annotations).toMatchObject({ 'agent-control-plane.spec-hash': SPEC.hash });
});

test.each([
  [500, { cpu: '50m' }, { cpu: '500m' }],
  [100, { cpu: '25m' }, { cpu: '250m' }],
])('%i thousandths of a CPU are requested and limited as %o and %o', (cpu_millis, requests, limits) => {
  const memory = '256Mi';
  expect(specOf({ cpu_millis }).container.resources).toEqual({
    requests: { memory, ...requests },
    limits: { memory, ...limits },
  });
});

test('the startup probe ends nothing before the start timeout', () => {
  const { startupProbe } = specOf({}, { start_timeout_ms: 3_600_000 }).container;
  expect(startupProbe.failureThreshold * startupProbe.periodSeconds).toBeGreaterThanOrEqual(3600);
});

test('a cluster adds its own options, and a manifest its image', () => {
  const { spec, container } = specOf(
    { image: 'other:2' },
    {
      pull_policy: 'never',
      runtime_class: 'gvisor',
      node_selector: { pool: 'agents' },
      tolerations: [{ key: 'agents', operator: 'Exists' }],
      pull_secret: 'registry',
      host_users: false,
      service_account: 'runtimes',
    },
  );
  expect(container).toMatchObject({ image: 'other:2', imagePullPolicy: 'Never' });
  expect(spec).toMatchObject({
    runtimeClassName: 'gvisor',
    nodeSelector: { pool: 'agents' },
    imagePullSecrets: [{ name: 'registry' }],
    hostUsers: false,
    serviceAccountName: 'runtimes',
  });
  const lost = { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 };
  expect(spec.tolerations).toEqual([
    { key: 'node.kubernetes.io/not-ready', ...lost },
    { key: 'node.kubernetes.io/unreachable', ...lost },
    { key: 'agents', operator: 'Exists' },
  ]);
  expect(Object.keys(specOf().spec)).not.toContain('hostUsers');
});

test.each([
  ['holds NUL', { WRONG: 'a\0b' }, 'WRONG must not contain NUL'],
  ['is too large', { LARGE: 'x'.repeat(1_000_001) }, 'larger than a secret may be'],
])('an environment that %s is refused', (_how, environment, message) => {
  expect(() => secretOf({ ...SPEC, environment }, MINTED, OPTIONS)).toThrow(message);
});
