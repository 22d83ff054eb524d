import { randomUUID } from 'node:crypto';
import { BlockList } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hasher } from '../../src/access/hasher.port.ts';
import { login as signIn } from '../../src/access/sessions.ts';
import { ServiceError } from '../../src/platform/errors.ts';
import { joinAsOwner } from '../support/accounts.ts';
import { createTestDatabase } from '../support/database.ts';
import { plainHasher } from '../support/fakes.ts';
import { PASSWORD, startTestService, type TestService, type TestTenant } from '../support/service.ts';

interface Pair {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  tenant_id: string;
  role: string;
}

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant('Acme');
});
afterAll(() => service.stop());

async function login(email = tenant.admin_email): Promise<Pair> {
  const { status, body } = await service.anonymous.post<Pair>('/auth/login', { email, password: PASSWORD });
  expect(status).toBe(200);
  return body;
}
const refresh = (refresh_token: string) => service.anonymous.post<Pair>('/auth/refresh', { refresh_token });
const switchTenant = async ({ access_token, tenant_id }: Pair): Promise<Pair> => {
  const client = service.anonymous.with({ authorization: `Bearer ${access_token}` });
  return (await client.post<Pair>('/auth/switch-tenant', { tenant_id })).body;
};
const me = (token: string) =>
  service.anonymous.get<{ role: string }>('/v1/me', { authorization: `Bearer ${token}` });

describe('a request without the credential that its route accepts', () => {
  it.each([
    ['/v1/recipes', /X-Api-Key.*access token/],
    [`/v1/customers/${randomUUID()}/staff`, /an admin’s access token.*no API key/],
    ['/v1/me', /an access token/],
    ['/internal/v1/tenants', /the operations token/],
    [`/internal/v1/instances/${randomUUID()}/lookup/identity`, /the instance’s proxy key.*operations token/],
  ])('to %s gets a hint', async (path, takes) => {
    const { status, body } = await service.anonymous.get<{ detail: string }>(path);
    expect([status, body.detail]).toEqual([401, expect.stringMatching(/^Not authenticated: /)]);
    expect(body.detail).toMatch(takes);
  });

  it('gets a hint where a key may be the bearer token', async () => {
    const { status, body } = await service.anonymous.post<{ detail: string }>('/v1/mcp', {});
    expect([status, body.detail]).toEqual([
      401,
      expect.stringMatching(/API key in X-Api-Key or as bearer token/),
    ]);
  });
});

describe('login', () => {
  it('returns a working pair of tokens', async () => {
    const pair = await login();
    expect(pair).toMatchObject({
      token_type: 'bearer',
      expires_in: 900,
      tenant_id: tenant.tenant_id,
      role: 'admin',
    });
    const { body } = await me(pair.access_token);
    expect(body).toMatchObject({
      user: { id: tenant.admin_user_id, email: tenant.admin_email },
      tenant: { id: tenant.tenant_id, name: 'Acme' },
      role: 'admin',
      memberships: [{ tenant_id: tenant.tenant_id, tenant_name: 'Acme', role: 'admin' }],
      capabilities: {
        language_model: false,
        model: null,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        base_url: service.base_url,
      },
    });
  });

  it('ignores the case of the address', async () => {
    expect((await login(tenant.admin_email.toUpperCase())).tenant_id).toBe(tenant.tenant_id);
  });

  it('treats a null tenant_id as absent', async () => {
    const asked = { email: tenant.admin_email, password: PASSWORD, tenant_id: null };
    expect(await service.anonymous.post('/auth/login', asked)).toMatchObject({
      status: 200,
      body: { tenant_id: tenant.tenant_id },
    });
  });

  it('answers a wrong password and an unknown address alike', async () => {
    const wrong = await service.anonymous.post('/auth/login', {
      email: tenant.admin_email,
      password: 'wrong',
    });
    const unknown = await service.anonymous.post('/auth/login', {
      email: 'nobody@example.com',
      password: 'wrong',
    });
    expect(wrong.status).toBe(401);
    expect(unknown.text).toBe(wrong.text);
  });

  it('throttles guesses at one account, and no other account', async () => {
    const other = await service.createTenant();
    const guesses = await Promise.all(
      Array.from({ length: 15 }, () =>
        service.anonymous.post('/auth/login', { email: other.admin_email, password: 'wrong' }),
      ),
    );
    const refused = guesses.filter(({ status }) => status === 429);
    expect(refused.length).toBe(5);
    const header = (name: string) => Number(refused[0]?.headers.get(name) ?? Number.NaN);
    expect(header('retry-after')).toBeGreaterThan(0);
    expect(header('x-ratelimit-reset')).toBe(header('retry-after'));
    expect([header('x-ratelimit-limit'), header('x-ratelimit-remaining')]).toEqual([10, 0]);
    expect((await login()).role).toBe('admin');
  });
});

