import { EventEmitter } from 'node:events';
import type { BlockList } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { ApiKeyCache } from './access/api-key-cache.ts';
import { Credentials } from './access/credentials.http.ts';
import type { Hasher } from './access/hasher.port.ts';
import { LoginThrottle } from './access/login-throttle.ts';
import { OperationsToken } from './access/operations-token.ts';
import { findLimit } from './access/tenant-limits.db.ts';
import { replaceTenantKey } from './access/tenants.db.ts';
import { Tokens } from './access/tokens.ts';
import { operations, type RouteServices, routes, toolRoutes, wording } from './areas.ts';
import { ToolCallLog } from './audit/tool-call-log.ts';
import { replaceCaPrivateKey } from './certificates/ca-keys.db.ts';
import { CertificateAuthority } from './certificates/certificate-authority.ts';
import { addClientCertificates } from './certificates/client-certificates.http.ts';
import { enrollmentHooks } from './certificates/enrollment.http.ts';
import { ListenerCertificate } from './certificates/listener-certificate.ts';
import { MtlsListener } from './certificates/mtls-listener.http.ts';
import { RevocationListKeeper } from './certificates/revocation-lists.ts';
import type { GivenAuthority, X509 } from './certificates/x509.port.ts';
import { ChannelMetrics } from './channels/channel-metrics.ts';
import { Inbox } from './channels/inbox.ts';
import type { MediaSource } from './channels/media-source.port.ts';
import { ReadMarks } from './channels/read-marks.ts';
import type { SendApi } from './channels/send-api.port.ts';
import { SigningEndpoints } from './channels/signing-endpoints.ts';
import { WebhookThrottle } from './channels/webhook-throttle.ts';
import { hidePins } from './conversations/hidden-pins.ts';
import { DialogueMetrics } from './dialogue/dialogue-metrics.ts';
import type { Transcriber } from './dialogue/transcriber.port.ts';
import { VoiceNotes } from './dialogue/voice-notes.ts';
import type { Drive } from './drive/drive.port.ts';
import { SenderTokens } from './identities/sender-tokens.ts';
import { findInstanceTenant } from './instances/instances.db.ts';
import { jobKinds, LASTING_JOBS } from './jobs/job-kinds.ts';
import { LogAllowance } from './logs/log-allowance.ts';
import { LogRedactors } from './logs/log-redactors.ts';
import { McpEndpoint } from './mcp/endpoint.ts';
import type { LlmClient } from './models/llm-client.port.ts';
import { checkProviders } from './models/llm-health.ts';
import { MODEL_TIMEOUTS, type ModelTimeouts } from './models/model-call.ts';
import { ModelHabits } from './models/model-habits.ts';
import { ModelMetrics } from './models/model-metrics.ts';
import { addGauges } from './operating/gauges.ts';
import { defaultRetention, type Retention } from './operating/retention.ts';
import { requireProofs } from './pins/pin-gate.ts';
import { identifySender, narrowToSender } from './pins/sender-gate.ts';
import type { ServerNames } from './platform/addresses.ts';
import { openApiDocument } from './platform/contract/openapi.ts';
import { addDatabaseState } from './platform/database-state.ts';
import { Database } from './platform/db/database.ts';
import { DatabaseClock } from './platform/db/database-clock.ts';
import { migrate } from './platform/db/migrate.ts';
import { Notifications } from './platform/db/notifications.ts';
import { Patience } from './platform/db/patience.ts';
import { Readiness } from './platform/db/readiness.ts';
import { readSchema, versionOf } from './platform/db/schema-files.ts';
import { found } from './platform/errors.ts';
import type { ServiceState } from './platform/health.http.ts';
import type { Guards } from './platform/http/admission.ts';
import { buildApp } from './platform/http/app.ts';
import {
  type CheckReply,
  type CompiledRoute,
  compileRoute,
  type Runtime,
} from './platform/http/compiled-route.ts';
import { Listener } from './platform/http/listener.ts';
import { LongLivedResponses } from './platform/http/long-lived-responses.ts';
import { RateLimits } from './platform/http/rate-limits.ts';
import { serveRuntimeAt } from './platform/http/runtime-connections.ts';
import { whileStarting } from './platform/http/while-starting.ts';
import { Admission, type FindLoadLimit } from './platform/load/admission.ts';
import { Metrics } from './platform/metrics.ts';
import type { Clock, Counter } from './platform/ports.ts';
import { enqueue } from './platform/queue/jobs.db.ts';
import { Queue, type QueuePace } from './platform/queue/queue.ts';
import type { LastSeenNumber } from './platform/restore-detector.port.ts';
import { RestoreDetector } from './platform/restore-detector.ts';
import { SeldomLog } from './platform/seldom-log.ts';
import { noTracing, type Tracing } from './platform/tracing.ts';
import { TaskMetrics } from './provisioning/task-metrics.ts';
import type { LanguageModel } from './recipes/language-model.port.ts';
import { storeReferenceManifest } from './recipes/manifests.ts';
import { RecipeLists } from './recipes/recipe-lists.ts';
import type { Engine } from './runtimes/engine.port.ts';
import { findLlmKeyOwner } from './runtimes/llm-keys.db.ts';
import { findProxyKeyOwner } from './runtimes/proxy-keys.db.ts';
import type { RuntimeClient } from './runtimes/runtime-client.port.ts';
import type { RuntimeDoors } from './runtimes/runtime-doors.port.ts';
import { RuntimeHost } from './runtimes/runtime-host.ts';
import { RuntimeMetrics } from './runtimes/runtime-metrics.ts';
import { Keyring } from './secrets/keyring.ts';
import { MasterKeyRotation } from './secrets/master-key-rotation.ts';
import type { MasterKeyStore } from './secrets/master-key-store.port.ts';
import { MasterKeys } from './secrets/master-keys.ts';
import { deriveKey } from './secrets/sealing.ts';
import type { Services } from './services.ts';
import { loseCallsOf } from './tools/kept-calls.db.ts';
import { ToolMetrics } from './tools/tool-metrics.ts';
import type { ToolServers } from './tools/tool-servers.port.ts';

