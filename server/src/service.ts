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
import { OutgoingFiles } from './channels/outgoing-files.ts';
import { ReadMarks } from './channels/read-marks.ts';
import type { SendApi } from './channels/send-api.port.ts';
import { SigningEndpoints } from './channels/signing-endpoints.ts';
import type { TemplateSource } from './channels/template-source.port.ts';
import { WebhookThrottle } from './channels/webhook-throttle.ts';
import { hidePins } from './conversations/hidden-pins.ts';
import { DialogueMetrics } from './dialogue/dialogue-metrics.ts';
import type { Transcriber } from './dialogue/transcriber.port.ts';
import { VoiceNotes } from './dialogue/voice-notes.ts';
import type { Drive } from './drive/drive.port.ts';
import { checkWork } from './eligibility/eligibility.ts';
import type { PeopleJudge } from './eligibility/people-judge.port.ts';
import { EventMetrics } from './events/event-metrics.ts';
import type { EventSender } from './events/event-sender.port.ts';
import { EVENT_PACE, type EventPace } from './events/send-events.ts';
import { EVENT_NOTIFICATIONS } from './events/wake-deliveries.ts';
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
import { TenantCalls } from './models/tenant-calls.ts';
import { addGauges } from './operating/gauges.ts';
import { ProviderChecks } from './operating/provider-checks.ts';
import { defaultRetention, type Retention } from './operating/retention.ts';
import { storedOverviews } from './overview/stored-overviews.ts';
import { requireProofs } from './pins/pin-gate.ts';
import { identifySender, narrowToSender } from './pins/sender-gate.ts';
import type { ServerNames } from './platform/addresses.ts';
import { openApiDocument } from './platform/contract/openapi.ts';
import { addDatabaseState } from './platform/database-state.ts';
import { Database, type DatabaseWaits } from './platform/db/database.ts';
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
import type { Pages } from './platform/http/pages.ts';
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
import { ClusterHolder, type OpenEngine } from './runtimes/cluster-holder.ts';
import { settleDefaultCluster } from './runtimes/clusters.ts';
import type { Engine } from './runtimes/engine.port.ts';
import { findLlmKeyOwner } from './runtimes/llm-keys.db.ts';
import type { OpenPresence } from './runtimes/presence.port.ts';
import { findProxyKeyOwner } from './runtimes/proxy-keys.db.ts';
import type { RuntimeClient } from './runtimes/runtime-client.port.ts';
import type { RuntimeDoors } from './runtimes/runtime-doors.port.ts';
import { ownPlace, RuntimeHost } from './runtimes/runtime-host.ts';
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
  /** Where it listens; undefined: where the other listener does. */
  host?: string;
  names: ServerNames;
  /** The address for runtimes; undefined: the listening address. */
  public_url: string | undefined;
}

export interface ServiceOptions {
  database_url: string;
  /** A login that migrates and admits the other one; undefined: one login does both. */
  administration_url?: string | undefined;
  databaseWaits?: DatabaseWaits | undefined;
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
  /** Where browsers and other people's programs reach the service; undefined: the listening address. */
  public_url?: string | undefined;
  runsJobs: boolean;
  logger: FastifyBaseLogger;
  /** undefined: the database's. */
  clock?: Clock | undefined;
  hasher: Hasher;
  peopleJudge: PeopleJudge;
  counter: Counter;
  engine: Engine;
  runtimes: RuntimeClient;
  sendApi: SendApi;
  mediaSource: MediaSource;
  templateSource: TemplateSource;
  toolServers: ToolServers;
  eventSender: EventSender;
  eventPace?: Partial<EventPace> | undefined;
  transcriber?: Transcriber | undefined;
  languageModel?: LanguageModel | undefined;
  tracing?: Tracing | undefined;
  llmClient: LlmClient;
  modelTimeouts?: Partial<ModelTimeouts>;
  drive: Drive;
  x509: X509;
  /** undefined: the service creates its own authority. */
  givenAuthority?: GivenAuthority | undefined;
  settings: Omit<Services['settings'], keyof Addresses | 'retention'> & {
    retention?: Retention;
  };
  /** For clusters; undefined: this copy takes no lease of one. */
  openEngine?: OpenEngine | undefined;
  /** For clusters whose runtimes are out of reach otherwise. */
  openPresence?: OpenPresence | undefined;
  /** Ids of the clusters that this copy reconciles; undefined: all. */
  clusters?: readonly string[] | undefined;
  /** For the first start of a runtime on a cluster. */
  startTimeoutMs?: number | undefined;
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
  /** For people; undefined: none are served. */
  pages?: Pages | undefined;
  /** By default one that listens once the service is ready. */
  listener?: Listener;
  /** Intervals of polling; each has a default. */
  pace?: Pace;
}

