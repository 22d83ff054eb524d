import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Client } from '../support/client.ts';
import { openTransaction } from '../support/connection.ts';
import { lockWaits } from '../support/database.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from '../support/service.ts';

interface Key {
  id: string;
  key: string;
  prefix: string;
  role: string;
  scopes: string[];
  rate_limit: { limit: number; window_seconds: number };
  expires_at: string | null;
  last_used_at: string | null;
}

const HOUR_MS = 3_600_000;
const master_key = randomBytes(32);

let service: TestService;
let tenant: TestTenant;
let second: TestService;

beforeAll(async () => {
  service = await startTestService({ databaseWaits: PATIENT_WAITS, runsJobs: false, master_key });
  second = await startTestService({
    databaseWaits: PATIENT_WAITS,
    runsJobs: false,
    master_key,
    database: service.database,
  });
  tenant = await service.createTenant();
});
afterAll(async () => {
  await second.service.stop();
  await service.stop();
});

const withKey = (key: string, of = service): Client => of.anonymous.with({ 'x-api-key': key });
const whoami = (key: string, of = service) => withKey(key, of).get<Key>('/v1/mcp/api-key-context');

async function mint(fields: object = {}, by: Client = tenant.api): Promise<Key> {
  const { status, body, text } = await by.post<Key>('/v1/api-keys', { name: 'Key', scopes: [], ...fields });
  expect(status, text).toBe(201);
  return body;
}

const listed = async (id: string): Promise<Key | undefined> => {
  const { body } = await tenant.api.get<{ items: Key[] }>('/v1/api-keys?per_page=100');
  return body.items.find((item) => item.id === id);
};
const rotate = (id: string, json: object = {}, by: Client = tenant.api) =>
  by.post<Key>(`/v1/api-keys/${id}/rotate`, json);
const inAnHour = (hours = 1) => new Date(service.clock.now().getTime() + hours * HOUR_MS).toISOString();

/** The responses of copies whose monotonic clock is two seconds ahead. */
async function statusesInTwoSeconds(key: string, ...copies: TestService[]): Promise<number[]> {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 2000);
  const answers = await Promise.all(copies.map((of) => whoami(key, of))).finally(() => clock.mockRestore());
  return answers.map(({ status }) => status);
}

describe('a new key', () => {
  it('has the form acp_<8>_<43>, and defaults for absent fields', async () => {
    const made = await mint({}, await service.login(tenant.admin_email));
    expect(made.key).toMatch(/^acp_[0-9A-Za-z]{8}_[0-9A-Za-z]{43,}$/);
    expect(made.key.startsWith(made.prefix)).toBe(true);
    expect(made).toMatchObject({
      role: 'member',
      scopes: [],
      rate_limit: { limit: 600, window_seconds: 60 },
      expires_at: null,
      last_used_at: null,
    });
  });

  it('has the defaults for null', async () => {
    const given = { name: 'k', scopes: [], role: null, rate_limit: null, expires_at: null };
    const user = await service.login(tenant.admin_email);
    const { status, body } = await user.post<Key>('/v1/api-keys', given);
    expect([status, body]).toMatchObject([
      201,
      { role: 'member', rate_limit: { limit: 600, window_seconds: 60 }, expires_at: null },
    ]);
    const rotated = await tenant.api.post(`/v1/api-keys/${body.id}/rotate`, { overlap_seconds: null });
    expect(rotated.status).toBe(201);
  });

  it('has a unique prefix', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => mint()));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(20);
    expect(new Set(keys.map(({ prefix }) => prefix)).size).toBe(20);
  });

  it('is shown once and stored only as a hash', async () => {
    const { id, key } = await mint();
    const secret = key.split('_')[2] ?? expect.unreachable();
    expect((await tenant.api.get('/v1/api-keys?per_page=100')).text).not.toContain(secret);
    const [row] = await service.database.query<{ key_hash: Buffer; whole: string }>(
      'select key_hash, api_keys::text as whole from api_keys where id = $1',
      [id],
    );
    expect(row?.whole).not.toContain(secret);
    expect(row?.key_hash).toEqual(createHash('sha256').update(key).digest());
  });

  it('accepts an expiry in every form of ISO 8601', async () => {
    const moments = {
      '2030-01-31T09:30:00+05': '2030-01-31T04:30:00.000Z',
      '2030-01-31T09:30:00-0530': '2030-01-31T15:00:00.000Z',
      '2030-01-31t09:30:00z': '2030-01-31T09:30:00.000Z',
      '2030-12-31T23:59:60Z': '2031-01-01T00:00:00.000Z',
    };
    for (const [expires_at, kept] of Object.entries(moments)) {
      expect([expires_at, (await mint({ expires_at })).expires_at]).toEqual([expires_at, kept]);
    }
  });

  it.each(['recipes', '*:read'])('cannot have the scope %s', async (scope) => {
    expect((await tenant.api.post('/v1/api-keys', { name: 'Key', scopes: [scope] })).status).toBe(422);
  });
});