const MAX_CONNECTIONS = 20;
/** Within the 10 s in which the process has to end (contract, section 2). */
const FINISH_WITHIN_MS = 8500;

export interface MtlsOptions {
  names: ServerNames;
  /** The address for runtimes; undefined: the listening address. */
  public_url: string | undefined;
}

export interface ServiceOptions {
  database_url: string;
  /** A login that migrates and admits the other one; undefined: one login does both. */
  administration_url?: string | undefined;
  master_key: Buffer;
  /** They only unwrap. */
  previous_master_keys?: readonly Buffer[];
  /** undefined: the master keys come from settings. */
  masterKeyStore?: MasterKeyStore | undefined;
  operations_token: string;
  /** False for workers, which serve only their own runtimes. */
  servesClients: boolean;
  allowedOrigins: readonly string[];
  /** Trusted for X-Forwarded-Client-Cert. */
  trustedProxies: BlockList;
  /** Trusted for X-Forwarded-For. */
  forwardedForProxies: BlockList;
  mtls: MtlsOptions;
  runsJobs: boolean;
  logger: FastifyBaseLogger;
  /** undefined: the database's. */
  clock?: Clock | undefined;
  hasher: Hasher;
  counter: Counter;
  engine: Engine;
  runtimes: RuntimeClient;
  sendApi: SendApi;
  mediaSource: MediaSource;
  toolServers: ToolServers;
  transcriber?: Transcriber | undefined;
  languageModel?: LanguageModel | undefined;
  tracing?: Tracing | undefined;
  llmClient: LlmClient;
  modelTimeouts?: Partial<ModelTimeouts>;
  drive: Drive;
  x509: X509;
  /** undefined: the service creates its own authority. */
  givenAuthority?: GivenAuthority | undefined;
  settings: Omit<Services['settings'], 'base_url' | 'mtls_url' | 'retention'> & {
    retention?: Retention;
  };
  /** `on`, `off` or `missing: …`. */
  isolation?: () => string;
  /** Takes over the runtimes of an earlier process that know the service's addresses. */
  recover?: (addresses: Addresses, doors: RuntimeDoors) => Promise<void>;
  checkReply?: CheckReply;
  /** While stopping, answers this long without being ready; default 0. */
  drainMs?: number;
  lastSeenNumber?: LastSeenNumber;
  /** Does what needs the database while the service starts. */
  patience?: Patience;
  /** By default one that listens once the service is ready. */
  listener?: Listener;
  /** Intervals of polling; each has a default. */
  pace?: Pace;
}

