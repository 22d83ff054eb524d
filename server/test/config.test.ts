import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, readConfig } from '../src/config.ts';
import { ConfigError } from '../src/platform/setting-values.ts';

interface Setting {
  /** Where the setting ends up. */
  read: (config: Config) => unknown;
  /** The default, also for an empty value. */
  otherwise?: unknown;
  /** Texts, and what they are read as. */
  good: readonly (readonly [text: string, value: unknown])[];
  bad: readonly string[];
  /** Other settings that it needs. */
  beside?: Record<string, string>;
}

const KEY = randomBytes(32);
const MASTER_KEY = KEY.toString('base64');
const OPERATIONS_TOKEN = 'a-token-of-24-or-more-characters';
const noPort = ['-1', '65536', '80.5', 'http', 'NaN', 'Infinity', ' ', '0x50', '1e3'];
const noUrl = [
  'example.com',
  'ftp://example.com',
  '/path',
  'http://',
  'javascript:alert(1)',
  'http://user:password@example.com',
];
/** Paths go behind it. */
const noBase = [...noUrl, 'http://example.com/v1?version=1', 'http://example.com/v1#here'];
const addresses: Setting['good'] = [
  ['10.0.0.1', ['Subnet: IPv4 10.0.0.1/32']],
  ['10.0.0.0/8, fd00::/8,::1', ['Subnet: IPv4 10.0.0.0/8', 'Subnet: IPv6 ::1/128', 'Subnet: IPv6 fd00::/8']],
];
const noAddresses = [
  'proxy.example.com',
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '010.0.0.1',
  '10.0.0',
  '10.0.0.1,',
  ',',
  'fe80::1%eth0',
  '*',
];

const days = (read: (config: Config) => number, otherwise: number): Setting => ({
  read,
  otherwise,
  good: [
    ['1', 1],
    ['36500', 36_500],
  ],
  bad: ['0', '-1', '1.5', 'a year', '36501', ' ', '1e3'],
});

const traced = {
  read: (config: Config) => config.tracing?.service_name,
  beside: { OTEL_TRACES_EXPORTER: 'otlp' },
};
const protocol: Setting = {
  ...traced,
  otherwise: 'agent-control-plane',
  good: [
    ['http/json', 'agent-control-plane'],
    ['http/protobuf', 'agent-control-plane'],
  ],
  bad: ['grpc', 'http', ' '],
};

const ownAccess = (url: string) => ({
  url,
  ca_file: '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt',
  token_file: '/var/run/secrets/kubernetes.io/serviceaccount/token',
});