const holder = async (...scopes: string[]) => {
  const held = ['keys:write', ...scopes];
  return withKey(await service.createKey(tenant.tenant_id, { role: 'admin', scopes: held }));
};
const granting = async (by: Client, ...scopes: string[]) =>
  (await by.post('/v1/api-keys', { name: 'Key', scopes })).status;

describe('a key grants only what it holds', () => {
  it.each([
    [['recipes:read'], 'recipes:read', 201],
    [['recipes:read'], 'recipes:write', 403],
    [['recipes:read'], 'recipes:*', 403],
    [['recipes:read'], '*', 403],
    [['recipes:*'], 'recipes:delete', 201],
    [['recipes:*'], 'recipes:*', 201],
    [['recipes:*'], 'recipe:read', 403],
    [['recipes:*', 'staff:*'], '*', 403],
    [['*'], '*', 201],
    [['*'], 'whatever:read', 201],
  ])('%j → %s: %i', async (held, granted, status) => {
    expect(await granting(await holder(...held), granted)).toBe(status);
  });

  it('names the missing scopes in the refusal', async () => {
    const by = await holder('recipes:read');
    const json = { name: 'Key', scopes: ['recipes:read', 'staff:read', 'pins:write'] };
    const { status, text } = await by.post('/v1/api-keys', json);
    expect(status).toBe(403);
    expect(text).toContain('staff:read');
    expect(text).toContain('pins:write');
    expect(text).not.toContain('recipes:read');
  });

  it('rotates no key with a scope that it does not have', async () => {
    const strong = await mint({ scopes: ['staff:write'] });
    expect((await rotate(strong.id, {}, await holder('staff:read'))).status).toBe(403);
    expect((await whoami(strong.key)).body.scopes).toEqual(['staff:write']);
    expect((await rotate(strong.id, {}, await holder('staff:*'))).status).toBe(201);
  });

  it('does not limit an admin user, who has every scope', async () => {
    expect(await granting(await service.login(tenant.admin_email), '*')).toBe(201);
  });
});

const parent = async (fields: object) =>
  withKey((await mint({ role: 'admin', scopes: ['keys:write'], ...fields })).key);
const answer = (by: Client, fields: object) =>
  by.post<Key>('/v1/api-keys', { name: 'Child', scopes: [], ...fields });

const refusalOf = async (by: Client, fields: object) => {
  const { status, text } = await answer(by, fields);
  return [status, text];
};