export interface Pace {
  queue?: Partial<QueuePace>;
  gaugesMs?: number;
  hostMs?: number;
}

export interface Addresses {
  base_url: string;
  mtls_url: string;
}

export interface OwnModel {
  /** A line about the model of the settings, and what its provider says; undefined without one. Never rejects. */
  ownModel: Promise<string | undefined>;
}

export interface Service {
  app: FastifyInstance;
  services: Services;
  /** The service is ready only after `announce`, so whoever reads the published addresses finds it ready. */
  listen(
    host: string,
    ports: { port: number; mtls_port: number },
    announce?: (addresses: Addresses) => Promise<void>,
  ): Promise<Addresses & OwnModel>;
  /** Finishes requests and returns claimed jobs. */
  stop(): Promise<void>;
}

/** Waits for the database and migrates it. Tests use the same function. */
export async function buildService(options: ServiceOptions): Promise<Service> {
  const { logger, database_url, patience = new Patience(database_url, logger) } = options;
  const { listener = startingListener(patience, options.isolation) } = options;
  const version = await migrateDatabase(options, patience);
  const infrastructure = await openInfrastructure(options, patience);
  const { db, notifications, databaseClock } = infrastructure;
  const restores = options.lastSeenNumber && new RestoreDetector(db.system, options.lastSeenNumber, logger);
  const readiness = new Readiness(database_url, version, db);
  const addresses: Addresses = { base_url: '', mtls_url: '' };
  const apiKeys = new ApiKeyCache(db.system, notifications);
  const stopping = new EventEmitter().setMaxListeners(0);
  let state: ServiceState = 'starting';
  const services = await createServices(options, infrastructure, {
    addresses,
    apiKeys,
    stopping,
    readiness,
    serviceState: () => state,
    isRestored: () => restores?.isRestored ?? false,
  });
  await patience.until(() => writeFirst(db, options));
  const app = await createApp({ ...options, listener }, services, apiKeys);
  const { names, public_url } = options.mtls;
  const mtlsListener = new MtlsListener(app, new ListenerCertificate(services, names), logger);
  const queue = createQueue(services, options);
  const runtimeHost = new RuntimeHost(services, options.pace?.hostMs);
  return {
    app,
    services,
    listen: async (host, { port, mtls_port }, announce) => {
      await patience.until(async () => restores?.start());
      await patience.until(() => notifications.start());
      addresses.base_url = await listener.listen(host, port).catch(cannotListen('PORT'));
      const listening = () => mtlsListener.listen(host, mtls_port);
      const mtls_url = await patience.until(listening).catch(cannotListen('MTLS_PORT'));
      addresses.mtls_url = public_url ?? mtls_url;
      await app.ready();
      const recover = async () => options.recover?.(addresses, doorsOf(app, mtlsListener));
      if (options.runsJobs) await prepareWork({ db, runtimeHost, queue, recover }, patience);
      listener.handTo((request, response) => app.routing(request, response));
      if (options.runsJobs) queue.start();
      await announce?.(addresses);
      state = 'open';
      return { ...addresses, ownModel: checkProviders(services) };
    },
    stop: async () => {
      state = 'draining';
      await drain({ queue, runtimeHost, listener }, options.drainMs);
      stopping.emit('stopping');
      // Concurrently: slow requests must not use up the runtimes' time to end.
      await Promise.all([finishRequests(app, mtlsListener), queue.stop(() => runtimeHost.stop())]);
      await apiKeys.recordUses();
      await restores?.stop();
      await services.tracing.close();
      for (const part of [options.counter, databaseClock]) part.close();
      for (const part of [notifications, readiness, db]) await part.close();
    },
  };
}

