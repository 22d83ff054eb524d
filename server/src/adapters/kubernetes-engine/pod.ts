import type { Minted, RuntimeSpec } from '../../runtimes/engine.port.ts';
import { labelsOf, type Owner, SPEC_HASH } from '../remote-engine/labels.ts';
import { environmentOf, RUNTIME_PORT, whyUnfit } from '../remote-engine/runtime-environment.ts';
import type { Pod, Secret } from './api.ts';
import { StartFailure } from './failures.ts';
import { LABEL, nameOf } from './names.ts';
import { CONTAINER } from './observation.ts';

const USER = 10_001;
const GRACE_SECONDS = 6;
const PROBE_SECONDS = 2;
const LOST_SECONDS = 30;
const LEAST_CPU_MILLIS = 250;
/** Name and value of variables count. */
const MAX_SECRET_BYTES = 1_000_000;

/** All pods of a cluster have it in common. */
export interface PodOptions extends Owner {
  /** For runtimes that name none. */
  image: string;
  pull_policy: 'missing' | 'always' | 'never';
  start_timeout_ms: number;
  runtime_class?: string | undefined;
  node_selector?: Readonly<Record<string, string>> | undefined;
  tolerations?: readonly object[] | undefined;
  pull_secret?: string | undefined;
  host_users?: boolean | undefined;
  service_account?: string | undefined;
}

const PULL_POLICY = { missing: 'IfNotPresent', always: 'Always', never: 'Never' } as const;

/** All of the environment, since only the secret's readers may see it. */
export function secretOf(spec: RuntimeSpec, minted: Minted, owner: Owner): Secret {
  const environment = environmentOf(spec, minted);
  requireFitting(environment);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: nameOf(spec.instance_id, spec.generation), labels: labelsOf(spec, owner) },
    immutable: true,
    stringData: environment,
  };
}

function requireFitting(environment: Readonly<Record<string, string>>): void {
  const unfit = whyUnfit(environment);
  if (unfit !== undefined) throw new StartFailure('spec_rejected', unfit, { isFinal: true });
  const size = Object.entries(environment).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key + value),
    0,
  );
  if (size > MAX_SECRET_BYTES)
    throw new StartFailure('spec_rejected', 'The environment is larger than a secret may be', {
      isFinal: true,
    });
}

/** A pod that the Pod Security Standard `restricted` allows. @param owner uid of its secret */
export function podOf(spec: RuntimeSpec, owner: string, options: PodOptions): Pod {
  const name = nameOf(spec.instance_id, spec.generation);
  const { runtime_class, node_selector, pull_secret, host_users, service_account } = options;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: { ...labelsOf(spec, options), ...(spec.internet && { [LABEL.internet]: 'true' }) },
      // A label's value may have 63 characters, one less than the hash.
      annotations: { [SPEC_HASH]: spec.hash, 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Secret', name, uid: owner, controller: true, blockOwnerDeletion: false },
      ],
    },
    spec: {
      // A crash restarts in place, with the identity in /state.
      restartPolicy: 'Always',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: GRACE_SECONDS,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: USER,
        runAsGroup: USER,
        fsGroup: USER,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      tolerations: [...LOST, ...(options.tolerations ?? [])],
      ...(runtime_class !== undefined && { runtimeClassName: runtime_class }),
      ...(node_selector && { nodeSelector: node_selector }),
      ...(pull_secret !== undefined && { imagePullSecrets: [{ name: pull_secret }] }),
      ...(host_users !== undefined && { hostUsers: host_users }),
      ...(service_account !== undefined && { serviceAccountName: service_account }),
      containers: [containerOf(spec, name, options)],
      volumes: ['state', 'tmp'].map((volume) => ({
        name: volume,
        emptyDir: { medium: 'Memory', sizeLimit: '16Mi' },
      })),
    },
  };
}

/** Pods of a node that is silent are replaced after this time, not after five minutes. */
const LOST = ['not-ready', 'unreachable'].map((taint) => ({
  key: `node.kubernetes.io/${taint}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: LOST_SECONDS,
}));

function containerOf(
  spec: RuntimeSpec,
  secret: string,
  { image, pull_policy, start_timeout_ms }: PodOptions,
) {
  const memory = `${spec.memory_mib}Mi`;
  const cpu = Math.max(spec.cpu_millis, LEAST_CPU_MILLIS);
  return {
    name: CONTAINER,
    image: spec.image ?? image,
    imagePullPolicy: PULL_POLICY[pull_policy],
    envFrom: [{ secretRef: { name: secret } }],
    ports: [{ containerPort: RUNTIME_PORT }],
    resources: {
      requests: { memory, cpu: `${Math.ceil(cpu / 10)}m` },
      limits: { memory, cpu: `${cpu}m` },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    // The service may be away while the runtime enrolls, so the probe ends nothing before the start timeout.
    startupProbe: {
      tcpSocket: { port: RUNTIME_PORT },
      periodSeconds: PROBE_SECONDS,
      timeoutSeconds: PROBE_SECONDS,
      failureThreshold: Math.ceil(start_timeout_ms / 1000 / PROBE_SECONDS) + 1,
    },
    readinessProbe: {
      httpGet: { scheme: 'HTTPS', path: '/health', port: RUNTIME_PORT },
      periodSeconds: 5,
      timeoutSeconds: 5,
      failureThreshold: 1,
    },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: ['state', 'tmp'].map((name) => ({ name, mountPath: `/${name}` })),
  };
}
