import { join } from 'node:path';
import { pino } from 'pino';
import { type Credentials, isEmpty, newCredentials, newOperationsToken, seed } from './access/first-start.ts';
import { Argon2Hasher } from './adapters/argon2-hasher.ts';
import { ChatappMedia } from './adapters/chatapp-media.ts';
import { ChatappSendApi } from './adapters/chatapp-send-api.ts';
import { MemoryCounter } from './adapters/counters/memory-counter.ts';
import { CredentialsFile } from './adapters/credentials-file.ts';
import { lockDataDirectory } from './adapters/data-directory.ts';
import { Drives } from './adapters/drive/drives.ts';
import { startEmbeddedPostgres } from './adapters/embedded-postgres/launcher.ts';
import { openHostId } from './adapters/host-id.ts';
import { HttpRuntimeClient } from './adapters/http-runtime-client.ts';
import { LastSeenNumberFile } from './adapters/last-seen-number-file.ts';
import { HttpLlmClient } from './adapters/llm/http-llm-client.ts';
import { MasterKeyFile } from './adapters/master-key-file.ts';
import { McpToolServers } from './adapters/mcp-client/mcp-tool-servers.ts';
import { openMachines } from './adapters/outside/guarded-fetch.ts';
import { Internet } from './adapters/outside/internet.ts';
import { ProcessEngine } from './adapters/process-engine/engine.ts';
import { watchMainThread } from './adapters/watchdog.ts';
import { readAuthorityFiles } from './adapters/x509/authority-files.ts';
import { PeculiarX509 } from './adapters/x509/peculiar-x509.ts';
import type { Config } from './config.ts';
import type { Transcriber } from './dialogue/transcriber.port.ts';
import { cleanLine, storeEngineOutput } from './logs/instance-logs.ts';
import { VERSION } from './platform/contract/about.ts';
import { Patience } from './platform/db/patience.ts';
import { Listener } from './platform/http/listener.ts';
import { whileStarting } from './platform/http/while-starting.ts';
import { logConsole, loggerOptions, standardOutput } from './platform/logger.ts';
import type { Counter, Log } from './platform/ports.ts';
import { OPERATIONS_TOKEN_LENGTH } from './platform/setting-values.ts';
import type { Tracing } from './platform/tracing.ts';
import type { LanguageModel } from './recipes/language-model.port.ts';
import type { RuntimeDoors } from './runtimes/runtime-doors.port.ts';
import { type Addresses, buildService, cannotListen, type OwnModel, type Service } from './service.ts';
import type { Services } from './services.ts';

export interface Started extends OwnModel {
  base_url: string;
  mtls_url: string;
  /** undefined on a server database. */
  credentials_path: string | undefined;
  stop(): Promise<void>;
}