describe('a key that mints another', () => {
  const [tooLate, tooMuch] = [/expires_at/, /rate_limit/];

  it('gives it neither a later end nor a higher limit', async () => {
    const rate_limit = { limit: 5, window_seconds: 60 };
    const by = await parent({ expires_at: inAnHour(), rate_limit });
    const outrunning = { expires_at: null, rate_limit: { limit: 1_000_000, window_seconds: 1 } };
    expect(await refusalOf(by, outrunning)).toEqual([403, expect.stringMatching(tooMuch)]);
    expect(await refusalOf(by, { expires_at: inAnHour(2) })).toEqual([403, expect.stringMatching(tooLate)]);
  });

  it('gives it its own end and limit by default', async () => {
    const bounds = { expires_at: inAnHour(), rate_limit: { limit: 5, window_seconds: 30 } };
    const by = await parent(bounds);
    expect((await answer(by, {})).body).toMatchObject(bounds);
    expect((await answer(by, { expires_at: null, rate_limit: null })).body).toMatchObject(bounds);
    const sooner = { expires_at: inAnHour(0.5), rate_limit: { limit: 4, window_seconds: 30 } };
    expect((await answer(by, sooner)).body).toMatchObject(sooner);
  });

  it.each([
    [10, 60, 201],
    [11, 60, 403],
    [5, 30, 201],
    [6, 30, 403],
    [10, 59, 403],
    [10, 86_400, 201],
    // The same rate, but a larger burst.
    [20, 120, 403],
  ])('with 10 requests in 60 s may give it %i in %i s: %i', async (limit, window_seconds, status) => {
    const by = await parent({ rate_limit: { limit: 10, window_seconds: 60 } });
    expect((await answer(by, { rate_limit: { limit, window_seconds } })).status).toBe(status);
  });

  it('compares limits that exceed 32 bits', async () => {
    const most = { role: 'admin', scopes: ['*'], rate_limit: { limit: 1_000_000, window_seconds: 86_400 } };
    const by = withKey((await mint(most, await service.login(tenant.admin_email))).key);
    expect((await answer(by, {})).status).toBe(201);
    const faster = { rate_limit: { limit: 1_000_000, window_seconds: 86_399 } };
    expect((await answer(by, faster)).status).toBe(403);
  });

  it('gives it no later end than its own overlap', async () => {
    const old = await mint({ role: 'admin', scopes: ['keys:write'] });
    await rotate(old.id, { overlap_seconds: 600 });
    const { body } = await answer(withKey(old.key), {});
    expect(body.expires_at).toBe((await listed(old.id))?.expires_at);
    expect(body.expires_at).not.toBeNull();
  });

  it('rotates itself, but no key with a later end or a higher limit', async () => {
    const bounds = { expires_at: inAnHour(), rate_limit: { limit: 100, window_seconds: 60 } };
    const own = await mint({ role: 'admin', scopes: ['keys:write'], ...bounds });
    const by = withKey(own.key);
    const later = await mint({ rate_limit: { limit: 1, window_seconds: 60 } });
    const faster = await mint({ expires_at: inAnHour(0.5) });
    for (const [{ id }, why] of [
      [later, tooLate],
      [faster, tooMuch],
    ] as const) {
      const { status, text } = await rotate(id, {}, by);
      expect([status, text]).toEqual([403, expect.stringMatching(why)]);
    }
    expect((await rotate(own.id, {}, by)).body).toMatchObject(bounds);
    // Repeated, as after a lost response: the key now ends before its successor.
    expect((await rotate(own.id, {}, by)).body).toMatchObject(bounds);
  });

  it('is limited, unlike a user', async () => {
    const admin = await service.login(tenant.admin_email);
    const rate_limit = { limit: 1_000_000, window_seconds: 1 };
    expect((await answer(admin, { rate_limit })).body).toMatchObject({ rate_limit, expires_at: null });
  });
});

const limited = (limit: number, fields: object = {}) =>
  mint({ rate_limit: { limit, window_seconds: 60 }, ...fields });
const numbers = (headers: Headers, ...names: string[]) => names.map((name) => Number(headers.get(name)));