describe('failed logins behind a proxy', () => {
  const wrong = { email: 'nobody@example.com', password: 'wrong' };
  const attempt = ({ anonymous }: TestService, from: string, as = wrong) =>
    anonymous.with({ 'x-forwarded-for': from }).post('/auth/login', as);
  const guesses = (from: TestService, address: string) =>
    Array.from({ length: 101 }, (_, nth) =>
      attempt(from, address, { ...wrong, email: `user-${nth}@example.com` }),
    );

  it('are counted by the last forwarded address that is not a trusted proxy', async () => {
    const forwardedForProxies = new BlockList();
    for (const network of ['127.0.0.0', '10.0.0.0']) forwardedForProxies.addSubnet(network, 8);
    const behind = await startTestService({ forwardedForProxies, runsJobs: false });
    try {
      await Promise.all(guesses(behind, '192.0.2.1'));
      for (const made_up of [
        '192.0.2.1',
        '198.51.100.7, 192.0.2.1',
        '203.0.113.9,192.0.2.1 , 10.0.0.1',
        '192.0.2.1:50123, 10.0.0.1:443',
        '[::ffff:192.0.2.1]:50123',
        '[::ffff:192.0.2.1]',
      ]) {
        expect((await attempt(behind, made_up)).status).toBe(429);
      }
      for (const other of [
        '192.0.2.2',
        '192.0.2.1, 192.0.2.2',
        '2001:db8::1',
        '',
        'unknown',
        '10.0.0.1',
        ',',
      ]) {
        expect((await attempt(behind, other)).status).toBe(401);
      }
    } finally {
      await behind.stop();
    }
  });

  it('are counted by the connection’s address without a trusted proxy', async () => {
    const alone = await startTestService({ runsJobs: false });
    try {
      await Promise.all(guesses(alone, '192.0.2.1'));
      expect((await attempt(alone, '192.0.2.2')).status).toBe(429);
    } finally {
      await alone.stop();
    }
  });
});

/**
 * Each address guesses at an account of its own.
 * @returns the error's code
 */
const guess = async (address: string) =>
  signIn(service.service.services, { email: `${address}@example.com`, password: 'wrong' }, address).catch(
    (error: ServiceError) => error.code,
  );

it('counts guesses per IPv6 network', async () => {
  for (let nth = 1; nth <= 100; nth++) expect(await guess(`2001:db8:0:7::${nth}`)).toBe('unauthenticated');
  expect(await guess('2001:db8:0:7:ffff:ffff:ffff:ffff')).toBe('rate_limited');
  expect(await guess('2001:db8:0:8::1')).toBe('unauthenticated');
});

it('counts no login as failed while others of the account are checked', async () => {
  const logins = Array.from({ length: 30 }, () =>
    signIn(service.service.services, { email: tenant.admin_email, password: PASSWORD }, '198.51.100.1'),
  );
  const refused = (await Promise.allSettled(logins)).filter(({ status }) => status === 'rejected');
  expect(refused).toEqual([]);
});

it('counts no unchecked login as failed', async () => {
  let isBusy = true;
  const busy = new ServiceError('rate_limited', 'Too many verifications at once; try again');
  const hasher: Hasher = {
    ...plainHasher,
    verifyEach: async (hashes, plaintext) => {
      if (isBusy) throw busy;
      return plainHasher.verifyEach(hashes, plaintext);
    },
  };
  const other = await startTestService({ hasher, runsJobs: false });
  try {
    const { admin_email: email } = await other.createTenant();
    const attempt = () => other.anonymous.post('/auth/login', { email, password: PASSWORD });
    for (let nth = 1; nth <= 101; nth++) expect((await attempt()).text).toContain('at once');
    isBusy = false;
    expect((await attempt()).status).toBe(200);
  } finally {
    await other.stop();
  }
});

