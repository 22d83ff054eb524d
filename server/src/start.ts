import { join } from 'node:path';
import { pino } from 'pino';
import {
  type Credentials,
  firstLink,
  isEmpty,
  newCredentials,
  newOperationsToken,
  seed,
} from './access/first-start.ts';
import { Argon2Hasher } from './adapters/argon2-hasher.ts';
import { ChatappMedia } from './adapters/chatapp-media.ts';
import { ChatappSendApi } from './adapters/chatapp-send-api.ts';
import { ChatappTemplates } from './adapters/chatapp-templates.ts';
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
import { HttpEventSender } from './adapters/outside/http-event-sender.ts';
import { PeopleJudgeThread } from './adapters/people-judge-thread.ts';
import { endOnUnexpectedErrors } from './adapters/unexpected-errors.ts';
import { watchMainThread } from './adapters/watchdog.ts';
import { readAuthorityFiles } from './adapters/x509/authority-files.ts';
import { PeculiarX509 } from './adapters/x509/peculiar-x509.ts';
import { isInUse } from './certificates/client-certificates.ts';
import type { Config } from './config.ts';
import { PAGE_PATHS } from './dashboard/page-paths.ts';
import type { Transcriber } from './dialogue/transcriber.port.ts';
import { openEngines } from './engines.ts';
import { VERSION } from './platform/contract/about.ts';
import { Patience } from './platform/db/patience.ts';
import { Listener } from './platform/http/listener.ts';
import { readPages } from './platform/http/pages.ts';
import { whileStarting } from './platform/http/while-starting.ts';
import { logConsole, loggerOptions, standardOutput } from './platform/logger.ts';
import type { Counter, Log } from './platform/ports.ts';
import { OPERATIONS_TOKEN_LENGTH } from './platform/setting-values.ts';
import type { Tracing } from './platform/tracing.ts';
import type { LanguageModel } from './recipes/language-model.port.ts';
import { buildService, cannotListen, type OwnModel, type Service } from './service.ts';
import type { Services } from './services.ts';

/** Built beside this package. */
const BUILT_PAGES = join(import.meta.dirname, '../../dashboard/dist');

export interface Started extends OwnModel {
  base_url: string;
  mtls_url: string;
  /** Where browsers reach it. */
  public_url: string;
  /** At the first start on an embedded database: signs its admin in once. */
  sign_in_url: string | undefined;
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

  endOnUnexpectedErrors(logger);
  if (config.watchdog_seconds > 0) watchMainThread(config.watchdog_seconds, logger);
  const engines = await openEngines(config, logger, () => startedOf(services));
  const runtimes = runtimeClientOf(config, () => services);
  undo.push(() => runtimes.close());
  const urls = config.database_url
    ? { database_url: config.database_url }
    : await startDatabase(data_dir, logger, undo);
  const waiting = await waitAtDoor(config, urls.database_url, logger, engines.isolation);
  undo.push(() => waiting.listener.close());
  const file = config.database_url ? undefined : new CredentialsFile<Credentials>(data_dir);
  const kept = await file?.read();
  // Without a setting nobody knows the token.
  const operations_token = config.operations_token ?? kept?.operations_token ?? newOperationsToken();
  if (operations_token.length < OPERATIONS_TOKEN_LENGTH)
    logger.warn(`OPERATIONS_TOKEN has fewer than ${OPERATIONS_TOKEN_LENGTH} characters and can be guessed`);

  warnOfOpenMachine(logger, 'MCP_ALLOWED_HOSTS', config.mcp_allowed_hosts);
  warnOfOpenMachine(logger, 'EVENTS_ALLOWED_HOSTS', config.events_allowed_hosts);

  const service = await buildService({
    ...urls,
    ...(await masterKeysOf(config)),
    ...settingsOf(config),
    ...(await adaptersOf(config, logger)),
    runtimes,
    ...engines,
    ...waiting,
    pages: await readPages(BUILT_PAGES, PAGE_PATHS),
    operations_token,
    logger,
    settings: {
      host_id: await openHostId(data_dir),
      chatapp_api_base_url: config.chatapp_api_base_url,
      trust_domain: config.trust_domain,
      replaces_runtime: config.runtime_command !== undefined,
      runtime_image: config.engines.runtime_image,
      replaces_manifest: (config.runtime_command ?? config.engines.runtime_image) !== undefined,
      provisioner: config.engines.provisioner,
      lacks_filesystem_drive: config.drive.filesystem_root === undefined,
      runs_clusters: config.mtls.is_public && config.engines.runtime_image !== undefined,
      llm: config.llm,
      retention: config.retention,
    },
  });
  services = service.services;
  undo.push(() => service.stop());
  return open(config, service, file && { file, kept, operations_token }, waiting.patience);
}

function warnOfOpenMachine(log: Log, setting: string, allowedHosts: readonly string[]): void {
  const hosts = openMachines(allowedHosts);
  if (hosts.length > 0) log.warn({ hosts }, `${setting} opens every port of this machine to all tenants`);
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
  public_url: config.public_url,
  allowedOrigins: config.mcp_allowed_origins,
  trustedProxies: config.trusted_proxies,
  forwardedForProxies: config.forwarded_for_proxies,
  mtls: config.mtls,
});

/** The outside world, but for the engine of runtimes. */
const adaptersOf = async (config: Config, log: Log) => ({
  lastSeenNumber: new LastSeenNumberFile(config.data_dir),
  hasher: new Argon2Hasher(),
  peopleJudge: new PeopleJudgeThread(),
  counter: await counterOf(config, log),
  sendApi: new ChatappSendApi(),
  mediaSource: new ChatappMedia(),
  templateSource: new ChatappTemplates(),
  eventSender: new HttpEventSender(config.events_allowed_hosts),
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
function runtimeClientOf({ trust_domain }: Config, services: () => Services | undefined): HttpRuntimeClient {
  return new HttpRuntimeClient({
    trust_domain,
    trustBundle: async () => startedOf(services()).authority.trustBundle(),
    isInUse: async (id, certificate) => isInUse(startedOf(services()), id, certificate),
  });
}

function startedOf(services: Services | undefined): Services {
  if (!services) throw new Error('The service is starting');
  return services;
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
  const seeded = given && (await seedOnce(service.services, given));
  const ports = { port: config.port, mtls_port: config.mtls.port };
  const addresses = await service.listen(config.host, ports, async (found) => {
    const { base_url, mtls_url } = found;
    if (seeded) await given.file.publish({ ...seeded.credentials, base_url, mtls_url });
  });
  const { db } = service.services;
  const sign_in_url = seeded?.isFirst
    ? await firstLink(db, addresses.public_url, seeded.credentials)
    : undefined;
  return { ...addresses, credentials_path: given?.file.path, sign_in_url };
}

/** Not yet known to be in use. */
interface Given {
  file: CredentialsFile<Credentials>;
  kept: Credentials | undefined;
  operations_token: string;
}

/** In a database with tenants, new credentials only open operations. */
async function seedOnce(
  services: Services,
  { file, kept, operations_token }: Given,
): Promise<{ credentials: Credentials; isFirst: boolean }> {
  const fresh = newCredentials(operations_token);
  if (!(await isEmpty(services.db))) {
    const none = { tenant_id: null, admin: null, api_key: null };
    // An earlier start ended before it had an address.
    const isFirst = kept?.base_url === '';
    return { credentials: { ...fresh, ...none, ...kept, operations_token }, isFirst };
  }
  const credentials = kept?.api_key ? { ...kept, operations_token } : fresh;
  await file.keep(credentials);
  await seed(services, credentials);
  return { credentials, isFirst: true };
}
