import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addProxyKey } from '../../src/runtimes/proxy-keys.ts';
import { insertInstance } from '../support/instances.ts';
import { PASSWORD, startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createEndpoint, sendMessages, textMessage } from '../support/webhook.ts';

const PATIENT = { timeout: 60_000, interval: 50 };

const master_key = randomBytes(32);
/** Runs no jobs. */
let front: TestService;
beforeAll(async () => {
  front = await startTestService({ runsJobs: false, master_key });
});
afterAll(() => front.stop());

const setActive = async ({ tenant_id }: TestTenant, is_active: boolean) => {
  const path = `/internal/v1/tenants/${tenant_id}`;
  const { status, body } = await front.operations.patch<{ is_active: boolean }>(path, { is_active });
  expect([status, body.is_active]).toEqual([200, is_active]);
};

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const logIn = ({ admin_email }: TestTenant) =>
  front.anonymous.post<Tokens>('/auth/login', { email: admin_email, password: PASSWORD });

it('are refused with every credential, cached ones included, until they are active again', async () => {
  const copy = await startTestService({ database: front.database, master_key, runsJobs: false });
  try {
    const tenant = await front.createTenant();
    const { body: tokens } = await logIn(tenant);
    const user = front.anonymous.with({ authorization: `Bearer ${tokens.access_token}` });
    const key = copy.anonymous.with({ 'x-api-key': tenant.key });
    const instance = await insertInstance(front, tenant.tenant_id);
    const { services } = front.service;
    const proxy_key = await addProxyKey(services, services.db.tenant(tenant.tenant_id), instance.id);
    const runtime = front.anonymous.with({ authorization: `Bearer ${proxy_key}` });
    const { body } = await tenant.api.post<{ enrollment_token: string }>(
      `/v1/instances/${instance.id}/enrollment-token`,
    );
    const uses = {
      user: () => user.get('/v1/me'),
      key: () => key.get('/v1/recipes'),
      runtime: () => runtime.get(`/internal/v1/instances/${instance.id}/customer-config`),
      // A valid token leads to errors other than 401.
      enrolling: () => front.anonymous.post(`/internal/v1/instances/${instance.id}/enroll`, body),
    };
    const statuses = async () =>
      Object.fromEntries(
        await Promise.all(Object.entries(uses).map(async ([name, use]) => [name, (await use()).status])),
      ) as Record<string, number>;
    const before = await statuses();
    expect(before).toMatchObject({ user: 200, key: 200, enrolling: 422 });
    const notified = new Promise<void>((resolve) => {
      copy.service.services.notifications.subscribe('api_keys', (id) => id === tenant.tenant_id && resolve());
    });
    await setActive(tenant, false);
    // The notification clears the key cache.
    await notified;
    expect(new Set(Object.values(await statuses()))).toEqual(new Set([401]));
    const refresh = () =>
      front.anonymous.post<Tokens>('/auth/refresh', { refresh_token: tokens.refresh_token });
    expect([(await logIn(tenant)).status, (await refresh()).status]).toEqual([401, 401]);
    await setActive(tenant, true);
    expect(await statuses()).toEqual(before);
    expect([(await logIn(tenant)).status, (await refresh()).status]).toEqual([200, 200]);
  } finally {
    await copy.service.stop();
  }
});

it('do not lock an account out of its other tenant', async () => {
  const [first, other] = [await front.createTenant('First'), await front.createTenant('Other')];
  await front.database.query(
    `insert into memberships (tenant_id, user_id, role, email) select $1, id, 'member', email from users where id = $2`,
    [other.tenant_id, first.admin_user_id],
  );
  await setActive(first, false);
  const { status, body } = await logIn(first);
  expect([status, body]).toMatchObject([200, { tenant_id: other.tenant_id }]);
  const user = front.anonymous.with({ authorization: `Bearer ${body.access_token}` });
  const { status: switched } = await user.post('/auth/switch-tenant', { tenant_id: first.tenant_id });
  expect(switched).toBe(401);
});

it('do not lock out a person who has an account with the same password in another tenant', async () => {
  const [former, other] = [await front.createTenant('Former'), await front.createTenant('Other')];
  await other.api.post('/v1/users', { email: former.admin_email, password: PASSWORD, role: 'member' });
  // The first tenant's account signed in last, so it has precedence.
  const named = { email: former.admin_email, password: PASSWORD, tenant_id: former.tenant_id };
  expect((await front.anonymous.post('/auth/login', named)).status).toBe(200);
  await setActive(former, false);
  const { status, body } = await logIn(former);
  expect([status, body]).toMatchObject([200, { tenant_id: other.tenant_id }]);
  expect((await front.anonymous.post('/auth/login', named)).status).toBe(401);
});

it('keep their messages and tasks waiting without delaying other tenants', async () => {
  const [idle, busy] = [await front.createTenant('Idle'), await front.createTenant('Busy')];
  const stopped = await insertInstance(front, idle.tenant_id, { status: 'stopped' });
  expect((await idle.api.post(`/v1/instances/${stopped.id}/start`)).status).toBe(202);
  const [endpoint, others] = [await createEndpoint(front, idle), await createEndpoint(front, busy)];
  await setActive(idle, false);
  expect((await sendMessages(front, endpoint, textMessage('waits', 'Hello'))).status).toBe(200);
  await sendMessages(front, others, textMessage('goes', 'Hello'));
  const worker = await startTestService({ database: front.database, master_key, servesClients: false });
  const forwarded = () => worker.runtimes.messages.map(({ message }) => message.message_id);
  try {
    await vi.waitFor(() => expect(forwarded()).toEqual(['goes']), PATIENT);
    await sendMessages(front, others, textMessage('goes too', 'Hello'));
    await vi.waitFor(() => expect(forwarded()).toEqual(['goes', 'goes too']), PATIENT);
    expect(worker.engine.started).toEqual([]);
    const untouched = await front.database.query(
      `select from channel_messages where message_id = 'waits' and status = 'pending' and attempts = 0`,
    );
    expect(untouched).toHaveLength(1);
    await setActive(idle, true);
    await vi.waitFor(() => expect(forwarded()).toEqual(['goes', 'goes too', 'waits']), PATIENT);
    await vi.waitFor(() => expect(worker.engine.started).toContain(stopped.id), PATIENT);
  } finally {
    await worker.service.stop();
  }
});
