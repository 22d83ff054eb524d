import { isAbsolute } from 'node:path';
import { isBundle } from './identity/certificate.ts';
import { isUuid } from './json.ts';
import { type LogLevel, logLevels } from './log.ts';

/** OpenAI-compatible. */
export interface LlmConfig {
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  /** The endpoint is the control plane's. */
  isGateway: boolean;
}

/** Contract, section 8. */
interface IdentityConfig {
  /** An https URL for all calls. */
  mtlsUrl: string;
  /** The control plane's CA certificates, PEM. */
  caPem: string;
  vpnIp: string;
  stateDir: string;
  /** One-time; not needed while the stored certificate is valid. */
  enrollmentToken: string | undefined;
  secretsRefreshMs: number;
}

export interface Config {
  controlPlaneUrl: string;
  /** undefined: the proxy key alone authenticates the runtime, and secrets come only by `PUT /secrets`. */
  identity: IdentityConfig | undefined;
  instanceId: string;
  proxyKey: string;
  messageSecret: string;
  host: string;
  port: number;
  /** Callers are sure of the runtime by its certificate. Needs an identity. */
  isOverTls: boolean;
  /** Grows with each runtime of the instance; the control plane accepts only the newest. */
  generation: number | undefined;
  /** undefined: the control plane marks messages as read. */
  chatappApiBaseUrl: string | undefined;
  llm: LlmConfig | undefined;
  logLevel: LogLevel;
}

/** Names every invalid setting, in one line and without values. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The runtime cannot start: ${problems.join('; ')}`);
    this.name = 'ConfigError';
  }
}

type Parse<T> = (value: string) => T | undefined;

const asText: Parse<string> = (value) => value;
const asId: Parse<string> = (value) => (isUuid(value) ? value.toLowerCase() : undefined);
const asLevel: Parse<LogLevel> = (value) => logLevels.find((level) => level === value);
const asPort: Parse<number> = (value) =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined;

const asSwitch: Parse<boolean> = (value) => (value === 'on' ? true : value === 'off' ? false : undefined);
const asCount: Parse<number> = (value) => (/^\d{1,9}$/.test(value) ? Number(value) : undefined);

const asUrl: Parse<string> = (value) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value.replace(/\/+$/, '') : undefined;

const asHttpsUrl: Parse<string> = (value) => (/^https:/i.test(value) ? asUrl(value) : undefined);
const asBundle: Parse<string> = (value) => (isBundle(value) ? value : undefined);
const asVpnIp: Parse<string> = (value) => (/^10(\.\d{1,3}){3}$/.test(value) ? value : undefined);
const asDirectory: Parse<string> = (value) => (isAbsolute(value) ? value : undefined);
const asSeconds: Parse<number> = (value) =>
  /^\d{1,5}$/.test(value) && Number(value) >= 10 && Number(value) <= 86_400 ? Number(value) : undefined;

/** A rotated proxy key works for ten more minutes (contract, section 3), so one of two refreshes may fail. */
const defaultRefreshSeconds = 300;

function readerOf(env: NodeJS.ProcessEnv, problems: string[]) {
  function optional<T>(name: string, parse: Parse<T>, wanted: string): T | undefined {
    const value = env[name];
    if (value === undefined || value === '') return undefined;
    const parsed = parse(value);
    if (parsed === undefined) problems.push(`${name} must be ${wanted}`);
    return parsed;
  }

  function required<T>(name: string, parse: Parse<T>, wanted: string, whenMissing: T): T {
    if (!env[name]) problems.push(`${name} is missing, it must be ${wanted}`);
    return optional(name, parse, wanted) ?? whenMissing;
  }

  return { optional, required };
}

/** README.md lists the variables. Throws ConfigError. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const { optional, required } = readerOf(env, problems);
  const url = 'an http or https URL';
  const llmBaseUrl = optional('LLM_BASE_URL', asUrl, url);
  const mtlsUrl = optional('CONTROL_PLANE_MTLS_URL', asHttpsUrl, 'an https URL');
  const controlPlaneUrl = required('CONTROL_PLANE_URL', asUrl, url, '');
  const isOwn = (address: string) =>
    [controlPlaneUrl, mtlsUrl].some((base) => base && address.startsWith(`${base}/internal/`));
  const llmOf = (baseUrl: string): LlmConfig => ({
    baseUrl,
    isGateway: isOwn(baseUrl),
    apiKey: optional('LLM_API_KEY', asText, 'a key'),
    model: required('LLM_MODEL', asText, 'a model name when LLM_BASE_URL is set', ''),
  });
  const identityOf = (mtlsUrl: string): IdentityConfig => ({
    mtlsUrl,
    caPem: required('CONTROL_PLANE_CA', asBundle, 'certificates in PEM', ''),
    vpnIp: required('VPN_IP', asVpnIp, 'an address 10.x.x.x', ''),
    stateDir: required('STATE_DIR', asDirectory, 'an absolute path', ''),
    enrollmentToken: optional('ENROLLMENT_TOKEN', asText, 'a token'),
    secretsRefreshMs:
      1000 *
      (optional('SECRETS_REFRESH_SECONDS', asSeconds, 'seconds from 10 to 86400') ?? defaultRefreshSeconds),
  });
  const isOverTls = optional('TLS', asSwitch, 'on or off') ?? false;
  if (isOverTls && mtlsUrl === undefined) problems.push('TLS=on needs CONTROL_PLANE_MTLS_URL');
  const config: Config = {
    isOverTls,
    controlPlaneUrl,
    identity: mtlsUrl === undefined ? undefined : identityOf(mtlsUrl),
    instanceId: required('INSTANCE_ID', asId, 'a UUID', ''),
    proxyKey: required('PROXY_KEY', asText, "the instance's proxy key", ''),
    messageSecret: required('MESSAGE_SECRET', asText, 'the secret shared with the control plane', ''),
    host: optional('HOST', asText, 'an address') ?? '127.0.0.1',
    port: optional('PORT', asPort, 'a number from 0 to 65535') ?? 8700,
    generation: optional('RUNTIME_GENERATION', asCount, 'a whole number'),
    chatappApiBaseUrl: optional('CHATAPP_API_BASE_URL', asUrl, url),
    llm: llmBaseUrl === undefined ? undefined : llmOf(llmBaseUrl),
    logLevel: optional('LOG_LEVEL', asLevel, `one of ${logLevels.join(', ')}`) ?? 'info',
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}