export interface Pace {
  queue?: Partial<QueuePace>;
  gaugesMs?: number;
  hostMs?: number;
  leasesMs?: number;
  awayMs?: number;
}

export interface Addresses {
  base_url: string;
  mtls_url: string;
  public_url: string;
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
  const parts = await buildParts(options, patience);
  const { app, services, addresses, phase } = parts;
  return {
    app,
    services,
    listen: async (host, ports, announce) => {
      await openListeners(parts, host, ports);
      await beginWork(parts);
      await announce?.(addresses);
      phase.state = 'open';
      return { ...addresses, ownModel: checkProviders(services) };
    },
    stop: async () => {
      phase.state = 'draining';
      await endWork(parts);
      await closeParts(parts);
    },
  };
}

interface BuiltService {
  options: ServiceOptions;
  patience: Patience;
  infrastructure: Infrastructure;
  services: Services;
  listener: Listener;
  app: FastifyInstance;
  mtlsListener: MtlsListener;
  queue: Queue;
  runtimeHost: RuntimeHost;
  /** undefined: no engine outlives the service. */
  clusterHolder: ClusterHolder | undefined;
  apiKeys: ApiKeyCache;
  readiness: Readiness;
  restores: RestoreDetector | undefined;
  stopping: EventEmitter;
  /** Filled in once the service listens. */
  addresses: Addresses;
  phase: { state: ServiceState };
}

async function buildParts(options: ServiceOptions, patience: Patience): Promise<BuiltService> {
  const { logger, database_url, listener = startingListener(patience, options.isolation) } = options;
  const version = await migrateDatabase(options, patience);
  const infrastructure = await openInfrastructure(options, patience);
  const { db, notifications } = infrastructure;
  const restores = options.lastSeenNumber && new RestoreDetector(db.system, options.lastSeenNumber, logger);
  const phase: BuiltService['phase'] = { state: 'starting' };
  const known = {
    addresses: { base_url: '', mtls_url: '', public_url: '' },
    apiKeys: new ApiKeyCache(db.system, notifications),
    stopping: new EventEmitter().setMaxListeners(0),
    readiness: new Readiness(database_url, version, db),
  };
  const services = await createServices(options, infrastructure, {
    ...known,
    serviceState: () => phase.state,
    isRestored: () => restores?.isRestored ?? false,
  });
  await patience.until(() => writeFirst(db, options));
  const app = await createApp({ ...options, listener }, services, known.apiKeys);
  const certificate = new ListenerCertificate(services, options.mtls.names);
  return {
    options,
    patience,
    infrastructure,
    services,
    listener,
    app,
    mtlsListener: new MtlsListener(app, certificate, logger),
    queue: createQueue(services, options),
    ...hostsOf(services, options),
    restores,
    phase,
    ...known,
  };
}

function hostsOf(services: Services, options: ServiceOptions) {
  const { pace = {}, openEngine, openPresence, clusters, startTimeoutMs } = options;
  const hosting = { checkEveryMs: pace.hostMs, awayAfterMs: pace.awayMs };
  return {
    runtimeHost: new RuntimeHost(services, ownPlace(services), hosting),
    clusterHolder:
      openEngine &&
      new ClusterHolder(services, {
        ...hosting,
        startTimeoutMs,
        openEngine,
        openPresence,
        clusters,
        roundMs: pace.leasesMs,
      }),
  };
}