const settings: Record<string, Setting> = {
  OTEL_TRACES_EXPORTER: {
    read: (config) => config.tracing?.service_name,
    good: [
      ['otlp', 'agent-control-plane'],
      ['none', undefined],
    ],
    bad: ['console', 'zipkin', ' '],
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    read: (config) => config.tracing?.service_name,
    good: [['http://127.0.0.1:4318', 'agent-control-plane']],
    bad: ['127.0.0.1:4318', ...noUrl],
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    read: (config) => config.tracing?.service_name,
    good: [['http://127.0.0.1:4318/v1/traces', 'agent-control-plane']],
    bad: noUrl,
  },
  OTEL_TRACES_SAMPLER: {
    read: (config) => config.tracing?.sampler,
    beside: { OTEL_TRACES_EXPORTER: 'otlp' },
    otherwise: 'parentbased_always_on',
    good: [
      ['always_off', 'always_off'],
      ['parentbased_traceidratio', 'parentbased_traceidratio'],
    ],
    bad: ['sometimes', 'ALWAYS_ON', ' '],
  },
  OTEL_TRACES_SAMPLER_ARG: {
    read: (config) => config.tracing?.ratio,
    beside: { OTEL_TRACES_EXPORTER: 'otlp' },
    otherwise: 1,
    good: [
      ['0.05', 0.05],
      ['0', 0],
      ['1', 1],
    ],
    bad: ['1.1', '-0.1', '5%', 'half', ' '],
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    read: (config) => config.tracing?.delay_ms,
    beside: { OTEL_TRACES_EXPORTER: 'otlp' },
    otherwise: 5000,
    good: [['100', 100]],
    bad: ['-1', '5s', '1.5', ' '],
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_SDK_DISABLED: {
    read: (config) => config.tracing?.service_name,
    beside: { OTEL_TRACES_EXPORTER: 'otlp' },
    otherwise: 'agent-control-plane',
    good: [
      ['true', undefined],
      ['false', 'agent-control-plane'],
    ],
    bad: [],
  },
  OTEL_SERVICE_NAME: {
    read: (config) => config.tracing?.service_name,
    beside: { OTEL_TRACES_EXPORTER: 'otlp' },
    otherwise: 'agent-control-plane',
    good: [['acp-eu', 'acp-eu']],
    bad: [],
  },
  RETENTION_SESSIONS_DAYS: days(({ retention }) => retention.sessions_days, 1),
  RETENTION_MESSAGES_DAYS: days(({ retention }) => retention.messages_days, 30),
  RETENTION_EVENTS_DAYS: days(({ retention }) => retention.events_days, 365),
  RETENTION_AUDIT_DAYS: days(({ retention }) => retention.audit_days, 365),
  RETENTION_APPROVALS_DAYS: days(({ retention }) => retention.approvals_days, 365),
  PGSSLMODE: {
    read: (config) => config.database_url,
    otherwise: 'postgres://db/acp',
    good: ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'].map((mode) => [
      mode,
      'postgres://db/acp',
    ]),
    bad: ['verify_full', 'VERIFY-FULL', 'on', ' '],
    beside: { DATABASE_URL: 'postgres://db/acp', MASTER_KEY },
  },
  PGOPTIONS: {
    read: (config) => config.database_url,
    otherwise: 'postgres://db/acp?sslmode=require',
    good: [
      ['-c lock_timeout=5s', 'postgres://db/acp?sslmode=require&options=-c%20lock_timeout%3D5s'],
      ['', 'postgres://db/acp?sslmode=require'],
    ],
    bad: [],
    beside: { DATABASE_URL: 'postgres://db/acp?sslmode=require', MASTER_KEY },
  },
  HOST: {
    read: (config) => config.host,
    otherwise: '127.0.0.1',
    good: [
      ['0.0.0.0', '0.0.0.0'],
      ['::1', '::1'],
    ],
    bad: [],
  },
  PORT: {
    read: (config) => config.port,
    otherwise: 8080,
    good: [
      ['0', 0],
      ['80', 80],
      ['65535', 65_535],
    ],
    bad: noPort,
  },
  MTLS_PORT: {
    read: (config) => config.mtls.port,
    otherwise: 8443,
    good: [
      ['0', 0],
      ['443', 443],
    ],
    bad: [...noPort, '8080'],
  },
  MTLS_HOSTNAMES: {
    read: (config) => config.mtls.names,
    otherwise: { hostnames: ['localhost'], ips: ['127.0.0.1', '::1'] },
    good: [
      ['cp.example.com', { hostnames: ['localhost', 'cp.example.com'], ips: ['127.0.0.1', '::1'] }],
      [
        'A.example, *.b.example,10.0.0.1 ,fd00::1,127.0.0.1',
        {
          hostnames: ['localhost', 'a.example', '*.b.example'],
          ips: ['127.0.0.1', '::1', '10.0.0.1', 'fd00::1'],
        },
      ],
    ],
    bad: [
      'a b',
      'a,,b',
      'a,',
      '300.1.1.1',
      '-a.example',
      'a..b',
      'https://a',
      'a:1',
      'fe80::1%eth0',
      'bücher',
    ],
  },
  PUBLIC_URL: {
    read: (config) => config.public_url,
    otherwise: undefined,
    good: [
      ['https://Agents.example.com/', 'https://agents.example.com'],
      ['https://agents.example.com:443', 'https://agents.example.com'],
      ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ],
    bad: [
      ...noBase,
      'https://agents.example.com/acp',
      'https://agents.example.com?a=b',
      'https://agents.example.com#a',
      'https://user:word@agents.example.com',
      'agents.example.com',
    ],
  },
  MTLS_HOST: {
    read: (config) => config.mtls.host,
    otherwise: '10.1.2.3',
    good: [['0.0.0.0', '0.0.0.0']],
    bad: [],
    beside: { HOST: '10.1.2.3' },
  },
  MTLS_PUBLIC_URL: {
    read: (config) => config.mtls.public_url,
    otherwise: undefined,
    good: [
      ['https://cp.example.com:443/', 'https://cp.example.com:443'],
      ['https://127.0.0.1:8443', 'https://127.0.0.1:8443'],
    ],
    bad: [...noBase, 'http://example.com'],
  },
  TRUSTED_PROXIES: {
    read: (config) => config.trusted_proxies.rules.toSorted(),
    otherwise: [],
    good: addresses,
    bad: noAddresses,
  },
  FORWARDED_FOR_PROXIES: {
    read: (config) => config.forwarded_for_proxies.rules.toSorted(),
    otherwise: [],
    good: addresses,
    bad: noAddresses,
  },
  DATA_DIR: {
    read: (config) => config.data_dir,
    otherwise: resolve('data'),
    good: [
      ['/var/lib/acp', '/var/lib/acp'],
      ['here', resolve('here')],
    ],
    bad: [],
  },
  DATABASE_URL: {
    read: (config) => config.database_url,
    otherwise: undefined,
    good: [
      ['postgres://u:p@db/acp', 'postgres://u:p@db/acp'],
      ['postgresql://db/acp?sslmode=require', 'postgresql://db/acp?sslmode=require'],
      ['postgres://u:p@/acp?host=/run/postgresql', 'postgres://u:p@/acp?host=/run/postgresql'],
      [
        'postgres://u:p,w@[::1]:5432/acp?application_name=a,b',
        'postgres://u:p,w@[::1]:5432/acp?application_name=a,b',
      ],
      ...[
        'postgres://one,other/acp',
        'postgres://u:p@one:5432,other:5432/acp?target_session_attrs=read-write',
      ].map((url): [string, string] => [url, url]),
    ],
    bad: [
      'mysql://db/acp',
      'db.example.com',
      'http://db',
      ' ',
      'postgres://db:port/acp',
      'postgres://db:70000/acp',
      'postgres://u:p#w@db/acp',
      'postgres://db/acp?sslmode=verify_full',
      'postgres://one:5432,other:port/acp',
      'postgres://one,other/acp?target_session_attrs=standby',
    ],
    beside: { MASTER_KEY, OPERATIONS_TOKEN },
  },
  REDIS_URL: {
    read: (config) => config.redis_url,
    otherwise: undefined,
    good: ['redis://127.0.0.1:6379', 'rediss://user:password@redis.example.com/2'].map((url) => [url, url]),
    bad: ['http://redis', '127.0.0.1:6379', ' ', 'redis://redis/cache', 'redis://u:100%@redis'],
  },
  OPERATIONS_TOKEN: {
    read: (config) => config.operations_token,
    good: [
      [OPERATIONS_TOKEN, OPERATIONS_TOKEN],
      ['short', 'short'],
      ['', undefined],
    ],
    bad: ['with a space in the middle', ' '.repeat(20), 'schlüssel-von-uns'],
  },
  MASTER_KEY: {
    read: (config) => config.master_key?.toString('hex'),
    otherwise: undefined,
    good: [
      [MASTER_KEY, KEY.toString('hex')],
      [MASTER_KEY.replace('=', ''), KEY.toString('hex')],
      [KEY.toString('base64url'), KEY.toString('hex')],
    ],
    bad: [
      randomBytes(31).toString('base64'),
      randomBytes(33).toString('base64'),
      KEY.toString('hex'),
      'secret',
      ' ',
    ],
  },
  MASTER_KEY_PREVIOUS: {
    read: (config) => config.previous_master_keys.map((key) => key.toString('hex')),
    otherwise: [],
    good: [
      [MASTER_KEY, [KEY.toString('hex')]],
      [`${MASTER_KEY}, ${KEY.toString('base64url')}`, [KEY.toString('hex'), KEY.toString('hex')]],
      ['', []],
    ],
    bad: ['secret', `${MASTER_KEY},`, `${MASTER_KEY} ${MASTER_KEY}`, ','],
    beside: { MASTER_KEY },
  },
  LLM_BASE_URL: {
    read: (config) => config.llm?.base_url,
    otherwise: undefined,
    good: [
      ['https://llm.example.com/v1/', 'https://llm.example.com/v1'],
      ['http://localhost:1', 'http://localhost:1'],
    ],
    bad: noBase,
    beside: { LLM_MODEL: 'm' },
  },
  LLM_MODEL: {
    read: (config) => config.llm?.model,
    good: [['gpt', 'gpt']],
    bad: [''],
    beside: { LLM_BASE_URL: 'http://llm' },
  },
  LLM_API_KEY: {
    read: (config) => config.llm?.api_key,
    otherwise: '',
    good: [['sk-1', 'sk-1']],
    bad: [],
    beside: { LLM_BASE_URL: 'http://llm', LLM_MODEL: 'm' },
  },
  TRANSCRIPTION_BASE_URL: {
    read: (config) => config.transcription?.base_url,
    otherwise: undefined,
    good: [['http://localhost:1/v1/', 'http://localhost:1/v1']],
    bad: noBase,
    beside: { TRANSCRIPTION_MODEL: 'm' },
  },
  TRANSCRIPTION_MODEL: {
    read: (config) => config.transcription?.model,
    good: [['whisper', 'whisper']],
    bad: [''],
    beside: { TRANSCRIPTION_BASE_URL: 'http://transcription' },
  },
  TRANSCRIPTION_API_KEY: {
    read: (config) => config.transcription?.api_key,
    otherwise: '',
    good: [['sk-1', 'sk-1']],
    bad: [],
    beside: { TRANSCRIPTION_BASE_URL: 'http://transcription', TRANSCRIPTION_MODEL: 'm' },
  },
  CHATAPP_API_BASE_URL: {
    read: (config) => config.chatapp_api_base_url,
    otherwise: 'https://graph.facebook.com/v23.0',
    good: [['http://localhost:9/', 'http://localhost:9']],
    bad: noBase,
  },
  GOOGLE_DRIVE_BASE_URL: {
    read: (config) => config.drive.google.base_url,
    otherwise: 'https://www.googleapis.com',
    good: [
      ['http://localhost:9/', 'http://localhost:9'],
      ['http://localhost:9/google/drive/v3/', 'http://localhost:9/google'],
    ],
    bad: noBase,
  },
  GOOGLE_TOKEN_URL: {
    read: (config) => config.drive.google.token_url,
    otherwise: 'https://oauth2.googleapis.com/token',
    good: [['http://localhost:9/token', 'http://localhost:9/token']],
    bad: noUrl,
  },
  DRIVE_FILESYSTEM_ROOT: {
    read: (config) => config.drive.filesystem_root,
    otherwise: resolve('data/drive'),
    good: [
      ['/srv/drive', '/srv/drive'],
      ['off', undefined],
    ],
    bad: [],
  },
  CA_CERT_FILE: {
    read: (config) => config.ca?.cert_file,
    good: [['/etc/acp/ca.pem', '/etc/acp/ca.pem']],
    bad: [''],
    beside: { CA_KEY_FILE: '/etc/acp/ca.key' },
  },
  CA_KEY_FILE: {
    read: (config) => config.ca?.key_file,
    good: [['ca.key', resolve('ca.key')]],
    bad: [''],
    beside: { CA_CERT_FILE: '/etc/acp/ca.pem' },
  },
  MCP_ALLOWED_ORIGINS: {
    read: (config) => config.mcp_allowed_origins,
    otherwise: ['localhost', '127.0.0.1', '[::1]'],
    good: [['acp.example.com, LOCALHOST', ['acp.example.com', 'localhost']]],
    bad: ['https://acp.example.com', 'acp.example.com:8080', 'a,,b', 'a b', '*/*'],
  },
  MCP_ALLOWED_HOSTS: {
    read: (config) => config.mcp_allowed_hosts,
    otherwise: [],
    good: [
      ['localhost, 10.0.0.5', ['localhost', '10.0.0.5']],
      ['MCP.example.com:8080,[::1]:81,[fd00::1]', ['mcp.example.com:8080', '[::1]:81', '[fd00::1]']],
    ],
    bad: [
      'https://mcp.example.com',
      'mcp.example.com:',
      'mcp.example.com:0',
      'mcp.example.com:70000',
      'a:x',
      'a,,b',
    ],
  },
  EVENTS_ALLOWED_HOSTS: {
    read: (config) => config.events_allowed_hosts,
    otherwise: [],
    good: [['localhost, 10.0.0.5:8080', ['localhost', '10.0.0.5:8080']]],
    bad: ['https://events.example.com', 'events.example.com:0', 'a,,b'],
  },
  TRUST_DOMAIN: {
    read: (config) => config.trust_domain,
    otherwise: 'agent-control-plane.internal',
    good: [['acp.example.com', 'acp.example.com']],
    bad: ['ACP.example.com', 'a/b', 'a b', ' ', 'a'.repeat(256)],
  },
  PROVISIONER: {
    read: (config) => config.engines.provisioner,
    otherwise: 'process',
    good: [
      ['process', 'process'],
      ['docker', 'docker'],
      ['kubernetes', 'kubernetes'],
    ],
    bad: ['podman', 'Process'],
    beside: {
      RUNTIME_IMAGE: 'agents/runtime:1',
      MTLS_PUBLIC_URL: 'https://cp.example.com:8443',
      KUBERNETES_SERVICE_HOST: '10.0.0.1',
    },
  },
  START_TIMEOUT_SECONDS: {
    read: (config) => config.engines.start_timeout_seconds,
    otherwise: 300,
    good: [
      ['10', 10],
      ['3600', 3600],
    ],
    bad: ['9', '3601', '1.5', '-10', '5m', ' '],
  },
  CLUSTERS: {
    read: (config) => config.engines.clusters,
    otherwise: undefined,
    good: [
      ['default', ['default']],
      ['eu-1, us_2.b,eu-1', ['eu-1', 'us_2.b']],
    ],
    bad: [',', 'eu-1,', 'eu 1', '-eu', 'eu/1', 'a'.repeat(51), ' '],
  },
  RUNTIME_IMAGE: {
    read: (config) => config.engines.runtime_image,
    good: [['agents/runtime:1', 'agents/runtime:1']],
    bad: [''],
    beside: { PROVISIONER: 'docker', MTLS_PUBLIC_URL: 'https://cp.example.com:8443' },
  },
  KUBERNETES_NAMESPACE: {
    read: (config) => config.engines.kubernetes.namespace,
    otherwise: undefined,
    good: [['agents', 'agents']],
    bad: ['Agents', 'a/b', '-', 'a'.repeat(64), ' '],
  },
  KUBERNETES_POD_OPTIONS: {
    read: (config) => config.engines.kubernetes.pod_options,
    otherwise: {},
    good: [
      ['{}', {}],
      [
        '{"service_account":"runtimes","host_users":false}',
        { service_account: 'runtimes', host_users: false },
      ],
    ],
    bad: ['x', '[]', '{"namespace":"agents"}', '{"pull_secret":"-"}', '{"tolerations":[{"effect":"none"}]}'],
  },
  KUBERNETES_URL: {
    read: (config) => config.engines.kubernetes.access?.url,
    otherwise: undefined,
    good: [['https://10.0.0.1:6443', 'https://10.0.0.1:6443']],
    bad: ['http://10.0.0.1', '10.0.0.1', 'https://me:word@there', 'https://there/?x', ' ', ''],
    beside: { KUBERNETES_CA_FILE: 'ca.crt', KUBERNETES_TOKEN_FILE: 'token' },
  },
  KUBERNETES_CA_FILE: {
    read: (config) => config.engines.kubernetes.access?.ca_file,
    otherwise: undefined,
    good: [['ca.crt', resolve('ca.crt')]],
    bad: [''],
    beside: { KUBERNETES_URL: 'https://10.0.0.1', KUBERNETES_TOKEN_FILE: 'token' },
  },
  KUBERNETES_TOKEN_FILE: {
    read: (config) => config.engines.kubernetes.access?.token_file,
    otherwise: undefined,
    good: [['token', resolve('token')]],
    bad: [''],
    beside: { KUBERNETES_URL: 'https://10.0.0.1', KUBERNETES_CA_FILE: 'ca.crt' },
  },
  KUBERNETES_SERVICE_HOST: {
    read: (config) => config.engines.kubernetes.access,
    otherwise: undefined,
    good: [
      ['10.0.0.1', ownAccess('https://10.0.0.1:443')],
      ['fd00::1', ownAccess('https://[fd00::1]:443')],
    ],
    bad: ['a b'],
  },
  KUBERNETES_SERVICE_PORT: {
    read: (config) => config.engines.kubernetes.access?.url,
    otherwise: 'https://10.0.0.1:443',
    good: [['6443', 'https://10.0.0.1:6443']],
    bad: [],
    beside: { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
  },
  RUNTIME_PULL_POLICY: {
    read: (config) => config.engines.pull_policy,
    otherwise: 'missing',
    good: ['missing', 'always', 'never'].map((policy) => [policy, policy]),
    bad: ['Always', 'IfNotPresent', 'true'],
  },
  DOCKER_HOST: {
    read: (config) => config.engines.docker.endpoint,
    otherwise: 'unix:///var/run/docker.sock',
    good: [
      ['unix:///run/podman/podman.sock', 'unix:///run/podman/podman.sock'],
      ['tcp://10.0.0.5:2376', 'tcp://10.0.0.5:2376'],
    ],
    bad: [
      '/var/run/docker.sock',
      'unix://docker.sock',
      'http://localhost:2375',
      'ssh://me@there',
      'tcp://',
      ' ',
    ],
    beside: {
      PROVISIONER: 'docker',
      RUNTIME_IMAGE: 'agents/runtime:1',
      MTLS_PUBLIC_URL: 'https://cp.example.com:8443',
      DOCKER_CERT_PATH: '/certs',
    },
  },
  DOCKER_CERT_PATH: {
    read: (config) => config.engines.docker.cert_path,
    otherwise: undefined,
    good: [['certs', resolve('certs')]],
    bad: [],
  },
  DOCKER_SUBNETS: {
    read: (config) => config.engines.docker.subnets,
    otherwise: '10.201.0.0/16',
    good: [['172.20.0.0/14', '172.20.0.0/14']],
    bad: [
      '10.0.0.0',
      '10.0.0.0/26',
      '10.0.0.0/7',
      '10.0.0.256/16',
      'fd00::/64',
      '10.0.0.0/16,10.1.0.0/16',
      ' ',
    ],
  },
  DOCKER_CONFIG: {
    read: (config) => config.engines.docker.config,
    otherwise: undefined,
    good: [['/etc/acp/docker', '/etc/acp/docker']],
    bad: [],
  },
  RUNTIME_COMMAND: {
    read: (config) => config.runtime_command,
    otherwise: undefined,
    good: [
      ['/opt/agent/bin/run', ['/opt/agent/bin/run']],
      [' node  /opt/agent/main.js --lines', ['node', '/opt/agent/main.js', '--lines']],
      ['', undefined],
    ],
    bad: ['./run', 'agent/run', ' '],
  },
  RUNTIME_ISOLATION: {
    read: (config) => config.runtime_isolation,
    otherwise: 'preferred',
    good: ['required', 'preferred', 'none'].map((mode) => [mode, mode]),
    bad: ['on', 'Required', 'true'],
  },
  ROLE: {
    read: (config) => config.role,
    otherwise: 'all',
    good: [
      ['all', 'all'],
      ['api', 'api'],
      ['worker', 'worker'],
    ],
    bad: ['jobs', 'API'],
  },
  DRAIN_SECONDS: {
    read: (config) => config.drain_seconds,
    otherwise: 0,
    good: [
      ['0', 0],
      ['600', 600],
    ],
    bad: ['-1', '1.5', '601', 'ten', ' '],
  },
  WATCHDOG_SECONDS: {
    read: (config) => config.watchdog_seconds,
    otherwise: 0,
    good: [
      ['0', 0],
      ['3600', 3600],
    ],
    bad: ['-1', '1.5', '3601', 'off', ' '],
  },
  LOG_LEVEL: {
    read: (config) => config.log_level,
    otherwise: 'info',
    good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => [level, level]),
    bad: ['verbose', 'INFO'],
  },
};