/** Waits for the database. After a failure that does not pass, stops the parts that have started. */
export async function start(config: Config): Promise<Started> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await startParts(config, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(config: Config, undo: (() => Promise<void>)[]): Promise<Omit<Started, 'stop'>> {
  const logger = pino(loggerOptions(config.log_level), standardOutput());
  logConsole(logger);
  const { data_dir } = config;
  let services: Services | undefined;
  const lock = await lockDataDirectory(data_dir);
  undo.push(() => lock.release());

  if (config.watchdog_seconds > 0) watchMainThread(config.watchdog_seconds, logger);
  const { engine, ...engineParts } = engineOf(config, logger, () => services);
  const urls = config.database_url
    ? { database_url: config.database_url }
    : await startDatabase(data_dir, logger, undo);
  const waiting = await waitAtDoor(config, urls.database_url, logger, () => engine.isolation);
  undo.push(() => waiting.listener.close());
  const file = config.database_url ? undefined : new CredentialsFile<Credentials>(data_dir);
  const kept = await file?.read();
  // Without a setting nobody knows the token.
  const operations_token = config.operations_token ?? kept?.operations_token ?? newOperationsToken();
  if (operations_token.length < OPERATIONS_TOKEN_LENGTH)
    logger.warn(`OPERATIONS_TOKEN has fewer than ${OPERATIONS_TOKEN_LENGTH} characters and can be guessed`);

  const hosts = openMachines(config.mcp_allowed_hosts);
  if (hosts.length > 0)
    logger.warn({ hosts }, 'MCP_ALLOWED_HOSTS opens every port of this machine to all tenants');

  const service = await buildService({
    ...urls,
    ...(await masterKeysOf(config)),
    ...settingsOf(config),
    ...(await adaptersOf(config, logger)),
    ...engineParts,
    engine,
    ...waiting,
    operations_token,
    logger,
    settings: {
      host_id: await openHostId(data_dir),
      chatapp_api_base_url: config.chatapp_api_base_url,
      trust_domain: config.trust_domain,
      replaces_runtime: config.runtime_command !== undefined,
      llm: config.llm,
      retention: config.retention,
    },
  });
  services = service.services;
  undo.push(() => service.stop());
  return open(config, service, file && { file, kept, operations_token }, waiting.patience);
}

/** On a server database the service listens first, and answers that it starts (contract, section 20). */
async function waitAtDoor(config: Config, database_url: string, log: Log, isolation: () => string) {
  const patience = new Patience(database_url, log);
  const listener = new Listener(whileStarting({ database: () => patience.database, isolation }));
  if (config.database_url) await listener.listen(config.host, config.port).catch(cannotListen('PORT'));
  return { patience, listener };
}

const settingsOf = (config: Config) => ({
  servesClients: config.role !== 'worker',
  runsJobs: config.role !== 'api',
  drainMs: config.drain_seconds * 1000,
  allowedOrigins: config.mcp_allowed_origins,
  trustedProxies: config.trusted_proxies,
  forwardedForProxies: config.forwarded_for_proxies,
  mtls: config.mtls,
});

/** The outside world, but for the engine of runtimes. */
const adaptersOf = async (config: Config, log: Log) => ({
  lastSeenNumber: new LastSeenNumberFile(config.data_dir),
  hasher: new Argon2Hasher(),
  counter: await counterOf(config, log),
  runtimes: new HttpRuntimeClient(),
  sendApi: new ChatappSendApi(),
  mediaSource: new ChatappMedia(),
  toolServers: new McpToolServers({ allowedHosts: config.mcp_allowed_hosts }),
  transcriber: await transcriberOf(config),
  languageModel: await languageModelOf(config),
  tracing: await tracingOf(config, log),
  llmClient: new HttpLlmClient(config.mcp_allowed_hosts),
  drive: await Drives.open(config.drive),
  x509: new PeculiarX509(),
  givenAuthority: config.ca && (await readAuthorityFiles(config.ca, new Date())),
});

/** @param services undefined while the service starts */
function engineOf(config: Config, log: Log, services: () => Services | undefined) {
  const internet = new Internet({ log });
  const engine = new ProcessEngine({
    dataDir: config.data_dir,
    log,
    ...(config.runtime_command && { command: config.runtime_command }),
    isolation: config.runtime_isolation,
    hidden: [config.drive.filesystem_root],
    openInternet: (path) => internet.open(path),
    onOutput: async (id, lines) => storeEngineOutput(startedOf(services()), id, lines),
    clean: async (id, line) => cleanLine(startedOf(services()), id, line),
  });
  return {
    engine,
    recover: (addresses: Addresses, doors: RuntimeDoors) => recover(engine, addresses, doors),
    isolation: () => engine.isolation,
  };
}

function startedOf(services: Services | undefined): Services {
  if (!services) throw new Error('The service is starting');
  return services;
}

/** The isolation is tried before the first runtime needs it, so that a refusal is known from the start. */
async function recover(engine: ProcessEngine, addresses: Addresses, doors: RuntimeDoors): Promise<void> {
  await engine.tryIsolation();
  await engine.recover(addresses, doors);
}

// Unconfigured libraries are not loaded, because they take megabytes.

async function counterOf({ redis_url }: Config, log: Log): Promise<Counter> {
  if (!redis_url) return new MemoryCounter();
  const { RedisCounter } = await import('./adapters/counters/redis-counter.ts');
  return RedisCounter.open(redis_url, log);
}

async function languageModelOf({ llm }: Config): Promise<LanguageModel | undefined> {
  if (!llm) return undefined;
  const { OpenAiLanguageModel } = await import('./adapters/openai-language-model.ts');
  return new OpenAiLanguageModel(llm);
}

async function transcriberOf({ transcription }: Config): Promise<Transcriber | undefined> {
  if (!transcription) return undefined;
  const { OpenAiTranscriber } = await import('./adapters/openai-transcriber.ts');
  return new OpenAiTranscriber(transcription);
}

async function tracingOf({ tracing }: Config, log: Log): Promise<Tracing | undefined> {
  if (!tracing) return undefined;
  const { OpenTelemetryTracing } = await import('./adapters/opentelemetry-tracing.ts');
  return new OpenTelemetryTracing({ ...tracing, version: VERSION }, log);
}

async function startDatabase(
  data_dir: string,
  log: Log,
  undo: (() => Promise<void>)[],
): Promise<{ database_url: string; administration_url: string }> {
  const database = await startEmbeddedPostgres({
    directory: join(data_dir, 'postgres'),
    onExit: (reason) => log.error({ reason }, 'the embedded database ended; it is started again'),
    onBack: () => log.info({}, 'the embedded database is back'),
    onFailure: (error) =>
      log.error({ err: error }, 'the embedded database does not start; it is tried again'),
  });
  undo.push(() => database.stop());
  return { database_url: database.loginUrl, administration_url: database.url };
}

/** By default they are stored in the data directory. */
async function masterKeysOf({ master_key, previous_master_keys, data_dir }: Config) {
  if (master_key) return { master_key, previous_master_keys };
  const masterKeyStore = await MasterKeyFile.open(data_dir);
  const [current, ...others] = masterKeyStore.keys;
  return { master_key: current, previous_master_keys: others, masterKeyStore };
}

async function open(config: Config, service: Service, given: Given | undefined, patience: Patience) {
  await patience.until(() => service.services.masterKeyRotation.finish());
  const credentials = given && (await seedOnce(service.services, given));
  const ports = { port: config.port, mtls_port: config.mtls.port };
  const addresses = await service.listen(config.host, ports, async (found) => {
    if (credentials) await given.file.publish({ ...credentials, ...found });
  });
  return { ...addresses, credentials_path: given?.file.path };
}

/** Not yet known to be in use. */
interface Given {
  file: CredentialsFile<Credentials>;
  kept: Credentials | undefined;
  operations_token: string;
}

/** In a database with tenants, new credentials only open operations. */
async function seedOnce(services: Services, { file, kept, operations_token }: Given): Promise<Credentials> {
  const fresh = newCredentials(operations_token);
  if (!(await isEmpty(services.db))) {
    return { ...fresh, tenant_id: null, admin: null, api_key: null, ...kept, operations_token };
  }
  const credentials = kept?.api_key ? { ...kept, operations_token } : fresh;
  await file.keep(credentials);
  await seed(services, credentials);
  return credentials;
}
