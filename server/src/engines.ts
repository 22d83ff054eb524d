import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DockerEngineOptions } from './adapters/docker-engine/engine.ts';
import { type ClusterAccess, fileContents } from './adapters/kubernetes-engine/access.ts';
import type { KubernetesEngineOptions } from './adapters/kubernetes-engine/engine.ts';
import { Internet } from './adapters/outside/internet.ts';
import { ProcessEngine } from './adapters/process-engine/engine.ts';
import type { Config } from './config.ts';
import { cleanLine, storeEngineOutput } from './logs/instance-logs.ts';
import type { Log } from './platform/ports.ts';
import { ConfigError } from './platform/setting-values.ts';
import type { OpenEngine } from './runtimes/cluster-holder.ts';
import type { ClusterOptions } from './runtimes/clusters.contract.ts';
import { DEFAULT_CLUSTER } from './runtimes/clusters.db.ts';
import { openCredentials } from './runtimes/clusters.ts';
import type { HeldCluster } from './runtimes/place.port.ts';
import type { OpenPresence } from './runtimes/presence.port.ts';
import type { RuntimeDoors } from './runtimes/runtime-doors.port.ts';
import type { Addresses, ServiceOptions } from './service.ts';
import type { Services } from './services.ts';

type Engines = Pick<
  ServiceOptions,
  'recover' | 'isolation' | 'openEngine' | 'openPresence' | 'clusters' | 'startTimeoutMs'
> & { engine: ProcessEngine; isolation: () => string };

/**
 * The engine of this copy and those of clusters.
 * @param services throws while the service starts
 */
export async function openEngines(config: Config, log: Log, services: () => Services): Promise<Engines> {
  const output = {
    onOutput: async (id: string, lines: readonly string[]) => storeEngineOutput(services(), id, lines),
    clean: async (id: string, line: string) => cleanLine(services(), id, line),
  };
  const { provisioner, clusters, start_timeout_seconds } = config.engines;
  const engine = processEngineOf(config, log, output);
  const runsProcesses = provisioner === 'process';
  return {
    engine,
    recover: async (addresses: Addresses, doors: RuntimeDoors) => {
      // Tried before the first runtime needs it, so that a refusal is known from the start.
      if (runsProcesses) await engine.tryIsolation();
      await engine.recover(addresses, doors);
    },
    // Containers have no less of it anywhere.
    isolation: () => (runsProcesses ? engine.isolation : 'on'),
    ...(await clusterEngines(config, log, services, output)),
    clusters,
    startTimeoutMs: start_timeout_seconds * 1000,
  };
}

type Output = Required<Pick<DockerEngineOptions, 'onOutput' | 'clean'>>;

function processEngineOf(config: Config, log: Log, output: Output): ProcessEngine {
  const internet = new Internet({ log });
  return new ProcessEngine({
    dataDir: config.data_dir,
    log,
    ...(config.runtime_command && { command: config.runtime_command }),
    isolation: config.runtime_isolation,
    hidden: config.drive.filesystem_root === undefined ? [] : [config.drive.filesystem_root],
    openInternet: (path) => internet.open(path),
    ...output,
  });
}

interface ClusterEngines {
  openEngine: OpenEngine;
  openPresence: OpenPresence;
}