const doorsOf = (app: FastifyInstance, mtlsListener: MtlsListener): RuntimeDoors => ({
  open: async ({ http, mtls }) => {
    const closing = await Promise.all([serveRuntimeAt(app, http), mtlsListener.listenAt(mtls)]);
    return async () => void (await Promise.all(closing.map((close) => close())));
  },
});

interface Work {
  db: Database;
  runtimeHost: RuntimeHost;
  queue: Queue;
  recover: () => Promise<void>;
}

async function prepareWork({ db, runtimeHost, queue, recover }: Work, patience: Patience): Promise<void> {
  await recover();
  await patience.until(() => runtimeHost.start());
  await patience.until(() => db.system.runAll(LASTING_JOBS.map((job) => enqueue(job))));
  await patience.until(() => queue.expireOwnLeases());
}

const startingListener = (patience: Patience, isolation = () => 'off') =>
  new Listener(whileStarting({ database: () => patience.database, isolation }));

/** @returns the version that the database has now */
async function migrateDatabase(
  { logger, database_url, administration_url }: ServiceOptions,
  patience: Patience,
) {
  const servedBy = administration_url && new URL(database_url).username;
  const schema = await readSchema();
  await patience.until(() => migrate(administration_url ?? database_url, schema, servedBy, logger));
  return versionOf(schema);
}

/** The queue of every kind of job, and the metrics that are read from the database. */
function createQueue(
  services: Services,
  { pace = {}, clock = () => new Date() }: Pick<ServiceOptions, 'pace' | 'clock'>,
): Queue {
  const { db, log, metrics, notifications } = services;
  const kinds = jobKinds(services);
  const names = kinds.map(({ kind }) => kind);
  // The machine's own clock is compared with the database's.
  addGauges({ db: db.system, clock }, metrics, names, pace.gaugesMs);
  addDatabaseState(metrics.registry, { refusals: () => db.refusals, check: services.checkDatabase });
  // Without it, the first failure would be no increase.
  for (const kind of names) metrics.countJobFailures(kind, 0);
  const onFailure = (kind: string) => metrics.countJobFailures(kind, 1);
  const holder = services.settings.host_id;
  return new Queue({ db: db.system, holder, notifications, log, onFailure }, kinds, pace.queue);
}

/** The database, its notifications, and the keys that are stored in it. */
interface Infrastructure {
  db: Database;
  clock: Clock;
  databaseClock: DatabaseClock;
  notifications: Notifications;
  masterKeys: MasterKeys;
  keyring: Keyring;
  authority: CertificateAuthority;
}

async function openInfrastructure(options: ServiceOptions, patience: Patience): Promise<Infrastructure> {
  const { database_url, logger, x509 } = options;
  const clock = options.clock ?? (() => databaseClock.now());
  const db: Database = new Database({
    url: database_url,
    maxConnections: MAX_CONNECTIONS,
    clock,
    onError: (error) => logger.warn({ err: error }, 'a database connection was lost'),
    // The server may have become a standby, which sends no notifications.
    onReadOnly: () => notifications.renew(),
  });
  const databaseClock = new DatabaseClock(db.system);
  const notifications = new Notifications(
    database_url,
    [
      'instance_events',
      'instance_logs',
      'conversations',
      'api_keys',
      'runtimes',
      'ca_keys',
      ...(options.runsJobs ? ['jobs'] : []),
    ],
    {
      lost: (error) => logger.warn({ err: error }, 'the notification connection was lost'),
      back: () => logger.info('the notification connection is back'),
    },
  );
  const masterKeys = new MasterKeys(options.master_key, options.previous_master_keys);
  const opened = patience.until(async () => {
    await db.checkSession();
    if (!options.clock) await databaseClock.start();
    return Keyring.open(db, masterKeys);
  });
  const keyring = await opened.catch(async (error: unknown) => {
    databaseClock.close();
    await db.close();
    throw error;
  });
  const opening = { db, keyring, x509, notifications };
  const authority = await patience.until(() => CertificateAuthority.open(opening, options.givenAuthority));
  return { db, clock, databaseClock, notifications, masterKeys, keyring, authority };
}

