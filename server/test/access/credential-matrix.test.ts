import { randomBytes } from 'node:crypto';
import { BlockList } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/areas.ts';
import { addEnrollmentToken } from '../../src/certificates/enrollment-tokens.ts';
import type { Credential, Operation } from '../../src/platform/contract/operation.ts';
import { scopeResources, scopeVerbs } from '../../src/platform/contract/scopes.ts';
import { addProxyKey } from '../../src/runtimes/proxy-keys.ts';
import type { Client } from '../support/client.ts';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { pathOf } from '../support/operations.ts';
import { PASSWORD, startTestService, type TestService, type TestTenant } from '../support/service.ts';

/**
 * passes: neither 401 nor 403. scoped: 403, but passes where the operation requires no scope. bound: passes, but 403
 * where the operation creates a person's credential, which may do more than a key with limited scopes.
 */
type Outcome = 401 | 403 | 'passes' | 'scoped' | 'bound';
type Guarded = Exclude<Credential, 'none'>;

/** Contract, sections 3 and 10. Columns: credentials of operations. Rows: callers. */
const columns = [
  'tenant',
  'admin',
  'admin_user',
  'user',
  'optional_user',
  'instance',
  'enrollment',
  'operations',
] as const satisfies Guarded[];
const table = {
  'no credential': [401, 401, 401, 401, 'passes', 401, 401, 401],
  'a bearer token of no kind': [401, 401, 401, 401, 401, 401, 401, 401],
  'a forged API key': [401, 401, 401, 401, 'passes', 401, 401, 401],
  'a member key without scopes': ['scoped', 403, 401, 403, 'passes', 401, 401, 401],
  'a member key with the scope': ['bound', 403, 401, 403, 'passes', 401, 401, 401],
  'a member key with the wildcard': ['bound', 403, 401, 403, 'passes', 401, 401, 401],
  'an admin key with the scope': ['bound', 'bound', 401, 403, 'passes', 401, 401, 401],
  'an admin key with the scope *': ['passes', 'passes', 401, 403, 'passes', 401, 401, 401],
  'an admin key with every other scope': ['scoped', 'scoped', 401, 403, 'passes', 401, 401, 401],
  'a revoked admin key': [401, 401, 401, 401, 'passes', 401, 401, 401],
  'an expired admin key': [401, 401, 401, 401, 'passes', 401, 401, 401],
  'another tenant’s admin key': ['passes', 'passes', 401, 403, 'passes', 401, 401, 401],
  'a member’s access token': ['passes', 403, 403, 'passes', 'passes', 401, 401, 401],
  'an admin’s access token': ['passes', 'passes', 'passes', 'passes', 'passes', 401, 401, 401],
  'the operations token': [401, 401, 401, 401, 401, 'passes', 'passes', 'passes'],
  'the instance’s own proxy key': [401, 401, 401, 401, 401, 'passes', 'passes', 401],
  'another instance’s proxy key': [401, 401, 401, 401, 401, 401, 401, 401],
  'an enrollment token': [401, 401, 401, 401, 'passes', 401, 'passes', 401],
  'another instance’s enrollment token': [401, 401, 401, 401, 'passes', 401, 401, 401],
  'a token beside a wrong credential': [401, 401, 401, 401, 401, 401, 401, 401],
} as const satisfies Record<string, readonly Outcome[]>;

type Caller = keyof typeof table;
const callers = Object.keys(table) as Caller[];
const guarded = operations.filter(({ credential }) => credential !== 'none');
const open = operations.filter(({ credential }) => credential === 'none');

let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;
let fixed: Partial<Record<Caller, Client>>;
/** Callers whose credential is in the body. */
let bodies: Partial<Record<Caller, object>>;
const keys = new Map<string, Promise<string>>();

beforeAll(async () => {
  const forwardedForProxies = new BlockList();
  forwardedForProxies.addAddress('127.0.0.1');
  service = await startTestService({ runsJobs: false, forwardedForProxies });
  tenant = await service.createTenant();
  // The test needs a key for every role and set of scopes.
  await service.operations.patch(`/internal/v1/tenants/${tenant.tenant_id}`, { limits: { keys: 10_000 } });
  instance = await insertInstance(service, tenant.tenant_id);
  const stranger = await service.createTenant();
  const other = await insertInstance(service, tenant.tenant_id);
  bodies = {
    'an enrollment token': await enrollmentToken(instance.id),
    'another instance’s enrollment token': await enrollmentToken(other.id),
    'a token beside a wrong credential': await enrollmentToken(instance.id),
  };
  fixed = {
    'an enrollment token': service.anonymous,
    'another instance’s enrollment token': service.anonymous,
    'a token beside a wrong credential': bearer(randomBytes(32).toString('base64url')),
    'no credential': service.anonymous,
    'a bearer token of no kind': bearer(randomBytes(32).toString('base64url')),
    'a forged API key': withKey(`${tenant.key.slice(0, 13)}${'A'.repeat(43)}`),
    'a revoked admin key': await revokedKey(),
    'an expired admin key': await expiredKey(),
    'another tenant’s admin key': stranger.api,
    'a member’s access token': await memberToken(),
    'an admin’s access token': await service.login(tenant.admin_email),
    'the operations token': service.operations,
    'the instance’s own proxy key': await proxyKey(instance.id),
    'another instance’s proxy key': await proxyKey(other.id),
  };
});
afterAll(() => service.stop());

const bearer = (token: string) => service.anonymous.with({ authorization: `Bearer ${token}` });
const withKey = (key: string) => service.anonymous.with({ 'x-api-key': key });

