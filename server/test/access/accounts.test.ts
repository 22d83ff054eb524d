import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Hasher } from '../../src/access/hasher.port.ts';
import { invite, joinAsOwner, OWN_PASSWORD, type Pair } from '../support/accounts.ts';
import { plainHasher } from '../support/fakes.ts';
import { sharedService, startTestService, type TestService, type TestTenant } from '../support/service.ts';

// Credentials chosen by another tenant never open a tenant (contract, section 17).

const ATTACKERS = 'attacker-knows-this-1';
const VICTIMS = 'victims-own-choice-2';

let service: TestService;
let victim: TestTenant;
let attacker: TestTenant;
let email: string;

beforeAll(async () => {
  service = await sharedService('idle');
});
beforeEach(async () => {
  victim = await service.createTenant('Victim');
  attacker = await service.createTenant('Attacker');
  email = `cfo-${randomUUID()}@victim.example`;
});

const login = (password: string, tenant_id?: string, as = email) =>
  service.anonymous.post<Pair>('/auth/login', { email: as, password, tenant_id });
const bearer = ({ access_token }: Pair) =>
  service.anonymous.with({ authorization: `Bearer ${access_token}` });

/** Tries all ways from the attacker's login into the victim's tenant. */
async function expectShutOut(password: string): Promise<void> {
  const { status, body } = await login(password);
  expect([status, body.tenant_id]).toEqual([200, attacker.tenant_id]);
  const inside = bearer(body);
  const { tenant_id } = victim;
  expect((await inside.post('/auth/switch-tenant', { tenant_id })).status).toBe(404);
  expect((await login(password, tenant_id)).status).toBe(401);
  const { memberships } = (await inside.get<{ memberships: { tenant_id: string }[] }>('/v1/me')).body;
  expect(memberships.map((membership) => membership.tenant_id)).toEqual([attacker.tenant_id]);
}

describe('a tenant that created an account with the address first', () => {
  it('cannot enter a tenant that adds the address later', async () => {
    const planted = { email, password: ATTACKERS, role: 'member' };
    expect((await attacker.api.post('/v1/users', planted)).status).toBe(201);
    const added = { email: email.toUpperCase(), password: VICTIMS, role: 'admin' };
    expect((await victim.api.post('/v1/users', added)).status).toBe(201);
    const own = await login(VICTIMS);
    expect([own.status, own.body.tenant_id, own.body.role]).toEqual([200, victim.tenant_id, 'admin']);
    await expectShutOut(ATTACKERS);
  });

  it('cannot enter a tenant that the operator creates for the address', async () => {
    await attacker.api.post('/v1/users', { email, password: ATTACKERS, role: 'member' });
    const tenant = { name: 'New', admin_email: email, admin_password: VICTIMS };
    const made = await service.operations.post<{ tenant_id: string }>('/internal/v1/tenants', tenant);
    expect(made.status).toBe(201);
    victim = { ...victim, tenant_id: made.body.tenant_id };
    expect((await login(VICTIMS)).body).toMatchObject({ tenant_id: victim.tenant_id, role: 'admin' });
    await expectShutOut(ATTACKERS);
  });

  it('cannot enter by changing an account to the address of another tenant’s user', async () => {
    const own = { email: `own-${email}`, password: ATTACKERS, role: 'member' };
    const { body } = await attacker.api.post<{ id: string }>('/v1/users', own);
    expect((await attacker.api.patch(`/v1/users/${body.id}`, { email })).status).toBe(200);
    const added = { email, password: VICTIMS, role: 'admin' };
    expect((await victim.api.post('/v1/users', added)).status).toBe(201);
    expect((await login(VICTIMS)).body).toMatchObject({ tenant_id: victim.tenant_id });
    await expectShutOut(ATTACKERS);
  });

  it('cannot enter through an invitation that the owner of the address accepts', async () => {
    await attacker.api.post('/v1/users', { email, password: ATTACKERS, role: 'member' });
    const invitation_token = await invite(victim, email, 'admin');
    // An admin chose the account's password, so the account cannot accept.
    const planted = bearer((await login(ATTACKERS)).body);
    expect((await planted.post('/auth/invitations/accept', { invitation_token })).status).toBe(409);
    const accepted = { invitation_token, password: VICTIMS };
    expect((await service.anonymous.post('/auth/invitations/accept', accepted)).status).toBe(200);
    await expectShutOut(ATTACKERS);
  });
});

