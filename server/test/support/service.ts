import { randomBytes, randomUUID } from 'node:crypto';
import { BlockList } from 'node:net';
import { pino } from 'pino';
import { createApiKey } from '../../src/access/api-keys.ts';
import type { Hasher } from '../../src/access/hasher.port.ts';
import { createTenant } from '../../src/access/tenants.ts';
import { ChatappMedia } from '../../src/adapters/chatapp-media.ts';
import { ChatappSendApi } from '../../src/adapters/chatapp-send-api.ts';
import { ChatappTemplates } from '../../src/adapters/chatapp-templates.ts';
import { MemoryCounter } from '../../src/adapters/counters/memory-counter.ts';
import { HttpLlmClient } from '../../src/adapters/llm/http-llm-client.ts';
import { McpToolServers } from '../../src/adapters/mcp-client/mcp-tool-servers.ts';
import { HttpEventSender } from '../../src/adapters/outside/http-event-sender.ts';
import { PeopleJudgeThread } from '../../src/adapters/people-judge-thread.ts';
import { PeculiarX509 } from '../../src/adapters/x509/peculiar-x509.ts';
import type { Drive } from '../../src/drive/drive.port.ts';
import { buildService, type Service, type ServiceOptions } from '../../src/service.ts';
import { Client } from './client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { FakeEngine, FakeRuntimes, plainHasher } from './fakes.ts';
import { checkReply } from './reply-check.ts';

export const OPERATIONS_TOKEN = 'operations-token-of-the-tests';
export const PASSWORD = 'correct horse battery staple';

class TestClock {
  #offsetMs = 0;
  readonly now = (): Date => new Date(Date.now() + this.#offsetMs);
  advance(ms: number): void {
    this.#offsetMs += ms;
  }
}

export interface TestTenant {
  tenant_id: string;
  admin_user_id: string;
  admin_email: string;
  /** With a key of role admin and scope *. */
  api: Client;
  key: string;
}

export interface TestService {
  base_url: string;
  mtls_url: string;
  database: TestDatabase;
  service: Service;
  clock: TestClock;
  engine: FakeEngine;
  runtimes: FakeRuntimes;
  anonymous: Client;
  operations: Client;
  createTenant(name?: string): Promise<TestTenant>;
  createKey(tenant_id: string, key: { role?: 'member' | 'admin'; scopes: string[] }): Promise<string>;
  login(email: string, password?: string): Promise<Client>;
  stop(): Promise<void>;
}

/**
 * For tests in which calls wait for a lock of the test, or in long lines: on a busy machine the default limits pass although
 * everything works. Just shorter than a statement may take.
 */
export const PATIENT_WAITS = { lockMs: 25_000, connectionMs: 25_000 };

const refuse = () => Promise.reject(new Error('This test has no drive'));
const noDrive: Drive = { search: refuse, read: refuse };

const shared = new Map<string, Promise<TestService>>();

/**
 * One service per process, for tests that neither move the clock nor change fakes. Each creates its own tenants.
 *
 * @param as `working` runs jobs
 */
export function sharedService(as: 'idle' | 'working'): Promise<TestService> {
  const service =
    shared.get(as) ?? startTestService({ runsJobs: as === 'working', databaseWaits: PATIENT_WAITS });
  shared.set(as, service);
  return service;
}

const SETTINGS = {
  operations_token: OPERATIONS_TOKEN,
  servesClients: true,
  allowedOrigins: ['localhost'],
  trustedProxies: new BlockList(),
  forwardedForProxies: new BlockList(),
  mtls: { names: { hostnames: ['localhost'], ips: ['127.0.0.1'] }, public_url: undefined },
  runsJobs: true,
  settings: {
    chatapp_api_base_url: 'http://chatapp.invalid',
    trust_domain: 'acp.test',
    llm: undefined,
  },
  checkReply,
};

const adapters = () => ({
  logger: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
  hasher: plainHasher,
  peopleJudge: new PeopleJudgeThread(),
  counter: new MemoryCounter(),
  sendApi: new ChatappSendApi(),
  mediaSource: new ChatappMedia(),
  templateSource: new ChatappTemplates(),
  toolServers: new McpToolServers({ allowedHosts: [] }),
  eventSender: new HttpEventSender(['127.0.0.1']),
  llmClient: new HttpLlmClient(['127.0.0.1']),
  drive: noDrive,
  x509: new PeculiarX509(),
});

type Overrides = Partial<Omit<ServiceOptions, 'settings'>> & {
  /** Those that differ from SETTINGS. */
  settings?: Partial<ServiceOptions['settings']>;
  database?: TestDatabase;
  hasher?: Hasher;
};

/** The service over real HTTP on a database of its own; only engines and runtimes are fakes unless given. */
export async function startTestService({ settings, ...overrides }: Overrides = {}): Promise<TestService> {
  const database = overrides.database ?? (await createTestDatabase());
  const clock = new TestClock();
  const fakes = { engine: new FakeEngine(), runtimes: new FakeRuntimes() };
  const service = await buildService({
    ...SETTINGS,
    ...adapters(),
    ...fakes,
    clock: clock.now,
    database_url: database.loginUrl,
    administration_url: database.url === database.loginUrl ? undefined : database.url,
    master_key: randomBytes(32),
    settings: { ...SETTINGS.settings, host_id: randomUUID(), ...settings },
    ...overrides,
  });
  const { base_url, mtls_url } = await service.listen('127.0.0.1', { port: 0, mtls_port: 0 });
  const anonymous = new Client(base_url);
  const createKey = keysOf(service);
  return {
    base_url,
    mtls_url,
    database,
    service,
    clock,
    ...fakes,
    anonymous,
    operations: anonymous.with({ authorization: `Bearer ${OPERATIONS_TOKEN}` }),
    createKey,
    createTenant: tenantsOf(service, anonymous, createKey),
    login: async (email, password = PASSWORD) => {
      const { body } = await anonymous.post<{ access_token: string }>('/auth/login', { email, password });
      return anonymous.with({ authorization: `Bearer ${body.access_token}` });
    },
    stop: async () => {
      await service.stop();
      await database.drop();
    },
  };
}

const keysOf =
  ({ services }: Service): TestService['createKey'] =>
  async (tenant_id, { role = 'member', scopes }) => {
    const ids = { tenant_id, user_id: randomUUID(), session_id: randomUUID() };
    const request = {
      name: 'test',
      role,
      scopes,
      rate_limit: { limit: 100_000, window_seconds: 60 },
      expires_at: null,
    };
    const q = services.db.tenant(tenant_id);
    return (await createApiKey(q, { kind: 'user', ...ids, role: 'admin' }, request)).key;
  };

const tenantsOf =
  (
    { services }: Service,
    anonymous: Client,
    createKey: TestService['createKey'],
  ): TestService['createTenant'] =>
  async (name = 'Tenant') => {
    const admin_email = `admin-${randomBytes(6).toString('hex')}@example.com`;
    const made = await createTenant(services, { name, admin_email, admin_password: PASSWORD });
    const { tenant_id, admin_user_id } = made;
    if (admin_user_id === null) throw new Error('The tenant has no admin');
    const key = await createKey(tenant_id, { role: 'admin', scopes: ['*'] });
    const api = anonymous.with({ 'x-api-key': key });
    return { tenant_id, admin_user_id, admin_email, key, api };
  };
