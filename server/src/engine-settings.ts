import { resolve } from 'node:path';
import { rangeOf } from './adapters/docker-engine/subnets.ts';
import { type KubernetesSettings, readKubernetes } from './kubernetes-settings.ts';
import { ConfigError, oneOf, readSeconds } from './platform/setting-values.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const PROVISIONERS = ['process', 'docker', 'kubernetes'] as const;

const PULL_POLICIES = ['missing', 'always', 'never'] as const;

/** A cluster's id stands in paths, labels and comma lists. */
const CLUSTER_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,48}[A-Za-z0-9])?$/;

/** For runtimes that run elsewhere than as processes of the service (contract, section 19). */
export interface EngineSettings {
  /** The engine of the cluster `default`. */
  provisioner: (typeof PROVISIONERS)[number];
  /** The time that a runtime has to come up, on clusters; the engine `process` has its own. */
  start_timeout_seconds: number;
  /** The clusters that this copy reconciles; undefined: all. */
  clusters: readonly string[] | undefined;
  /** The image of the manifest `reference`; undefined: nothing runs in containers. */
  runtime_image: string | undefined;
  pull_policy: (typeof PULL_POLICIES)[number];
  docker: DockerSettings;
  kubernetes: KubernetesSettings;
}

export interface DockerSettings {
  /** The daemon of the cluster `default`: `unix:///path`, or `tcp://host:port` with `cert_path`. */
  endpoint: string;
  /** A directory with ca.pem, cert.pem and key.pem. */
  cert_path: string | undefined;
  /** An IPv4 network in CIDR form, of which each tenant gets 128 addresses. */
  subnets: string;
  /** A directory with config.json, whose `auths` are logins for pulls. */
  config: string | undefined;
}

export function readEngineSettings(env: Environment): EngineSettings {
  const provisioner = oneOf('PROVISIONER', env.PROVISIONER || 'process', PROVISIONERS);
  const runtime_image = env.RUNTIME_IMAGE || undefined;
  if (provisioner !== 'process' && runtime_image === undefined)
    throw new ConfigError(`RUNTIME_IMAGE is required with PROVISIONER=${provisioner}`);
  return {
    provisioner,
    start_timeout_seconds: readSeconds('START_TIMEOUT_SECONDS', env.START_TIMEOUT_SECONDS, {
      otherwise: 300,
      least: 10,
      most: 3600,
    }),
    clusters: readClusters(env.CLUSTERS),
    runtime_image,
    pull_policy: oneOf('RUNTIME_PULL_POLICY', env.RUNTIME_PULL_POLICY || 'missing', PULL_POLICIES),
    docker: readDocker(env, provisioner === 'docker'),
    kubernetes: readKubernetes(env, provisioner === 'kubernetes'),
  };
}

/** The client of Docker has settings of these names, which count here only when the service runs containers. */
function readDocker(env: Environment, isUsed: boolean): DockerSettings {
  const endpoint = (isUsed && env.DOCKER_HOST) || 'unix:///var/run/docker.sock';
  const cert_path = env.DOCKER_CERT_PATH ? resolve(env.DOCKER_CERT_PATH) : undefined;
  const isSocket = /^unix:\/\/\/[^?#]+$/.test(endpoint);
  if (!isSocket && !isTcp(endpoint))
    throw new ConfigError(`DOCKER_HOST has to be unix:///path or tcp://host:port, not "${endpoint}"`);
  if (!isSocket && !cert_path)
    throw new ConfigError('DOCKER_HOST with tcp:// needs DOCKER_CERT_PATH with ca.pem, cert.pem and key.pem');
  const subnets = env.DOCKER_SUBNETS || '10.201.0.0/16';
  if (!isSubnets(subnets))
    throw new ConfigError(`DOCKER_SUBNETS has to be an IPv4 network such as 10.201.0.0/16, not "${subnets}"`);
  return {
    endpoint,
    cert_path,
    subnets,
    config: env.DOCKER_CONFIG ? resolve(env.DOCKER_CONFIG) : undefined,
  };
}

function isTcp(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'tcp:' && url.hostname !== '' && !/[?#@]|\/.*\/.*\//.test(text);
}

/** Room for one tenant at least. */
function isSubnets(text: string): boolean {
  const range = rangeOf(text);
  return range !== undefined && range.end - range.first >= 2 ** 7 && range.end - range.first <= 2 ** 24;
}

function readClusters(text: string | undefined): string[] | undefined {
  if (!text) return undefined;
  const ids = text.split(',').map((id) => id.trim());
  const wrong = ids.find((id) => !CLUSTER_ID.test(id));
  if (wrong !== undefined)
    throw new ConfigError(`CLUSTERS has to be ids of clusters with commas between them, not "${wrong}"`);
  return [...new Set(ids)];
}
