import type { BlockList } from 'node:net';
import { join, resolve } from 'node:path';
import { type EngineSettings, readEngineSettings } from './engine-settings.ts';
import { type MtlsSettings, readMtlsSettings } from './mtls-settings.ts';
import { defaultRetention, type Retention } from './operating/retention.ts';
import {
  ConfigError,
  oneOf,
  readBaseUrl,
  readDatabaseUrl,
  readDays,
  readHosts,
  readHostsWithPorts,
  readMasterKey,
  readMilliseconds,
  readOperationsToken,
  readOrigin,
  readPort,
  readProxies,
  readRedisUrl,
  readRuntimeCommand,
  readSeconds,
  readShare,
  readTrustDomain,
  readUrl,
} from './platform/setting-values.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

const ROLES = ['all', 'api', 'worker'] as const;
const ISOLATION = ['required', 'preferred', 'none'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface TracingSettings {
  service_name: string;
  /** With `parentbased_`, the caller's decision comes first. */
  sampler: (typeof SAMPLERS)[number];
  ratio: number;
  /** Spans are sent in batches of this time. */
  delay_ms: number;
}

/** From the environment (contract, section 2). */
export interface Config {
  host: string;
  /** 0: any free port. */
  port: number;
  mtls: MtlsSettings;
  /** Where browsers reach the service; undefined: the listening address. */
  public_url: string | undefined;
  /** Trusted for X-Forwarded-Client-Cert. */
  trusted_proxies: BlockList;
  /** Trusted for X-Forwarded-For. */
  forwarded_for_proxies: BlockList;
  data_dir: string;
  /** undefined: the embedded database. */
  database_url: string | undefined;
  /** For rate limits across copies; undefined: each copy counts in memory. */
  redis_url: string | undefined;
  /** undefined: stored in data_dir (embedded), or unusable (server database). */
  operations_token: string | undefined;
  /** undefined: stored in data_dir (embedded only). */
  master_key: Buffer | undefined;
  /** They only unwrap. */
  previous_master_keys: readonly Buffer[];
  llm: { base_url: string; api_key: string; model: string } | undefined;
  transcription: { base_url: string; api_key: string; model: string } | undefined;
  chatapp_api_base_url: string;
  /** Without a `filesystem_root` the drive `filesystem` is off. */
  drive: { google: { base_url: string; token_url: string }; filesystem_root: string | undefined };
  /** undefined: the service creates its own authority. */
  ca: { cert_file: string; key_file: string } | undefined;
  trust_domain: string;
  /** Hosts of web pages that may call MCP, as in the Origin header. */
  mcp_allowed_origins: readonly string[];
  /** Hosts that tool servers and model providers may have although they are not public. */
  mcp_allowed_hosts: readonly string[];
  /** Hosts that event endpoints may have although they are not public. */
  events_allowed_hosts: readonly string[];
  engines: EngineSettings;
  /** A runtime's program and arguments; undefined: the reference runtime. */
  runtime_command: readonly string[] | undefined;
  runtime_isolation: (typeof ISOLATION)[number];
  role: (typeof ROLES)[number];
  /** While stopping, the service answers this long, so that load balancers notice. */
  drain_seconds: number;
  /** A main thread that stands still for as long is ended; 0: nobody watches it. */
  watchdog_seconds: number;
  log_level: string;
  retention: Retention;
  /** The library itself reads the exporter's address; undefined: no tracing. */
  tracing: TracingSettings | undefined;
}

export const readMigrationConfig = (env: Environment): Pick<Config, 'database_url' | 'log_level'> => ({
  database_url: readDatabaseUrl(env.DATABASE_URL, { options: env.PGOPTIONS, sslmode: env.PGSSLMODE }),
  log_level: oneOf('LOG_LEVEL', env.LOG_LEVEL || 'info', LOG_LEVELS),
});

export function readConfig(env: Environment): Config {
  const { database_url, log_level } = readMigrationConfig(env);
  const master_key = env.MASTER_KEY ? readMasterKey('MASTER_KEY', env.MASTER_KEY) : undefined;
  if (database_url !== undefined && !master_key) {
    throw new ConfigError('MASTER_KEY is required with DATABASE_URL: 32 bytes in base64');
  }
  const operations_token = readOperationsToken(env.OPERATIONS_TOKEN, {
    isServed: database_url !== undefined,
  });
  const data_dir = resolve(env.DATA_DIR || './data');
  const engines = readEngineSettings(env);
  const listening = { host: env.HOST || '127.0.0.1', port: readPort('PORT', env.PORT, 8080) };
  return {
    ...listening,
    mtls: readMtlsSettings(env, { ...listening, provisioner: engines.provisioner }),
    public_url: env.PUBLIC_URL ? readOrigin('PUBLIC_URL', env.PUBLIC_URL) : undefined,
    trusted_proxies: readProxies('TRUSTED_PROXIES', env.TRUSTED_PROXIES),
    forwarded_for_proxies: readProxies('FORWARDED_FOR_PROXIES', env.FORWARDED_FOR_PROXIES),
    data_dir,
    database_url,
    redis_url: readRedisUrl(env.REDIS_URL),
    operations_token,
    master_key,
    previous_master_keys: readPreviousMasterKeys(env),
    llm: readLlm(env),
    transcription: readTranscription(env),
    chatapp_api_base_url: readBaseUrl(
      'CHATAPP_API_BASE_URL',
      env.CHATAPP_API_BASE_URL || 'https://graph.facebook.com/v23.0',
    ),
    drive: readDrive(env, data_dir),
    ca: readCa(env),
    trust_domain: readTrustDomain(env.TRUST_DOMAIN || 'agent-control-plane.internal'),
    mcp_allowed_origins: readHosts(
      'MCP_ALLOWED_ORIGINS',
      env.MCP_ALLOWED_ORIGINS || 'localhost,127.0.0.1,[::1]',
    ),
    mcp_allowed_hosts: readHostsWithPorts('MCP_ALLOWED_HOSTS', env.MCP_ALLOWED_HOSTS),
    events_allowed_hosts: readHostsWithPorts('EVENTS_ALLOWED_HOSTS', env.EVENTS_ALLOWED_HOSTS),
    engines,
    runtime_command: readRuntimeCommand(env.RUNTIME_COMMAND),
    runtime_isolation: oneOf(
      'RUNTIME_ISOLATION',
      env.RUNTIME_ISOLATION || (database_url === undefined ? 'preferred' : 'required'),
      ISOLATION,
    ),
    role: oneOf('ROLE', env.ROLE || 'all', ROLES),
    drain_seconds: readSeconds('DRAIN_SECONDS', env.DRAIN_SECONDS, {
      otherwise: database_url === undefined ? 0 : 5,
      most: 600,
    }),
    watchdog_seconds: readSeconds('WATCHDOG_SECONDS', env.WATCHDOG_SECONDS, {
      otherwise: database_url === undefined ? 0 : 30,
      most: 3600,
    }),
    log_level,
    retention: readRetention(env),
    tracing: readTracing(env),
  };
}

/**
 * Standard variables of OpenTelemetry. Spans are sent as JSON whatever the protocol says, which the HTTP port of a
 * collector accepts and its gRPC port does not.
 */
function readTracing(env: Environment): Config['tracing'] {
  const exporter = oneOf('OTEL_TRACES_EXPORTER', env.OTEL_TRACES_EXPORTER || 'otlp', [
    'otlp',
    'none',
  ] as const);
  const isDisabled = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true';
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isAsked = Boolean(endpoint || env.OTEL_TRACES_EXPORTER);
  if (exporter === 'none' || isDisabled || !isAsked) return undefined;
  for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])
    if (env[name]) readUrl(name, env[name]);
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'])
    if (env[name]) oneOf(name, env[name], ['http/json', 'http/protobuf']);
  return {
    service_name: env.OTEL_SERVICE_NAME || 'agent-control-plane',
    sampler: oneOf('OTEL_TRACES_SAMPLER', env.OTEL_TRACES_SAMPLER || 'parentbased_always_on', SAMPLERS),
    ratio: readShare('OTEL_TRACES_SAMPLER_ARG', env.OTEL_TRACES_SAMPLER_ARG),
    delay_ms: readMilliseconds('OTEL_BSP_SCHEDULE_DELAY', env.OTEL_BSP_SCHEDULE_DELAY, 5000),
  };
}