/** undefined: nothing may run on clusters, because nothing says what and how it reaches the service. */
async function clusterEngines(
  config: Config,
  log: Log,
  services: () => Services,
  output: Output,
): Promise<ClusterEngines | undefined> {
  const { runtime_image: image, pull_policy, docker, start_timeout_seconds } = config.engines;
  const { public_url } = config.mtls;
  if (image === undefined || public_url === undefined) return undefined;
  const { DockerEngine } = await import('./adapters/docker-engine/engine.ts');
  const { DockerPresence } = await import('./adapters/docker-engine/presence.ts');
  const { KubernetesEngine } = await import('./adapters/kubernetes-engine/engine.ts');
  const common = { image, pull_policy, start_timeout_ms: start_timeout_seconds * 1000, log, ...output };
  const service_name = new URL(public_url).hostname;
  const containers = { ...common, subnets: docker.subnets, docker_config: docker.config, service_name };
  const own = { endpoint: docker.endpoint, ...(await readCertificates(docker)) };
  const daemonOf = (cluster: HeldCluster) =>
    cluster.endpoint === null ? own : daemonAt(services(), cluster, cluster.endpoint);
  return {
    openEngine: (cluster) => {
      const owner = ownerOf(cluster);
      if (cluster.engine === 'docker')
        return new DockerEngine({ ...containers, ...daemonOf(cluster), ...owner });
      if (cluster.engine !== 'kubernetes') throw new Error(`No cluster has the engine ${cluster.engine}`);
      const pods = podsOf(config.engines.kubernetes, services(), cluster);
      return new KubernetesEngine({ ...common, ...pods, ...owner });
    },
    openPresence: (cluster) => {
      // Pods are within reach of all pods.
      if (cluster.engine !== 'docker') return undefined;
      return new DockerPresence({ ...daemonOf(cluster), ...ownerOf(cluster), service_name, log });
    },
  };
}

const ownerOf = ({ installation, id: cluster }: HeldCluster) => ({ installation, cluster });

/** The settings fill in for the cluster's own values. */
function podsOf(
  { access, namespace: usual, namespace_file, pod_options }: Config['engines']['kubernetes'],
  { keyring }: Services,
  cluster: HeldCluster,
): Pick<KubernetesEngineOptions, 'access'> & Partial<KubernetesEngineOptions> {
  const own = cluster.id === DEFAULT_CLUSTER ? pod_options : {};
  const { namespace = usual, ...options }: ClusterOptions = { ...own, ...cluster.options };
  const file = namespace ?? namespace_file;
  if (file === undefined) throw new Error('A cluster needs the option namespace, or KUBERNETES_NAMESPACE');
  const readNamespace = namespace === undefined ? fileContents(file) : async () => namespace;
  return { ...options, access: { ...accessOf(access, keyring, cluster), namespace: readNamespace } };
}

function accessOf(
  own: Config['engines']['kubernetes']['access'],
  keyring: Services['keyring'],
  cluster: HeldCluster,
): Omit<ClusterAccess, 'namespace'> {
  const { token, ca } = openCredentials(keyring, cluster);
  const { endpoint } = cluster;
  if (endpoint === null && own)
    return { url: own.url, ca: fileContents(own.ca_file), token: fileContents(own.token_file) };
  if (endpoint === null) throw new Error('A cluster needs an endpoint, or KUBERNETES_URL');
  if (token === undefined || ca === undefined)
    throw new Error('A cluster with an endpoint needs the credentials token and ca');
  return { url: endpoint, ca: async () => ca, token: async () => token };
}

function daemonAt({ keyring }: Services, cluster: HeldCluster, endpoint: string) {
  const { ca, cert, key } = openCredentials(keyring, cluster);
  if (ca !== undefined && cert !== undefined && key !== undefined)
    return { endpoint, tls: { ca, cert, key } };
  if (endpoint.startsWith('tcp:'))
    throw new Error('A daemon over tcp needs the credentials ca, cert and key');
  return { endpoint };
}

async function readCertificates({ endpoint, cert_path }: Config['engines']['docker']) {
  if (cert_path === undefined || !endpoint.startsWith('tcp:')) return {};
  const read = (name: string) =>
    readFile(join(cert_path, name), 'utf8').catch(() => {
      throw new ConfigError(`DOCKER_CERT_PATH has no ${name} that can be read`);
    });
  const [ca, cert, key] = await Promise.all([read('ca.pem'), read('cert.pem'), read('key.pem')]);
  return { tls: { ca, cert, key } };
}
