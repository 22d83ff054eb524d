import { isUuid } from './json.ts';
import { type LogLevel, logLevels } from './log.ts';
import { type AgentSecrets, parseSecrets } from './secrets.ts';

/** Any OpenAI-compatible endpoint. */
export interface LlmConfig {
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
}

export interface Config {
  controlPlaneUrl: string;
  instanceId: string;
  proxyKey: string;
  messageSecret: string;
  host: string;
  port: number;
  chatappApiBaseUrl: string;
  agentSecrets: AgentSecrets;
  llm: LlmConfig | undefined;
  logLevel: LogLevel;
}

/** Names every setting that is wrong, in one line, without its value. */
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

const asUrl: Parse<string> = (value) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value.replace(/\/+$/, '') : undefined;

const asSecrets: Parse<AgentSecrets> = (value) => {
  try {
    return parseSecrets(JSON.parse(value));
  } catch {
    return undefined;
  }
};

/** Reads the whole environment of the runtime (README.md has the table). Throws ConfigError. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];

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

  const url = 'an http or https URL';
  const llmBaseUrl = optional('LLM_BASE_URL', asUrl, url);
  const llmOf = (baseUrl: string): LlmConfig => ({
    baseUrl,
    apiKey: optional('LLM_API_KEY', asText, 'a key'),
    model: required('LLM_MODEL', asText, 'a model name when LLM_BASE_URL is set', ''),
  });
  const config: Config = {
    controlPlaneUrl: required('CONTROL_PLANE_URL', asUrl, url, ''),
    instanceId: required('INSTANCE_ID', asId, 'a UUID', ''),
    proxyKey: required('PROXY_KEY', asText, "the instance's proxy key", ''),
    messageSecret: required('MESSAGE_SECRET', asText, 'the secret shared with the control plane', ''),
    host: optional('HOST', asText, 'an address') ?? '127.0.0.1',
    port: optional('PORT', asPort, 'a number from 0 to 65535') ?? 8700,
    chatappApiBaseUrl: required('CHATAPP_API_BASE_URL', asUrl, url, ''),
    agentSecrets: optional('AGENT_SECRETS', asSecrets, 'JSON of the form {"connections": {…}}') ?? {
      connections: {},
    },
    llm: llmBaseUrl === undefined ? undefined : llmOf(llmBaseUrl),
    logLevel: optional('LOG_LEVEL', asLevel, `one of ${logLevels.join(', ')}`) ?? 'info',
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}