interface Parts {
  addresses: Addresses;
  apiKeys: ApiKeyCache;
  stopping: EventEmitter;
  readiness: Readiness;
  serviceState: () => ServiceState;
  isRestored: () => boolean;
}

async function createServices(
  options: ServiceOptions,
  { db, clock, notifications, masterKeys, keyring, authority }: Infrastructure,
  { addresses, apiKeys, stopping, readiness, serviceState, isRestored }: Parts,
): Promise<Services> {
  const { logger, mediaSource, transcriber, isolation = () => 'off' } = options;
  const metrics = createMetrics({ db, counter: options.counter, isolation, isRestored });
  return {
    db,
    clock,
    keyring,
    masterKeyRotation: new MasterKeyRotation(
      { db, masterKeys, log: logger },
      { tenant_keys: replaceTenantKey, ca_keys: replaceCaPrivateKey },
      options.masterKeyStore,
    ),
    ...(await createTokens(keyring)),
    hidePins: hidePins({ db, keyring }),
    hasher: options.hasher,
    ...createLimits(options, keyring),
    inbox: new Inbox({ db, keyring, channelMetrics: metrics.channelMetrics }),
    signingEndpoints: new SigningEndpoints({ db, keyring }, 'chatapp'),
    webhookThrottle: new WebhookThrottle(clock),
    notifications,
    engine: options.engine,
    runtimes: options.runtimes,
    ...sendingOf(options, keyring),
    mediaSource,
    toolServers: options.toolServers,
    callRecords: new ToolCallLog(db, keyring, logger),
    voiceNotes:
      transcriber && new VoiceNotes({ db, keyring, mediaSource, transcriber, settings: options.settings }),
    languageModel: options.languageModel,
    ...modelServices(options),
    drive: options.drive,
    x509: options.x509,
    authority,
    revocationLists: new RevocationListKeeper(db, authority),
    recipeLists: new RecipeLists(),
    log: logger,
    ...metrics,
    checkDatabase: () => readiness.check(),
    serviceState,
    seldomLog: new SeldomLog(logger),
    tracing: options.tracing ?? noTracing,
    isolation,
    recordKeyUses: () => apiKeys.recordUses(),
    onStopping: (listener) => {
      stopping.on('stopping', listener);
      return () => stopping.off('stopping', listener);
    },
    settings: {
      retention: defaultRetention,
      ...options.settings,
      base_url: () => addresses.base_url,
      mtls_url: () => addresses.mtls_url,
    },
  };
}

const createLimits = ({ counter, settings }: ServiceOptions, keyring: Keyring) => ({
  loginThrottle: new LoginThrottle(counter),
  logAllowance: new LogAllowance(counter),
  logRedactors: new LogRedactors(keyring, settings.llm?.api_key),
});

const modelServices = ({ llmClient, modelTimeouts }: ServiceOptions) => ({
  llmClient,
  modelTimeouts: { ...MODEL_TIMEOUTS, ...modelTimeouts },
  modelHabits: new ModelHabits(),
});

interface Measured {
  db: Database;
  counter: Counter;
  isolation: () => string;
  isRestored: () => boolean;
}

function createMetrics({ db, counter, isolation, isRestored }: Measured) {
  const metrics = new Metrics(
    () => db.load,
    () => counter.state,
    isRestored,
  );
  const { registry } = metrics;
  return {
    metrics,
    channelMetrics: new ChannelMetrics(registry),
    dialogueMetrics: new DialogueMetrics(registry),
    modelMetrics: new ModelMetrics(registry),
    toolMetrics: new ToolMetrics(registry),
    taskMetrics: new TaskMetrics(registry),
    runtimeMetrics: new RuntimeMetrics(registry, isolation),
  };
}

const sendingOf = ({ sendApi, settings }: ServiceOptions, keyring: Keyring) => ({
  sendApi,
  readMarks: new ReadMarks({ keyring, sendApi, settings }),
});