const refusal = (env: Record<string, string>): unknown => {
  try {
    readConfig(env);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe.each(Object.entries(settings))('%s', (name, { read, otherwise, good, bad, beside = {} }) => {
  it.each(good)('%j is taken', (text, value) => {
    expect(read(readConfig({ ...beside, [name]: text }))).toEqual(value);
  });

  it.runIf(bad.length > 0).each([...bad])('%j stops the start with one line that names it', (text) => {
    const error = refusal({ ...beside, [name]: text });
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(new RegExp(`^${name} .+$`));
  });

  it('may be left out where it has a default', () => {
    if (bad.includes('')) return;
    expect(read(readConfig(beside))).toEqual(otherwise);
  });
});

it('every setting that the code reads stands in the table above', async () => {
  const files = ['config.ts', 'engine-settings.ts', 'kubernetes-settings.ts', 'mtls-settings.ts'].map(
    (name) => readFile(join(import.meta.dirname, '../src', name), 'utf8'),
  );
  const text = (await Promise.all(files)).join('\n');
  const read = new Set(text.match(/\b[A-Z][A-Z0-9]*_[A-Z_]+\b|(?<=env\.)[A-Z]+\b/g));
  const constants = new Set(text.match(/(?<=^const )[A-Z_]+/gm));
  const unknown = [...read].filter((name) => !constants.has(name) && settings[name] === undefined);
  expect(unknown, 'Add what is good and bad for it to `settings`').toEqual([]);
  expect(Object.keys(settings).filter((name) => !read.has(name))).toEqual([]);
});

it('a cluster needs an address, a token with its authority and a namespace, or is the own one', () => {
  const env = {
    PROVISIONER: 'kubernetes',
    RUNTIME_IMAGE: 'agents/runtime:1',
    MTLS_PUBLIC_URL: 'https://cp.example.com:8443',
  };
  const given = { KUBERNETES_URL: 'https://there', KUBERNETES_CA_FILE: 'ca', KUBERNETES_TOKEN_FILE: 'token' };
  const outside = 'is required with PROVISIONER=kubernetes outside of a cluster';
  expect([refusal(env), refusal({ ...env, ...given })]).toMatchObject([
    { message: `KUBERNETES_URL ${outside}` },
    { message: `KUBERNETES_NAMESPACE ${outside}` },
  ]);
  expect(refusal({ ...env, KUBERNETES_TOKEN_FILE: 'token' })).toMatchObject({
    message: 'KUBERNETES_URL is required with KUBERNETES_TOKEN_FILE',
  });
  const inside = readConfig({ ...env, KUBERNETES_SERVICE_HOST: '10.0.0.1' }).engines.kubernetes;
  expect(inside).toEqual({
    access: ownAccess('https://10.0.0.1:443'),
    namespace: undefined,
    namespace_file: '/var/run/secrets/kubernetes.io/serviceaccount/namespace',
    pod_options: {},
  });
});

it('a daemon over tcp needs certificates, and counts only where it is used', () => {
  const env = { RUNTIME_IMAGE: 'agents/runtime:1', DOCKER_HOST: 'tcp://10.0.0.5:2376' };
  expect(refusal({ ...env, PROVISIONER: 'docker' })).toMatchObject({
    message: 'DOCKER_HOST with tcp:// needs DOCKER_CERT_PATH with ca.pem, cert.pem and key.pem',
  });
  expect(readConfig(env).engines.docker.endpoint).toBe('unix:///var/run/docker.sock');
});

const urlBesideOptions = (env: Record<string, string>) =>
  readConfig({ MASTER_KEY, PGOPTIONS: '-c work_mem=1MB', ...env }).database_url;

it('isolation of runtimes is required on a server database', () => {
  const env = { DATABASE_URL: 'postgres://db/acp', MASTER_KEY };
  expect(readConfig(env).runtime_isolation).toBe('required');
  expect(readConfig({ ...env, RUNTIME_ISOLATION: 'none' }).runtime_isolation).toBe('none');
});

it('PGOPTIONS counts where DATABASE_URL has no options, and is about no embedded database', () => {
  expect(urlBesideOptions({ DATABASE_URL: 'postgres://db/acp' })).toBe(
    'postgres://db/acp?options=-c%20work_mem%3D1MB',
  );
  const own = 'postgres://db/acp?options=-c%20lock_timeout%3D5s';
  expect(urlBesideOptions({ DATABASE_URL: own })).toBe(own);
  expect(urlBesideOptions({})).toBeUndefined();
});

it('every setting stands in docs/settings.md', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  const shown = new Set(rows.flatMap((row) => row.split('|')[1]?.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []));
  expect(Object.keys(settings).filter((name) => !shown.has(name))).toEqual([]);
});

it.each([
  [{ HOST: '10.1.2.3' }, { hostnames: ['localhost'], ips: ['127.0.0.1', '::1', '10.1.2.3'] }],
  [{ HOST: '0.0.0.0' }, { hostnames: ['localhost'], ips: ['127.0.0.1', '::1'] }],
  [{ HOST: '::' }, { hostnames: ['localhost'], ips: ['127.0.0.1', '::1'] }],
  [{ HOST: 'fe80::1%eth0' }, { hostnames: ['localhost'], ips: ['127.0.0.1', '::1', 'fe80::1'] }],
  [
    { HOST: 'Cp.internal', MTLS_PUBLIC_URL: 'https://cp.example.com' },
    { hostnames: ['localhost', 'cp.internal', 'cp.example.com'], ips: ['127.0.0.1', '::1'] },
  ],
  [
    { MTLS_PUBLIC_URL: 'https://[fd00::1]:9' },
    { hostnames: ['localhost'], ips: ['127.0.0.1', '::1', 'fd00::1'] },
  ],
  [
    { HOST: '10.1.2.3', MTLS_HOST: '0.0.0.0' },
    { hostnames: ['localhost'], ips: ['127.0.0.1', '::1'] },
  ],
  [{ MTLS_HOST: 'cp.internal' }, { hostnames: ['localhost', 'cp.internal'], ips: ['127.0.0.1', '::1'] }],
])('the mTLS listener’s certificate is for where it is reached: %j', (env, names) => {
  expect(readConfig(env).mtls.names).toEqual(names);
});

describe('runtimes that are no processes of this machine', () => {
  const elsewhere = { PROVISIONER: 'docker', RUNTIME_IMAGE: 'agents/runtime:1' };
  it('need an address of the mTLS listener', () => {
    expect((refusal(elsewhere) as Error).message).toMatch(/^MTLS_PUBLIC_URL is required .+$/);
  });
  it('are not served at a loopback address, which processes are', () => {
    const urls = ['', 'https://localhost:8443', 'https://cp.example.com'];
    const are = urls.map((MTLS_PUBLIC_URL) => readConfig({ MTLS_PUBLIC_URL }).mtls.is_public);
    expect(are).toEqual([false, false, true]);
  });
  it.each([
    'https://control-plane:8443',
    'https://10.0.0.5:8443',
    'https://[fd00::1]:8443',
    'https://localhost.example',
  ])('reach it at %s', (MTLS_PUBLIC_URL) => {
    expect(readConfig({ ...elsewhere, MTLS_PUBLIC_URL }).mtls.public_url).toBe(MTLS_PUBLIC_URL);
  });
  it.each([
    'https://localhost:8443',
    'https://LOCALHOST.:8443',
    'https://cp.localhost',
    'https://127.0.0.1:8443',
    'https://127.9.9.9',
    'https://127.1',
    'https://0x7f.0.0.1',
    'https://2130706433',
    'https://[::1]:8443',
    'https://[0:0::0:1]',
    'https://[::ffff:127.0.0.1]:8443',
    'https://0.0.0.0:8443',
    'https://[::]:8443',
  ])('do not reach it at %s', (MTLS_PUBLIC_URL) => {
    expect((refusal({ ...elsewhere, MTLS_PUBLIC_URL }) as Error).message).toMatch(/^MTLS_PUBLIC_URL .+$/);
  });
});

describe('a server database', () => {
  const database = { DATABASE_URL: 'postgres://db/acp' };
  it('needs MASTER_KEY', () => {
    expect(refusal({ ...database, OPERATIONS_TOKEN })).toMatchObject({
      message: expect.stringMatching(/^MASTER_KEY is required .+$/),
    });
  });
});

it('takes an operations token that can be guessed on the embedded database alone', () => {
  const served = { DATABASE_URL: 'postgres://db/acp', MASTER_KEY };
  const [enough, short] = ['x'.repeat(24), 'x'.repeat(23)];
  expect(readConfig({ ...served, OPERATIONS_TOKEN: enough }).operations_token).toBe(enough);
  expect((refusal({ ...served, OPERATIONS_TOKEN: short }) as Error).message).toMatch(
    /^OPERATIONS_TOKEN .+ 24 .+$/,
  );
  expect(readConfig({ OPERATIONS_TOKEN: short }).operations_token).toBe(short);
});

it('takes previous master keys only beside the one that wraps', () => {
  const { message } = refusal({ MASTER_KEY_PREVIOUS: MASTER_KEY }) as Error;
  expect(message).toMatch(/^MASTER_KEY_PREVIOUS .+ MASTER_KEY$/);
});

it('repeats no secret in a refusal', () => {
  const secrets = {
    MASTER_KEY_PREVIOUS: 'hunter2-hunter2',
    MASTER_KEY: 'hunter2-hunter2',
    OPERATIONS_TOKEN: 'hunter2 hunter2',
    DATABASE_URL: 'db://u:hunter2@db',
    REDIS_URL: 'redis://u:hunter2@redis/cache',
    LLM_BASE_URL: 'http://u:hunter2@llm',
    GOOGLE_TOKEN_URL: 'ftp://u:hunter2@token',
  };
  for (const [name, text] of Object.entries(secrets)) {
    const environment = { MASTER_KEY, OPERATIONS_TOKEN, LLM_MODEL: 'm', [name]: text };
    expect((refusal(environment) as Error).message).not.toContain('hunter2');
  }
});