async function openListeners(
  { options, patience, infrastructure, restores, listener, mtlsListener, app, addresses }: BuiltService,
  host: string,
  { port, mtls_port }: { port: number; mtls_port: number },
): Promise<void> {
  await patience.until(async () => restores?.start());
  await patience.until(() => infrastructure.notifications.start());
  addresses.base_url = await listener.listen(host, port).catch(cannotListen('PORT'));
  addresses.public_url = options.public_url ?? browserAddress(host, addresses.base_url);
  const listening = () => mtlsListener.listen(options.mtls.host ?? host, mtls_port);
  const mtls_url = await patience.until(listening).catch(cannotListen('MTLS_PORT'));
  addresses.mtls_url = options.mtls.public_url ?? mtls_url;
  await app.ready();
}

/** Serves requests once the runtimes of an earlier process are taken over. */
async function beginWork(parts: BuiltService): Promise<void> {
  const { options, listener, app, queue } = parts;
  if (options.runsJobs) await prepareWork(parts);
  listener.handTo((request, response) => app.routing(request, response));
  if (options.runsJobs) queue.start();
}

async function prepareWork(parts: BuiltService): Promise<void> {
  const { options, patience, infrastructure, addresses, queue, app, mtlsListener } = parts;
  const { system } = infrastructure.db;
  await options.recover?.(addresses, doorsOf(app, mtlsListener));
  await patience.until(() => parts.runtimeHost.start());
  await patience.until(async () => parts.clusterHolder?.start());
  await patience.until(() => system.runAll(LASTING_JOBS.map((job) => enqueue(job))));
  await patience.until(() => queue.expireOwnLeases());
}

async function endWork(parts: BuiltService): Promise<void> {
  const { options, stopping, app, mtlsListener, queue, runtimeHost, clusterHolder } = parts;
  await drain(parts, options.drainMs);
  stopping.emit('stopping');
  const stopHosts = async () => void (await Promise.all([runtimeHost.stop(), clusterHolder?.stop()]));
  // Concurrently: slow requests must not use up the runtimes' time to end.
  await Promise.all([finishRequests(app, mtlsListener), queue.stop(stopHosts)]);
}

async function closeParts(parts: BuiltService): Promise<void> {
  const { options, infrastructure, services, apiKeys, readiness, restores } = parts;
  const { db, notifications, databaseClock } = infrastructure;
  await apiKeys.recordUses();
  await restores?.stop();
  await services.tracing.close();
  for (const part of [options.counter, databaseClock]) part.close();
  for (const part of [notifications, readiness, db]) await part.close();
}

const doorsOf = (app: FastifyInstance, mtlsListener: MtlsListener): RuntimeDoors => ({
  open: async ({ http, mtls }) => {
    const closing = await Promise.all([serveRuntimeAt(app, http), mtlsListener.listenAt(mtls)]);
    return async () => void (await Promise.all(closing.map((close) => close())));
  },
});

const startingListener = (patience: Patience, isolation = () => 'off') =>
  new Listener(whileStarting({ database: () => patience.database, isolation }));