it('throttles guesses at an account in every spelling that the database folds', async () => {
  // Its lower() turns İ into i, unlike JavaScript's.
  const database = await createTestDatabase(`template0 encoding 'UTF8' locale 'C.UTF-8'`);
  const [is] = await database.query<{ i: string }>(`select lower('İ') as i`);
  expect(is?.i).toBe('i');
  const other = await startTestService({ database, runsJobs: false });
  try {
    const { admin_email } = await other.createTenant();
    const guess = (email: string, password: string) =>
      other.anonymous.post('/auth/login', { email, password });
    for (let nth = 1; nth <= 10; nth++) expect((await guess(admin_email, 'wrong')).status).toBe(401);
    expect((await guess(admin_email, PASSWORD)).status).toBe(429);
    expect((await guess(admin_email.replace('i', 'İ'), PASSWORD)).status).not.toBe(200);
  } finally {
    await other.stop();
  }
});

describe('access tokens', () => {
  it('end after 15 minutes', async () => {
    const { access_token } = await login();
    service.clock.advance(16 * 60 * 1000);
    expect((await me(access_token)).status).toBe(401);
  });

  it('are refused with a flipped bit', async () => {
    const { access_token } = await login();
    const [header, payload, signature] = access_token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...claims, role: 'admin', sub: tenant.tenant_id })).toString(
      'base64url',
    );
    expect((await me(`${header}.${forged}.${signature}`)).status).toBe(401);
  });
});

describe('refresh', () => {
  it('returns a new pair, and the same successor to concurrent requests', async () => {
    const { refresh_token } = await login();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
  });

  it('revokes the family with its access tokens when an old token is reused', async () => {
    const first = await login();
    const second = (await refresh(first.refresh_token)).body;
    const third = (await refresh(second.refresh_token)).body;
    expect((await refresh(first.refresh_token)).status).toBe(401);
    expect((await refresh(third.refresh_token)).status).toBe(401);
    expect((await me(third.access_token)).status).toBe(401);
  });

  it('revokes sessions that began from the family’s access tokens, at any depth', async () => {
    const first = await login();
    const second = await switchTenant(first);
    const third = await switchTenant((await refresh(second.refresh_token)).body);
    const another = await login();
    service.clock.advance(11_000);
    expect((await refresh(second.refresh_token)).status).toBe(401);
    for (const { access_token, refresh_token } of [first, third]) {
      expect((await me(access_token)).status).toBe(401);
      expect((await refresh(refresh_token)).status).toBe(401);
    }
    expect((await refresh(another.refresh_token)).status).toBe(200);
  });

  it('revokes the family when the previous token is reused after the grace', async () => {
    const first = await login();
    const second = (await refresh(first.refresh_token)).body;
    service.clock.advance(11_000);
    expect((await refresh(first.refresh_token)).status).toBe(401);
    expect((await refresh(second.refresh_token)).status).toBe(401);
  });

  it('is possible for 30 days after the last one', async () => {
    const DAY_MS = 24 * 60 * 60 * 1000;
    let { refresh_token } = await login();
    for (let times = 1; times <= 2; times++) {
      service.clock.advance(30 * DAY_MS - 60_000);
      ({ refresh_token } = (await refresh(refresh_token)).body);
    }
    service.clock.advance(30 * DAY_MS);
    expect((await refresh(refresh_token)).status).toBe(401);
  });

  it('refuses malformed tokens', async () => {
    for (const token of ['', 'art_x', `art_${tenant.tenant_id}.1.${'A'.repeat(43)}`]) {
      expect((await refresh(token)).status).toBe(401);
    }
  });
});

describe('logout', () => {
  it('ends the login', async () => {
    const pair = await login();
    expect((await service.anonymous.post('/auth/logout', { refresh_token: pair.refresh_token })).status).toBe(
      204,
    );
    expect((await refresh(pair.refresh_token)).status).toBe(401);
    expect((await me(pair.access_token)).status).toBe(401);
  });
});

describe('switch-tenant', () => {
  it('moves a user only to tenants of the user', async () => {
    const other = await service.createTenant('Other');
    const stranger = await service.createTenant('Stranger');
    const client = await joinAsOwner(service, tenant, other, { role: 'member' });
    // UUIDs are case-insensitive.
    const tenant_id = other.tenant_id.toUpperCase();
    const moved = await client.post<Pair>('/auth/switch-tenant', { tenant_id });
    expect(moved.body).toMatchObject({ tenant_id: other.tenant_id, role: 'member' });
    expect((await me(moved.body.access_token)).body.role).toBe('member');
    expect((await client.post('/auth/switch-tenant', { tenant_id: stranger.tenant_id })).status).toBe(404);
  });
});