function readRetention(env: Environment): Retention {
  const { sessions_days, messages_days, events_days, audit_days, approvals_days } = defaultRetention;
  return {
    sessions_days: readDays('RETENTION_SESSIONS_DAYS', env.RETENTION_SESSIONS_DAYS, sessions_days),
    messages_days: readDays('RETENTION_MESSAGES_DAYS', env.RETENTION_MESSAGES_DAYS, messages_days),
    events_days: readDays('RETENTION_EVENTS_DAYS', env.RETENTION_EVENTS_DAYS, events_days),
    audit_days: readDays('RETENTION_AUDIT_DAYS', env.RETENTION_AUDIT_DAYS, audit_days),
    approvals_days: readDays('RETENTION_APPROVALS_DAYS', env.RETENTION_APPROVALS_DAYS, approvals_days),
  };
}

function readPreviousMasterKeys({ MASTER_KEY, MASTER_KEY_PREVIOUS }: Environment): Buffer[] {
  if (!MASTER_KEY_PREVIOUS) return [];
  if (!MASTER_KEY) throw new ConfigError('MASTER_KEY_PREVIOUS is of no use without MASTER_KEY');
  return MASTER_KEY_PREVIOUS.split(',').map((text) => readMasterKey('MASTER_KEY_PREVIOUS', text.trim()));
}