/** The listening address for a browser on this machine, which no wildcard is. */
function browserAddress(host: string, base_url: string): string {
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${new URL(base_url).port || '80'}`;
}

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
    waits: options.databaseWaits,
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
      'changes',
      'api_keys',
      'runtimes',
      'ca_keys',
      ...(options.runsJobs ? ['jobs', EVENT_NOTIFICATIONS] : []),
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
    peopleJudge: options.peopleJudge,
    workCheck: checkWork,
    ...createLimits(options, keyring),
    inbox: new Inbox({ db, keyring, channelMetrics: metrics.channelMetrics }),
    signingEndpoints: new SigningEndpoints({ db, keyring }, 'chatapp'),
    webhookThrottle: new WebhookThrottle(clock),
    notifications,
    ...storedOverviews(notifications),
    engine: options.engine,
    runtimes: options.runtimes,
    ...sendingOf(options, keyring),
    mediaSource,
    toolServers: options.toolServers,
    eventSender: options.eventSender,
    eventPace: { ...EVENT_PACE, ...options.eventPace },
    callRecords: new ToolCallLog(db, keyring, logger),
    voiceNotes:
      transcriber && new VoiceNotes({ db, keyring, mediaSource, transcriber, settings: options.settings }),
    languageModel: options.languageModel,
    languageModelMeter: new TenantCalls(db),
    ...modelServices(options),
    drive: options.drive,
    x509: options.x509,
    authority,
    revocationLists: new RevocationListKeeper(db, authority),
    recipeLists: new RecipeLists(),
    log: logger,
    seldomLog: new SeldomLog(logger),
    ...metrics,
    checkDatabase: () => readiness.check(),
    serviceState,
    tracing: options.tracing ?? noTracing,
    isolation,
    recordKeyUses: () => apiKeys.recordUses(),
    onStopping: (listener) => {
      stopping.on('stopping', listener);
      return () => stopping.off('stopping', listener);
    },
    settings: settingsOf(options, addresses),
  };
}

/** The addresses are known once the service listens. */
const settingsOf = ({ settings }: ServiceOptions, addresses: Addresses): Services['settings'] => ({
  retention: defaultRetention,
  ...settings,
  base_url: () => addresses.base_url,
  mtls_url: () => addresses.mtls_url,
  public_url: () => addresses.public_url,
});

const createLimits = ({ counter, settings }: ServiceOptions, keyring: Keyring) => ({
  loginThrottle: new LoginThrottle(counter),
  logAllowance: new LogAllowance(counter),
  logRedactors: new LogRedactors(keyring, settings.llm?.api_key),
});

const modelServices = ({ llmClient, modelTimeouts }: ServiceOptions) => ({
  llmClient,
  modelTimeouts: { ...MODEL_TIMEOUTS, ...modelTimeouts },
  modelHabits: new ModelHabits(),
  providerChecks: new ProviderChecks(),
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
    eventMetrics: new EventMetrics(registry),
    taskMetrics: new TaskMetrics(registry),
    runtimeMetrics: new RuntimeMetrics(registry, isolation),
  };
}

const sendingOf = ({ sendApi, templateSource, settings }: ServiceOptions, keyring: Keyring) => ({
  sendApi,
  templateSource,
  outgoingFiles: new OutgoingFiles({ keyring, sendApi }),
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

function createGuards(
  options: ServiceOptions,
  { db, tokens }: Services,
  apiKeys: ApiKeyCache,
  loadLimit: FindLoadLimit,
): Guards {
  return {
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
}

/** The same for every service of a process. */
let openApi: object | undefined;

async function createApp(
  options: ServiceOptions & { listener: Listener },
  services: Services,
  apiKeys: ApiKeyCache,
): Promise<FastifyInstance> {
  const { logger, servesClients, trustedProxies, forwardedForProxies, allowedOrigins } = options;
  const { db, keyring, metrics, tracing, senderTokens, callRecords } = services;
  const loadLimit = loadLimitOf(db);
  const admission = new Admission(loadLimit);
  const guards = createGuards(options, services, apiKeys, loadLimit);
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
    pages: servesClients ? options.pages : undefined,
    routes: compiledRoutes,
    metrics,
    tracing,
    logger,
    servesClients,
    extend: (app) => addClientCertificates(app, trustedProxies),
    forwardedForProxies,
  });
}

/** Load balancers need a few seconds to notice, and turns that are under way at models and tools end meanwhile. */
async function drain({ queue, runtimeHost, listener }: BuiltService, forMs = 0): Promise<void> {
  queue.drain();
  void runtimeHost.drain();
  if (forMs === 0) return;
  listener.drain();
  await sleep(forMs);
}

async function writeFirst(db: Database, { settings }: ServiceOptions): Promise<void> {
  await settleDefaultCluster(db.system, settings.provisioner);
  const { replaces_manifest: isReplaced, runtime_image: image } = settings;
  await storeReferenceManifest(db, { isReplaced, image });
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
  const host = port === 'PORT' ? 'HOST' : 'MTLS_HOST';
  throw new Error(`${host} and ${port} cannot be listened on: ${error.message}`);
};