async function revokedKey(): Promise<Client> {
  const made = await tenant.api.post<{ id: string; key: string }>('/v1/api-keys', {
    name: 'revoked',
    role: 'admin',
    scopes: ['*'],
  });
  expect((await tenant.api.delete(`/v1/api-keys/${made.body.id}`)).status).toBe(204);
  return withKey(made.body.key);
}

async function expiredKey(): Promise<Client> {
  const made = await tenant.api.post<{ id: string; key: string }>('/v1/api-keys', {
    name: 'expired',
    role: 'admin',
    scopes: ['*'],
    expires_at: service.clock.now().toISOString(),
  });
  return withKey(made.body.key);
}

async function memberToken(): Promise<Client> {
  const email = 'member@example.com';
  expect((await tenant.api.post('/v1/users', { email, password: PASSWORD, role: 'member' })).status).toBe(
    201,
  );
  return service.login(email);
}

async function proxyKey(instance_id: string): Promise<Client> {
  const { services } = service.service;
  return bearer(await addProxyKey(services, services.db.tenant(tenant.tenant_id), instance_id));
}

async function enrollmentToken(instance_id: string): Promise<object> {
  const { services } = service.service;
  const q = services.db.tenant(tenant.tenant_id);
  const { enrollment_token } = await addEnrollmentToken(q, instance_id);
  return { enrollment_token };
}

/** Cached by role and scopes. */
async function keyWith(role: 'member' | 'admin', scopes: string[]): Promise<Client> {
  const name = `${role} ${scopes.join()}`;
  let key = keys.get(name);
  if (!key) keys.set(name, (key = service.createKey(tenant.tenant_id, { role, scopes })));
  return withKey(await key);
}

const everyScope = scopeResources.flatMap((resource) => scopeVerbs.map((verb) => `${resource}:${verb}`));

async function clientOf(caller: Caller, { scope }: Operation): Promise<Client> {
  switch (caller) {
    case 'a member key without scopes':
      return keyWith('member', []);
    case 'a member key with the scope':
      return keyWith('member', scope ? [scope] : []);
    case 'a member key with the wildcard':
      return keyWith('member', scope ? [`${scope.split(':')[0]}:*`] : ['*']);
    case 'an admin key with the scope':
      return keyWith('admin', scope ? [scope] : []);
    case 'an admin key with the scope *':
      return keyWith('admin', ['*']);
    case 'an admin key with every other scope':
      return keyWith(
        'admin',
        everyScope.filter((other) => other !== scope),
      );
    default:
      return fixed[caller] ?? expect.unreachable(`No client for ${caller}`);
  }
}

/**
 * A request that passes authorization and then fails: the body lacks required fields, and ids are unknown. Internal
 * routes get an existing instance, because their credentials are checked against it.
 */
function send(client: Client, operation: Operation, body: object = {}) {
  const isInternal = operation.credential === 'instance' || operation.credential === 'enrollment';
  const path = pathOf(operation, isInternal ? { instance_id: instance.id } : {});
  // From a random address, because wrong operations tokens are counted by address.
  const headers = { 'x-forwarded-for': `198.18.${randomBytes(2).join('.')}` };
  return client.request(operation.method, path, { headers, ...(operation.body && { json: body }) });
}

function expected(caller: Caller, { credential, scope, mintsCredential }: Operation): 401 | 403 | 'passes' {
  const outcome: Outcome =
    table[caller][columns.indexOf(credential as Guarded)] ??
    expect.unreachable(`No column for ${credential}`);
  if (outcome === 'scoped') return scope === null ? 'passes' : 403;
  if (outcome === 'bound') return mintsCredential ? 403 : 'passes';
  return outcome;
}

const outcomeOf = (status: number) => (status === 401 || status === 403 || status >= 500 ? status : 'passes');

const named = (list: readonly Operation[]) =>
  list.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

describe.each(named(guarded))('%s', (_, operation) => {
  it.each(callers)('%s', async (caller) => {
    const answer = await send(await clientOf(caller, operation), operation, bodies[caller]);
    expect(outcomeOf(answer.status), answer.text).toBe(expected(caller, operation));
    if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    if (answer.status === 403)
      expect(answer.text).toMatch(/scope [\w-]+:\w+|scope \*|role admin|signed-in user/);
  });
});

describe.each(named(open))('%s', (_, operation) => {
  it('answers every caller like an anonymous one', async () => {
    const { status } = await send(service.anonymous, operation);
    expect(status).toBeLessThan(500);
    for (const caller of callers) {
      const answer = await send(await clientOf(caller, operation), operation, bodies[caller]);
      expect([caller, answer.status]).toEqual([caller, status]);
    }
  });
});

describe('two credentials at once', () => {
  it('are decided by the API key, without a fallback to the token', async () => {
    const { authorization = '' } = fixed['an admin’s access token']?.headers ?? {};
    const lacking = await service.createKey(tenant.tenant_id, { role: 'admin', scopes: ['recipes:read'] });
    const both = (key: string) => service.anonymous.with({ authorization, 'x-api-key': key });
    expect((await both('garbage').get('/v1/customers')).status).toBe(401);
    expect((await both('').get('/v1/customers')).status).toBe(401);
    expect((await both(lacking).get('/v1/customers')).status).toBe(403);
  });
});

it('every operation’s scope is one that a key can have', () => {
  const known = new Set<string>(everyScope);
  expect(guarded.filter(({ scope }) => scope !== null && !known.has(scope)).map(({ id }) => id)).toEqual([]);
});