function readLlm({ LLM_BASE_URL, LLM_API_KEY, LLM_MODEL }: Environment): Config['llm'] {
  return readEndpoint('LLM', LLM_BASE_URL, LLM_API_KEY, LLM_MODEL);
}

function readTranscription(env: Environment): Config['transcription'] {
  const { TRANSCRIPTION_BASE_URL, TRANSCRIPTION_API_KEY, TRANSCRIPTION_MODEL } = env;
  return readEndpoint('TRANSCRIPTION', TRANSCRIPTION_BASE_URL, TRANSCRIPTION_API_KEY, TRANSCRIPTION_MODEL);
}

function readEndpoint(prefix: string, url: string | undefined, api_key = '', model: string | undefined) {
  if (!url) return undefined;
  if (!model) throw new ConfigError(`${prefix}_MODEL is required with ${prefix}_BASE_URL`);
  return { base_url: readBaseUrl(`${prefix}_BASE_URL`, url), api_key, model };
}

function readDrive(env: Environment, data_dir: string): Config['drive'] {
  const { GOOGLE_DRIVE_BASE_URL, GOOGLE_TOKEN_URL, DRIVE_FILESYSTEM_ROOT } = env;
  const drive_url = readBaseUrl(
    'GOOGLE_DRIVE_BASE_URL',
    GOOGLE_DRIVE_BASE_URL || 'https://www.googleapis.com',
  );
  return {
    google: {
      // Google's library appends the version itself.
      base_url: drive_url.replace(/\/drive\/v3$/, ''),
      token_url: readUrl('GOOGLE_TOKEN_URL', GOOGLE_TOKEN_URL || 'https://oauth2.googleapis.com/token'),
    },
    filesystem_root:
      DRIVE_FILESYSTEM_ROOT === 'off' ? undefined : resolve(DRIVE_FILESYSTEM_ROOT || join(data_dir, 'drive')),
  };
}

function readCa({ CA_CERT_FILE, CA_KEY_FILE }: Environment): Config['ca'] {
  if (!CA_CERT_FILE && !CA_KEY_FILE) return undefined;
  if (!CA_CERT_FILE) throw new ConfigError('CA_CERT_FILE is required with CA_KEY_FILE');
  if (!CA_KEY_FILE) throw new ConfigError('CA_KEY_FILE is required with CA_CERT_FILE');
  return { cert_file: resolve(CA_CERT_FILE), key_file: resolve(CA_KEY_FILE) };
}
