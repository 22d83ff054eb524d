import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { ConfigError, readUrl } from './platform/setting-values.ts';
import { PodOptions } from './runtimes/clusters.contract.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Kubernetes gives them to each pod that has a service account. */
const OWN = '/var/run/secrets/kubernetes.io/serviceaccount';
const DNS_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The cluster `default` of the engine `kubernetes`, and what other clusters leave out. */
export interface KubernetesSettings {
  /** undefined: neither set nor inside a cluster. */
  access: { url: string; ca_file: string; token_file: string } | undefined;
  /** Where runtimes are; undefined: as `namespace_file` says. */
  namespace: string | undefined;
  /** undefined: not inside a cluster. */
  namespace_file: string | undefined;
  /** For the cluster `default`, which has no row of options. */
  pod_options: PodOptions;
}

/** @param isUsed the cluster `default` needs them */
export function readKubernetes(env: Environment, isUsed: boolean): KubernetesSettings {
  const { KUBERNETES_NAMESPACE, KUBERNETES_SERVICE_HOST } = env;
  const namespace = KUBERNETES_NAMESPACE || undefined;
  if (namespace !== undefined && !DNS_LABEL.test(namespace))
    throw new ConfigError(`KUBERNETES_NAMESPACE has to be the name of a namespace, not "${namespace}"`);
  const namespace_file = KUBERNETES_SERVICE_HOST ? join(OWN, 'namespace') : undefined;
  const access = readGiven(env) ?? ownAccess(env);
  if (isUsed && !access)
    throw new ConfigError('KUBERNETES_URL is required with PROVISIONER=kubernetes outside of a cluster');
  if (isUsed && !namespace && !namespace_file)
    throw new ConfigError(
      'KUBERNETES_NAMESPACE is required with PROVISIONER=kubernetes outside of a cluster',
    );
  return { access, namespace, namespace_file, pod_options: readPodOptions(env.KUBERNETES_POD_OPTIONS) };
}

/** All or none: a token is for the server that it comes with. */
function readGiven(env: Environment): KubernetesSettings['access'] {
  const { KUBERNETES_URL, KUBERNETES_CA_FILE, KUBERNETES_TOKEN_FILE } = env;
  if (!KUBERNETES_URL) {
    const [name] =
      Object.entries({ KUBERNETES_CA_FILE, KUBERNETES_TOKEN_FILE }).find(([, value]) => value) ?? [];
    if (name !== undefined) throw new ConfigError(`KUBERNETES_URL is required with ${name}`);
    return undefined;
  }
  const url = readUrl('KUBERNETES_URL', KUBERNETES_URL);
  if (!url.startsWith('https:') || /[?#@]/.test(url))
    throw new ConfigError('KUBERNETES_URL has to be an https URL without user, query and fragment');
  if (!KUBERNETES_CA_FILE) throw new ConfigError('KUBERNETES_CA_FILE is required with KUBERNETES_URL');
  if (!KUBERNETES_TOKEN_FILE) throw new ConfigError('KUBERNETES_TOKEN_FILE is required with KUBERNETES_URL');
  return { url, ca_file: resolve(KUBERNETES_CA_FILE), token_file: resolve(KUBERNETES_TOKEN_FILE) };
}

/** The cluster that the service itself runs in. */
function ownAccess({ KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port }: Environment) {
  if (!host) return undefined;
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${port || 443}`;
  if (!URL.canParse(url)) throw new ConfigError(`KUBERNETES_SERVICE_HOST has to be a host, not "${host}"`);
  return { url, ca_file: join(OWN, 'ca.crt'), token_file: join(OWN, 'token') };
}

/** JSON, as `options` of other clusters. */
function readPodOptions(text: string | undefined): PodOptions {
  if (!text) return {};
  const options = parse(text);
  const validate = new Ajv({ strict: false }).compile<PodOptions>(PodOptions);
  if (validate(options)) return options;
  const [fault] = validate.errors ?? [];
  const where = fault?.instancePath ? ` at ${fault.instancePath.slice(1)}` : '';
  throw new ConfigError(`KUBERNETES_POD_OPTIONS does not fit${where}: it ${fault?.message ?? 'is wrong'}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError('KUBERNETES_POD_OPTIONS has to be JSON');
  }
}