describe('rate limits', () => {
  it('are in the headers of every response, also of errors', async () => {
    const client = withKey((await limited(10)).key);
    const answers = [
      await client.get('/v1/mcp/api-key-context'),
      await client.get('/v1/recipes'),
      await client.get('/v1/recipes/x'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403]);
    for (const [index, { headers }] of answers.entries()) {
      expect(numbers(headers, 'x-ratelimit-limit', 'x-ratelimit-remaining')).toEqual([10, 9 - index]);
      const reset = Number(headers.get('x-ratelimit-reset'));
      expect(reset > 0 && reset <= 60).toBe(true);
      expect(headers.get('ratelimit-policy')).toBe('"key";q=10;w=60');
      expect(headers.get('ratelimit')).toBe(`"key";r=${9 - index};t=${reset}`);
    }
  });

  it('are enforced with 429, Retry-After and one sentence', async () => {
    const client = withKey((await limited(2)).key);
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await client.get('/v1/mcp/api-key-context'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    const refused = answers[2] ?? expect.unreachable();
    expect(refused.body).toEqual({ detail: expect.any(String) });
    const [retryAfter = 0, reset] = numbers(refused.headers, 'retry-after', 'x-ratelimit-reset');
    expect(retryAfter).toBe(reset);
    expect(retryAfter > 0 && retryAfter <= 60).toBe(true);
    expect(numbers(refused.headers, 'x-ratelimit-limit', 'x-ratelimit-remaining')).toEqual([2, 0]);
  });

  it('are exact under 50 concurrent requests', async () => {
    const client = withKey((await limited(20)).key);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client.get('/v1/mcp/api-key-context')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it('are counted per key', async () => {
    const [one, other] = [await limited(1), await limited(1)];
    expect([(await whoami(one.key)).status, (await whoami(one.key)).status]).toEqual([200, 429]);
    expect((await whoami(other.key)).status).toBe(200);
  });

  it('end with the window', async () => {
    const { key } = await mint({ rate_limit: { limit: 1, window_seconds: 1 } });
    const askTwice = async () => (await Promise.all([whoami(key), whoami(key)])).map(({ status }) => status);
    // A window may end between the two requests.
    await vi.waitFor(async () => expect(new Set(await askTwice())).toEqual(new Set([200, 429])), {
      timeout: 60_000,
    });
    // The default window is a minute.
    await vi.waitFor(async () => expect((await whoami(key)).status).toBe(200), {
      timeout: 60_000,
      interval: 100,
    });
  });
});

describe('the order of refusals', () => {
  it('is 401, then 429, then 403, then 422, then 404', async () => {
    const spent = await mint({ rate_limit: { limit: 1, window_seconds: 60 } });
    await whoami(spent.key);
    const weak = await mint();
    const steps: [string, number][] = [
      ['acp_aaaaaaaa_nobody', 401],
      [spent.key, 429],
      [weak.key, 403],
      [tenant.key, 422],
    ];
    // One request with all faults.
    for (const [key, status] of steps) {
      const answer = await withKey(key).request('PUT', '/v1/recipes/not-a-uuid', { raw: '{' });
      expect(answer.status).toBe(status);
    }
    expect((await tenant.api.put(`/v1/recipes/${randomUUID()}`, { name: '' })).status).toBe(422);
    expect((await tenant.api.put(`/v1/recipes/${randomUUID()}`, { name: 'R' })).status).toBe(404);
  });

  it('is 422 before 404 for an operator who names an unknown instance', async () => {
    const nowhere = `/internal/v1/instances/${randomUUID()}`;
    const customer_id = randomUUID();
    const answers = await Promise.all([
      service.operations.post(`${nowhere}/pin/verify`, {}),
      service.operations.post(`${nowhere}/staff?customer_id=${customer_id}`, {}),
      service.operations.post(`${nowhere}/pin/verify`, { pin: '1234' }),
      service.operations.get(`${nowhere}/staff?customer_id=${customer_id}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 404, 404]);
  });

  it('is 401 for a revoked key even past its limit', async () => {
    const spent = await mint({ rate_limit: { limit: 1, window_seconds: 60 } });
    expect([(await whoami(spent.key)).status, (await whoami(spent.key)).status]).toEqual([200, 429]);
    await tenant.api.delete(`/v1/api-keys/${spent.id}`);
    expect(await statusesInTwoSeconds(spent.key, service)).toEqual([401]);
  });
});

describe('rotation', () => {
  it('gives a new key with the same rights; both work for the overlap', async () => {
    const old = await mint({
      role: 'admin',
      scopes: ['recipes:*'],
      rate_limit: { limit: 7, window_seconds: 30 },
    });
    const { status, body: made } = await rotate(old.id, { overlap_seconds: 3600 });
    expect(status).toBe(201);
    const { name: _, ...rights } = {
      name: '',
      role: 'admin',
      scopes: ['recipes:*'],
      rate_limit: old.rate_limit,
    };
    expect(made).toMatchObject({ ...rights, expires_at: null });
    expect(made.id).not.toBe(old.id);
    expect([(await whoami(old.key)).status, (await whoami(made.key)).status]).toEqual([200, 200]);
    const timed = async (advanceMs: number) => {
      service.clock.advance(advanceMs);
      return [(await whoami(old.key)).status, (await whoami(made.key)).status];
    };
    expect(await timed(HOUR_MS - 60_000)).toEqual([200, 200]);
    expect(await timed(61_000)).toEqual([401, 200]);
  });

  it('never extends the expiry of either key', async () => {
    const expires_at = inAnHour();
    const old = await mint({ expires_at });
    const { body: made } = await rotate(old.id, { overlap_seconds: 7200 });
    expect(made.expires_at).toBe(expires_at);
    expect((await listed(old.id))?.expires_at).toBe(expires_at);
    service.clock.advance(HOUR_MS);
    expect([(await whoami(old.key)).status, (await whoami(made.key)).status]).toEqual([401, 401]);
  });

  it('when repeated after a lost response gives a key with the same expiry', async () => {
    const expires_at = inAnHour(2);
    const old = await mint({ expires_at });
    const { body: lost } = await rotate(old.id, { overlap_seconds: 600 });
    const { body: made } = await rotate(old.id, { overlap_seconds: 3600 });
    expect([lost.expires_at, made.expires_at]).toEqual([expires_at, expires_at]);
    const ends = Date.parse((await listed(old.id))?.expires_at ?? '');
    expect(Math.abs(ends - service.clock.now().getTime() - 600_000)).toBeLessThan(60_000);
    service.clock.advance(601_000);
    const statuses = [old, lost, made].map(async ({ key }) => (await whoami(key)).status);
    expect(await Promise.all(statuses)).toEqual([401, 200, 200]);
  });

  it('can be cut short by revoking the old key', async () => {
    const old = await mint();
    const { body: made } = await rotate(old.id);
    expect((await tenant.api.delete(`/v1/api-keys/${old.id}`)).status).toBe(204);
    expect(await statusesInTwoSeconds(old.key, service)).toEqual([401]);
    expect([(await whoami(made.key)).status, await listed(old.id)]).toEqual([200, undefined]);
    expect((await tenant.api.delete(`/v1/api-keys/${old.id}`)).status).toBe(404);
  });

  it('without an overlap ends the old key at once', async () => {
    const old = await mint();
    expect((await whoami(old.key)).status).toBe(200);
    const { body: made } = await rotate(old.id, { overlap_seconds: 0 });
    expect(await statusesInTwoSeconds(old.key, service)).toEqual([401]);
    expect((await whoami(made.key)).status).toBe(200);
  });

  it('without a body has an overlap of ten minutes', async () => {
    const old = await mint();
    const answer = await tenant.api.request<Key>('POST', `/v1/api-keys/${old.id}/rotate`);
    expect(answer.status).toBe(201);
    const ends = Date.parse((await listed(old.id))?.expires_at ?? '');
    expect(Math.abs(ends - service.clock.now().getTime() - 600_000)).toBeLessThan(60_000);
  });

  it('of a revoked, expired or unknown key is 404', async () => {
    const [revoked, expired] = [await mint(), await mint({ expires_at: service.clock.now().toISOString() })];
    await tenant.api.delete(`/v1/api-keys/${revoked.id}`);
    for (const id of [revoked.id, expired.id, randomUUID()]) expect((await rotate(id)).status).toBe(404);
  });

  it('of a concurrently revoked key creates no successor', async () => {
    const { id } = await mint();
    const revoking = await openTransaction(service.database.url, [
      'update api_keys set revoked_at = now() where id = $1',
      [id],
    ]);
    const rotated = rotate(id);
    await lockWaits(service.database, 1);
    await revoking.end('commit');
    expect((await rotated).status).toBe(404);
  });
});

describe('the end of a key', () => {
  it('by revocation takes effect in every copy of the service within 2 s', async () => {
    const { id, key } = await mint();
    expect([(await whoami(key)).status, (await whoami(key, second)).status]).toEqual([200, 200]);
    expect((await tenant.api.delete(`/v1/api-keys/${id}`)).status).toBe(204);
    expect(await statusesInTwoSeconds(key, service, second)).toEqual([401, 401]);
    expect(await listed(id)).toBeUndefined();
    expect((await tenant.api.delete(`/v1/api-keys/${id}`)).status).toBe(404);
  });

  it('by revocation takes effect within 2 s without the notification', async () => {
    const { id, key } = await mint();
    expect((await whoami(key, second)).status).toBe(200);
    await service.database.query('alter table api_keys disable trigger notify_api_key_change');
    await tenant.api.delete(`/v1/api-keys/${id}`);
    expect(await statusesInTwoSeconds(key, second)).toEqual([401]);
    await service.database.query('alter table api_keys enable trigger notify_api_key_change');
  });

  it('by rotation takes effect in other copies of the service', async () => {
    const { id, key } = await mint();
    expect((await whoami(key, second)).status).toBe(200);
    await rotate(id, { overlap_seconds: 0 });
    expect(await statusesInTwoSeconds(key, second)).toEqual([401]);
  });

  it.each([
    ['revoking', (id: string) => tenant.api.delete(`/v1/api-keys/${id}`)],
    ['rotation without an overlap', (id: string) => rotate(id, { overlap_seconds: 0 })],
  ])('by %s lasts when the clock is set back', async (_, end) => {
    const { id, key } = await mint();
    await end(id);
    // Before the database's clock as well, which tests do not set.
    service.clock.advance(-1000 * HOUR_MS);
    const back = [(await whoami(key)).status, await listed(id), (await rotate(id)).status];
    service.clock.advance(1000 * HOUR_MS);
    expect(back).toEqual([401, undefined, 404]);
  });

  it('comes exactly at expires_at even while the key is cached', async () => {
    const { key } = await mint({ expires_at: inAnHour() });
    expect((await whoami(key)).status).toBe(200);
    service.clock.advance(HOUR_MS);
    expect((await whoami(key)).status).toBe(401);
  });
});

describe('last_used_at', () => {
  it('is stored soon after a use', async () => {
    const [used, unused] = [await mint(), await mint()];
    const before = service.clock.now().getTime();
    await whoami(used.key);
    await vi.waitFor(async () => expect((await listed(used.id))?.last_used_at).not.toBeNull(), {
      timeout: 60_000,
    });
    const at = Date.parse((await listed(used.id))?.last_used_at ?? '');
    expect(at).toBeGreaterThanOrEqual(before);
    expect((await listed(unused.id))?.last_used_at).toBeNull();
  });

  it('is shown from the response of the use on', async () => {
    const { id, key } = await mint();
    await whoami(key);
    expect((await listed(id))?.last_used_at).not.toBeNull();
  });
});

describe('GET /v1/mcp/api-key-context', () => {
  it('shows a key its scopes', async () => {
    const { id, key } = await mint({ role: 'admin', scopes: ['staff:*', 'recipes:read'] });
    expect((await whoami(key)).body).toEqual({
      tenant_id: tenant.tenant_id,
      api_key_id: id,
      user_id: null,
      role: 'admin',
      scopes: ['staff:*', 'recipes:read'],
    });
  });

  it('shows a user its role', async () => {
    const user = await service.login(tenant.admin_email);
    expect((await user.get('/v1/mcp/api-key-context')).body).toEqual({
      tenant_id: tenant.tenant_id,
      api_key_id: null,
      user_id: tenant.admin_user_id,
      role: 'admin',
      scopes: ['*'],
    });
  });
});