describe('another tenant', () => {
  it('cannot stop the account’s own tenant from changing it', async () => {
    const user = { email: victim.admin_email, password: ATTACKERS, role: 'member' };
    expect((await attacker.api.post('/v1/users', user)).status).toBe(201);
    const path = `/v1/users/${victim.admin_user_id}`;
    expect((await victim.api.patch(path, { password: VICTIMS })).status).toBe(200);
    expect((await login(VICTIMS, victim.tenant_id, victim.admin_email)).status).toBe(200);
    expect((await victim.api.patch(path, { email })).status).toBe(200);
  });

  it('does not learn which addresses have accounts elsewhere', async () => {
    const { body } = await attacker.api.post<{ id: string }>('/v1/users', {
      email,
      password: ATTACKERS,
      role: 'member',
    });
    const give = async (address: string) =>
      (await attacker.api.patch(`/v1/users/${body.id}`, { email: address })).status;
    expect(await give(victim.admin_email)).toBe(200);
    expect(await give(`nobody-${email}`)).toBe(200);
    // Its own users are not secret.
    expect(await give(attacker.admin_email)).toBe(409);
  });

  it('can add the same address at the same time', async () => {
    const user = { email, password: VICTIMS, role: 'member' };
    const added = await Promise.all([victim, attacker].map(({ api }) => api.post('/v1/users', user)));
    expect(added.map(({ status }) => status)).toEqual([201, 201]);
  });
});

describe('login', () => {
  it('enters the named tenant with the password of its account', async () => {
    await attacker.api.post('/v1/users', { email, password: ATTACKERS, role: 'member' });
    await victim.api.post('/v1/users', { email, password: VICTIMS, role: 'member' });
    expect((await login(VICTIMS, victim.tenant_id)).body.tenant_id).toBe(victim.tenant_id);
    expect((await login(VICTIMS, attacker.tenant_id)).status).toBe(401);
    expect((await login(VICTIMS, randomUUID())).text).toBe((await login('wrong', victim.tenant_id)).text);
  });

  it('enters any named tenant of the account', async () => {
    await joinAsOwner(service, victim, attacker);
    const [here, there] = await Promise.all(
      [victim, attacker].map(({ tenant_id }) => login(OWN_PASSWORD, tenant_id, victim.admin_email)),
    );
    expect([here?.body.tenant_id, there?.body.tenant_id]).toEqual([victim.tenant_id, attacker.tenant_id]);
  });

  it('prefers the account that signed in last, then the newest', async () => {
    for (const { api } of [victim, attacker])
      await api.post('/v1/users', { email, password: VICTIMS, role: 'member' });
    expect((await login(VICTIMS)).body.tenant_id).toBe(attacker.tenant_id);
    await login(VICTIMS, victim.tenant_id);
    expect((await login(VICTIMS)).body.tenant_id).toBe(victim.tenant_id);
  });

  it.each([
    [4, 200],
    [5, 401],
  ])('with %s newer accounts of the address answers %s, and with its tenant 200', async (newer, status) => {
    await victim.api.post('/v1/users', { email, password: VICTIMS, role: 'member' });
    for (let nth = 1; nth <= newer; nth++) {
      const { api } = await service.createTenant();
      await api.post('/v1/users', { email, password: ATTACKERS, role: 'member' });
    }
    expect((await login(VICTIMS)).status).toBe(status);
    expect((await login(VICTIMS, victim.tenant_id)).status).toBe(200);
    expect((await login(VICTIMS)).status).toBe(200);
  });

  it('computes the same number of hashes for every address', async () => {
    const sizes: number[] = [];
    const verifyEach: Hasher['verifyEach'] = (hashes, plaintext) => {
      sizes.push(hashes.length);
      return plainHasher.verifyEach(hashes, plaintext);
    };
    const counting = await startTestService({ hasher: { ...plainHasher, verifyEach }, runsJobs: false });
    try {
      const [one, two] = [await counting.createTenant(), await counting.createTenant()];
      await two.api.post('/v1/users', { email: one.admin_email, password: VICTIMS, role: 'member' });
      for (const of of [email, one.admin_email, two.admin_email])
        for (const tenant_id of [undefined, one.tenant_id, two.tenant_id])
          await counting.anonymous.post('/auth/login', { email: of, password: 'wrong', tenant_id });
      expect(sizes).toEqual([5, 1, 1, 5, 1, 1, 5, 1, 1]);
    } finally {
      await counting.stop();
    }
  });
});
