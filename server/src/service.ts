import { EventEmitter } from 'node:events';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Operation } from './contract/operation.ts';
import { Database } from './db/database.ts';
import { migrate, readMigrations } from './db/migrate.ts';
import { Notifications } from './db/notifications.ts';
import { checkDatabase } from './db/readiness.ts';
import { Authority } from './domain/certificate-authority.ts';
import { Keyring } from './domain/keyring.ts';
import { LoginThrottle } from './domain/login-throttle.ts';
import type {
  CertificateAuthority,
  Clock,
  Drive,
  Engine,
  GivenAuthority,
  Hasher,
  LanguageModel,
  RuntimeClient,
} from './domain/ports.ts';
import { RevocationListKeeper } from './domain/revocation-lists.ts';
import { RuntimeHost } from './domain/runtime-host.ts';
import type { Services } from './domain/services.ts';
import { Tokens } from './domain/tokens.ts';
import { buildApp } from './http/app.ts';
import { Authenticator } from './http/authenticate.ts';
import { KeyUse } from './http/key-use.ts';
import { RateLimits } from './http/rate-limits.ts';
import { jobDefinitions } from './jobs/index.ts';
import { BossQueue } from './jobs/queue.ts';
import { Metrics } from './metrics.ts';

const MAX_CONNECTIONS = 10;

export interface ServiceOptions {
  database_url: string;
  master_key: Buffer;
  operations_token: string;
  /** Whether clients are served; the runtimes that it starts always are. */
  serves: boolean;
  /** Whether jobs and runtimes run here. */
  works: boolean;
  logger: FastifyBaseLogger;
  clock: Clock;
  hasher: Hasher;
  engine: Engine;
  runtimes: RuntimeClient;
  /** undefined: none is configured. */
  languageModel?: LanguageModel | undefined;
  drive: Drive;
  certificateAuthority: CertificateAuthority;
  /** undefined: the service makes its own. */
  givenAuthority?: GivenAuthority | undefined;
  settings: Omit<Services['settings'], 'base_url'>;
  /** Takes over what an earlier process left; called once the service's address is known. */
  recover?: () => Promise<void>;
  checkReply?: (operation: Operation, status: number, body: unknown) => void;
}

export interface Service {
  app: FastifyInstance;
  services: Services;
  /** @returns the address that it listens on */
  listen(host: string, port: number): Promise<string>;
  /** Stops accepting, finishes what is in flight, gives jobs back. */
  stop(): Promise<void>;
}

/** Migrates the database and builds the service on it; `listen` starts it. Tests call the same. */
export async function buildService(options: ServiceOptions): Promise<Service> {
  const { database_url, logger, clock } = options;
  await migrate(database_url, await readMigrations());
  const db = new Database({
    url: database_url,
    maxConnections: MAX_CONNECTIONS,
    onError: (error) => logger.warn({ err: error }, 'a database connection was lost'),
  });
  const notifications = new Notifications(
    database_url,
    ['instance_events', 'api_keys', 'runtime_unwanted', 'ca_keys'],
    (error) => logger.warn({ err: error }, 'the notification connection was lost'),
  );
  const queue = new BossQueue({ url: database_url, log: logger, works: options.works });
  const keyring = await Keyring.open(db, options.master_key);
  const { certificateAuthority } = options;
  const authority = await Authority.open(
    { db, keyring, certificateAuthority, notifications },
    options.givenAuthority,
    clock(),
  );
  const metrics = new Metrics(() => db.load);
  let baseUrl = '';
  const stopping = new EventEmitter().setMaxListeners(0);
  const services: Services = {
    db,
    clock,
    keyring,
    tokens: await Tokens.create(keyring.serviceKey('access-token'), keyring.serviceKey('refresh-token')),
    hasher: options.hasher,
    loginThrottle: new LoginThrottle(),
    queue,
    notifications,
    engine: options.engine,
    runtimes: options.runtimes,
    languageModel: options.languageModel,
    drive: options.drive,
    certificateAuthority,
    authority,
    revocationLists: new RevocationListKeeper(db, authority),
    log: logger,
    metrics,
    checkReady: () => checkDatabase(db.system),
    onStopping: (listener) => {
      stopping.on('stopping', listener);
      return () => stopping.off('stopping', listener);
    },
    settings: { ...options.settings, base_url: () => baseUrl },
  };
  const keyUse = new KeyUse(db, clock);
  const app = await buildApp({
    gate: {
      services,
      authenticator: new Authenticator(services, options.operations_token, (id) => keyUse.note(id)),
      rateLimits: new RateLimits(),
      ...(options.checkReply && { checkReply: options.checkReply }),
    },
    metrics,
    logger,
    serves: options.serves,
  });
  const definitions = jobDefinitions(services);
  const runtimeHost = new RuntimeHost(services);
  return {
    app,
    services,
    listen: async (host, port) => {
      await Promise.all([queue.start(definitions), notifications.start()]);
      baseUrl = await app.listen({ host, port });
      if (options.works) {
        await options.recover?.();
        await Promise.all([runtimeHost.start(), queue.work(definitions)]);
      }
      return baseUrl;
    },
    stop: async () => {
      stopping.emit('stopping');
      await app.close();
      await queue.stop();
      await keyUse.flush();
      await runtimeHost.stop();
      await options.engine.close();
      await notifications.close();
      await db.close();
    },
  };
}