async function createTokens(keyring: Keyring) {
  const accessKey = keyring.serviceKey('access-token');
  return {
    tokens: await Tokens.create(accessKey, keyring.serviceKey('refresh-token')),
    senderTokens: new SenderTokens(deriveKey(accessKey, 'sender tokens')),
  };
}

const loadLimitOf =
  (db: Database): FindLoadLimit =>
  async (tenant_id, name) =>
    (await db.tenant(tenant_id).run(findLimit(name))) ?? Infinity;

/** The same for every service of a process. */
let openApi: object | undefined;

async function createApp(
  options: ServiceOptions & { listener: Listener },
  services: Services,
  apiKeys: ApiKeyCache,
): Promise<FastifyInstance> {
  const { logger, servesClients, trustedProxies, forwardedForProxies, allowedOrigins } = options;
  const { db, keyring, metrics, tracing, tokens, senderTokens, callRecords } = services;
  const loadLimit = loadLimitOf(db);
  const admission = new Admission(loadLimit);
  const guards: Guards = {
    authenticator: new Credentials({
      db,
      tokens,
      apiKeys,
      operationsToken: new OperationsToken(options.operations_token, options.counter),
      findProxyKeyOwner: (hash) => db.system.run(findProxyKeyOwner(hash)),
      findLlmKeyOwner: (hash) => db.system.run(findLlmKeyOwner(hash)),
    }),
    rateLimits: new RateLimits(options.counter),
    longLivedResponses: new LongLivedResponses(loadLimit),
    hooksOf: ({ credential }) => (credential === 'enrollment' ? enrollmentHooks(db) : {}),
  };
  const mcp = new McpEndpoint({
    guards,
    keyring,
    log: logger,
    toolCalls: callRecords,
    routes: () => compiledRoutes,
    toolRoutes: () => toolRoutes.map((route) => compileRoute(route, runtime)),
    allowedOrigins,
  });
  const runtime: Runtime<RouteServices> = {
    services: { ...services, mcp, admission },
    tenant: (tenant_id, change) => db.tenant(tenant_id, change),
    system: (change) => db.systemFor(change),
    clock: services.clock,
    admission,
    tenantOfInstance: async (instance_id) =>
      found('Instance', await db.system.run(findInstanceTenant(instance_id))),
    senders: {
      identify: (call) => identifySender(senderTokens, call),
      narrow: narrowToSender,
    },
    guard: requireProofs,
    ...(options.checkReply && { checkReply: options.checkReply }),
  };
  const compiledRoutes: readonly CompiledRoute[] = routes.map((route) => compileRoute(route, runtime));
  return buildApp({
    listener: options.listener,
    guards,
    document: (openApi ??= openApiDocument(operations, wording)),
    routes: compiledRoutes,
    metrics,
    tracing,
    logger,
    servesClients,
    extend: (app) => addClientCertificates(app, trustedProxies),
    forwardedForProxies,
  });
}

interface Draining {
  queue: Queue;
  runtimeHost: RuntimeHost;
  listener: Listener;
}

/** Load balancers need a few seconds to notice, and turns that are under way at models and tools end meanwhile. */
async function drain({ queue, runtimeHost, listener }: Draining, forMs = 0): Promise<void> {
  queue.drain();
  void runtimeHost.drain();
  if (forMs === 0) return;
  listener.drain();
  await sleep(forMs);
}

async function writeFirst(db: Database, { settings }: ServiceOptions): Promise<void> {
  await storeReferenceManifest(db, settings.replaces_runtime);
  // An earlier process of this host did not see how they ended.
  await db.system.run(loseCallsOf(settings.host_id));
}

async function finishRequests(app: FastifyInstance, mtlsListener: MtlsListener): Promise<void> {
  // Includes requests of the mTLS listener.
  const breakOff = setTimeout(() => app.server.closeAllConnections(), FINISH_WITHIN_MS);
  await Promise.all([app.close(), mtlsListener.close()]);
  clearTimeout(breakOff);
}

/** One line that names the setting (contract, section 2). */
export const cannotListen = (port: 'PORT' | 'MTLS_PORT') => (error: Error) => {
  throw new Error(`HOST and ${port} cannot be listened on: ${error.message}`);
};
