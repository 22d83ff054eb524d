import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ROOT } from './guide.ts';

const CHART = join(ROOT, 'deploy/chart');
const CACHE = join(ROOT, 'node_modules/.cache');
const programOf = (version: string) => join(CACHE, `helm/helm-${version}`);

/** Those that tools/helm.mjs fetches. */
export const HELM_VERSIONS = ['3', '4'] as const;
export const hasHelm = HELM_VERSIONS.every((version) => existsSync(programOf(version)));

/** The parts of objects that tests look at; `typeFaults` compares the whole of them with the API. */
interface Container {
  image: string;
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef: SecretKey } }[];
  envFrom?: object[];
  ports?: object[];
  securityContext?: object;
  volumeMounts?: { mountPath: string }[];
  startupProbe?: { periodSeconds: number; failureThreshold: number };
  livenessProbe?: { httpGet: object };
  readinessProbe?: { httpGet: object };
}

interface SecretKey {
  name: string;
  key: string;
  optional?: boolean;
}

interface PodSpec {
  initContainers: [Container];
  containers: [Container];
  serviceAccountName: string;
  terminationGracePeriodSeconds: number;
  securityContext: object;
  volumes: { name: string; emptyDir?: object }[];
}

interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
}

interface PolicyRule {
  ports: { port: number | string; protocol?: string }[];
  from?: Peer[];
  to?: Peer[];
}

/** Each kind has this beside its metadata. */
interface Kinds {
  Namespace: object;
  Service: { spec: object };
  ServiceAccount: object;
  Deployment: {
    spec: {
      strategy: { type: string; rollingUpdate?: object };
      template: { metadata: { labels: object }; spec: PodSpec };
    };
  };
  Ingress: {
    spec: {
      tls: object[];
      rules: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[];
    };
  };
  NetworkPolicy: { spec: { podSelector: object; ingress: PolicyRule[]; egress: PolicyRule[] } };
  PodDisruptionBudget: { spec: object };
  Role: { rules: object[] };
  RoleBinding: object;
}

export interface ChartObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: object };
}

export interface Rendered {
  status: number | null;
  stderr: string;
  objects: ChartObject[];
}

const run = (version: string, args: readonly string[], values: object) =>
  spawnSync(programOf(version), [...args, '--values', '-'], {
    cwd: ROOT,
    encoding: 'utf8',
    input: JSON.stringify(values),
  });

export const lint = (version: string, values: object) =>
  run(version, ['lint', '--strict', '--quiet', CHART], values);

/** A release `acp` in the namespace `control`. */
export function render(values: object, version = '4', namespace = 'control'): Rendered {
  const { status, stdout, stderr } = run(
    version,
    ['template', 'acp', CHART, '--namespace', namespace],
    values,
  );
  const objects = parseAllDocuments(stdout).map((document) => document.toJS() as ChartObject | null);
  return { status, stderr, objects: objects.filter((object) => object !== null) };
}

/** The only one of its kind, or the one of the name. */
export function find<K extends keyof Kinds>(
  { objects }: Rendered,
  kind: K,
  name?: string,
): ChartObject & Kinds[K] {
  const found = objects.filter(
    (object) => object.kind === kind && (name === undefined || object.metadata.name === name),
  );
  if (found.length !== 1) throw new Error(`${found.length} objects ${kind} ${name ?? ''}`);
  return found[0] as ChartObject & Kinds[K];
}

export function podOf(rendered: Rendered) {
  const { spec } = find(rendered, 'Deployment').spec.template;
  const [container] = spec.containers;
  const [migration] = spec.initContainers;
  return { spec, container, migration };
}

/** Settings as the container gets them; those of a Secret are their own names. */
export const settingsOf = ({ env = [] }: Container) =>
  Object.fromEntries(
    env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.secretKeyRef?.key ?? '']),
  );

/**
 * Compiles the objects against the types of the Kubernetes API: fields that do not exist, or have another type, are errors.
 * @returns what the compiler says
 */
export function typeFaults(objects: readonly ChartObject[]): string {
  mkdirSync(CACHE, { recursive: true });
  const place = mkdtempSync(join(CACHE, 'chart-'));
  try {
    const lines = objects.map((object, at) => {
      // v1, apps/v1, rbac.authorization.k8s.io/v1
      const [, group = 'core', version] = /^(?:(\w+)[\w.]*\/)?(\w+)$/.exec(object.apiVersion) ?? [];
      const type = `import('kubernetes-types/${group}/${version}.js').${object.kind}`;
      return `export const object${at}: ${type} = ${JSON.stringify(object)};`;
    });
    writeFileSync(join(place, 'objects.ts'), lines.join('\n'));
    const options = '--noEmit --ignoreConfig --strict --skipLibCheck --module nodenext --target esnext'.split(
      ' ',
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, join(place, 'objects.ts')], {
      encoding: 'utf8',
    });
    return stdout;
  } finally {
    rmSync(place, { recursive: true });
  }
}
