import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Csr,
  type EnrolledInstance,
  enroll,
  enrolledInstance,
  newCsr,
  newToken,
  newWgKey,
  postAs,
} from '../support/identities.ts';
import { setInstanceStatus } from '../support/instances.ts';
import type { Identity } from '../support/mtls.ts';
import { OpenSsl } from '../support/openssl.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const DAY_MS = 86_400_000;

let openssl: OpenSsl;
let csr: Csr;
let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  openssl = await OpenSsl.open();
  csr = await newCsr(openssl);
  service = await startTestService({ runsJobs: false });
  tenant = await service.createTenant();
});
afterAll(async () => {
  await service.stop();
  await openssl.close();
});

interface Secrets {
  agent_secrets: { proxy_key: string | null; connections: Record<string, unknown> };
}

interface Asking {
  identity?: Identity | undefined;
  headers?: Record<string, string>;
  body?: object;
}

const enrolled = () => enrolledInstance(service, tenant, csr);
const pathOf = (id: string) => `/internal/v1/instances/${id}/secrets/refresh`;

const refresh = (instance: EnrolledInstance, asking: Asking = {}) => {
  const { vpn_ip, wg_public_key } = instance;
  const identity = 'identity' in asking ? asking.identity : instance;
  const body = { vpn_ip, wg_public_key, ...asking.body };
  return postAs<Secrets>(service, pathOf(instance.id), body, identity, asking.headers);
};

it('answers with the current secrets', async () => {
  const instance = await enrolled();
  const credentials = { access_token: randomUUID() };
  const of = `/v1/customers/${instance.customer_id}/connections`;
  const made = await tenant.api.post<{ id: string }>(of, { provider: 'crm', name: 'main', credentials });
  await service.database.query(
    'insert into instance_grants (tenant_id, instance_id, connection_id) values ($1, $2, $3)',
    [tenant.tenant_id, instance.id, made.body.id],
  );
  const key = await tenant.api.post<{ proxy_key: string }>(`/v1/instances/${instance.id}/proxy-key`);
  const { status, body } = await refresh(instance);
  expect(status).toBe(200);
  expect(body).toEqual({
    agent_secrets: {
      proxy_key: key.body.proxy_key,
      connections: { [instance.customer_id]: [{ provider: 'crm', name: 'main', credentials }] },
    },
  });
  const headers = { authorization: `Bearer ${key.body.proxy_key}` };
  expect((await refresh(instance, { headers })).body).toEqual(body);
  expect((await tenant.api.delete(`${of}/${made.body.id}`)).status).toBe(204);
  expect((await refresh(instance)).body.agent_secrets.connections).toEqual({});
});

it('answers with the credentials that the recipe requires, also of connections added after the deploy', async () => {
  const [instance, other] = [await enrolled(), await enrolled()];
  for (const { id } of [instance, other]) {
    await service.database.query('update deployments set resolved_config = $2 where instance_id = $1', [
      id,
      JSON.stringify({
        connection_requirements: ['crm', { provider: 'mail', name: 'main', optional: true }],
      }),
    ]);
  }
  const of = `/v1/customers/${instance.customer_id}/connections`;
  const add = async (provider: string, name: string | null, token: string) => {
    const { body } = await tenant.api.post<{ id: string }>(of, { provider, name, credentials: { token } });
    return body.id;
  };
  const given = async (who = instance) => (await refresh(who)).body.agent_secrets.connections;
  const old = await add('crm', null, 'old');
  await add('mail', 'side', 'not asked for');
  await add('shop', null, 'not asked for');
  expect(await given()).toEqual({
    [instance.customer_id]: [{ provider: 'crm', name: null, credentials: { token: 'old' } }],
  });
  await add('crm', 'second', 'new');
  await add('mail', 'main', 'post');
  await tenant.api.delete(`${of}/${old}`);
  expect(await given()).toEqual({
    [instance.customer_id]: [
      { provider: 'crm', name: 'second', credentials: { token: 'new' } },
      { provider: 'mail', name: 'main', credentials: { token: 'post' } },
    ],
  });
  expect(await given(other)).toEqual({});
  const setReleased = (when: 'now()' | 'null') =>
    service.database.query(`update deployments set released_at = ${when} where instance_id = $1`, [
      instance.id,
    ]);
  await setReleased('now()');
  await add('crm', 'third', 'too late');
  expect(await given()).toEqual({});
  await setReleased('null');
  expect(JSON.stringify(await given())).not.toContain('too late');
});

it('answers with current credentials in place of expired ones', async () => {
  const instance = await enrolled();
  await service.database.query('update deployments set resolved_config = $2 where instance_id = $1', [
    instance.id,
    JSON.stringify({ connection_requirements: ['crm'] }),
  ]);
  const add = (token: string, expires_at: string | null) =>
    tenant.api.post(`/v1/customers/${instance.customer_id}/connections`, {
      provider: 'crm',
      credentials: { token },
      expires_at,
    });
  await add('expired', '2020-01-01T00:00:00Z');
  expect((await refresh(instance)).body.agent_secrets.connections).toEqual({});
  await add('renewed', '2999-01-01T00:00:00Z');
  expect((await refresh(instance)).body.agent_secrets.connections).toEqual({
    [instance.customer_id]: [{ provider: 'crm', name: null, credentials: { token: 'renewed' } }],
  });
});

it('checks the bearer token (401), then the request (422), then the instance (404)', async () => {
  const instance = await enrolled();
  expect((await postAs(service, pathOf('no-uuid'), {}, instance, {})).status).toBe(401);
  const missing = { ...instance, id: randomUUID() };
  for (const vpn_ip of ['11.0.0.1', '10.0.0', '10.0.0.1234', '10.0.0.1\n', 10]) {
    const { status, body } = await refresh(missing, { body: { vpn_ip } });
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', 'vpn_ip'] }] }]);
  }
  expect((await refresh(missing)).status).toBe(404);
});

it('answers 401 to a wrong caller before 409 reveals the status', async () => {
  const [instance, stranger] = [await enrolled(), await enrolled()];
  await setInstanceStatus(service, instance.id, 'stopped');
  const wrong: Asking[] = [
    { identity: undefined },
    { identity: stranger },
    { body: { vpn_ip: stranger.vpn_ip } },
    { body: { wg_public_key: stranger.wg_public_key } },
    { body: { wg_public_key: newWgKey() } },
    { body: { wg_public_key: '' } },
  ];
  for (const asking of wrong) {
    const { status, text } = await refresh(instance, asking);
    expect([status, JSON.stringify(asking)], text).toEqual([401, JSON.stringify(asking)]);
  }
  expect((await refresh(instance)).status).toBe(409);
  await setInstanceStatus(service, instance.id, 'running');
  expect((await refresh(instance)).status).toBe(200);
});

it('refuses expired and revoked certificates with 401', async () => {
  const [expired, revoked] = [await enrolled(), await enrolled()];
  await service.database.query(
    `update certificates set revoked_at = now(), revocation_reason = 'key_compromise' where instance_id = $1`,
    [revoked.id],
  );
  expect((await refresh(revoked)).status).toBe(401);
  service.clock.advance(DAY_MS);
  expect((await refresh(expired)).status).toBe(401);
});

it('works when the clock is set back by an hour', async () => {
  const instance = await enrolled();
  service.clock.advance(-DAY_MS / 24);
  expect((await refresh(instance)).status).toBe(200);
});

it('refuses a runtime that a newer one has replaced, as do other operations', async () => {
  const instance = await enrolled();
  await service.database.query('update runtimes set generation = 2 where instance_id = $1', [instance.id]);
  const replaced = { status: 409, body: { detail: 'runtime_replaced' } };
  const { vpn_ip, wg_public_key } = instance;
  const keys = { csr_pem: csr.csr_pem, wg_public_key };
  const path = `/internal/v1/instances/${instance.id}`;
  const enrollment_token = await newToken(service, tenant, instance.id);
  const enrollAs = (generation: number) =>
    enroll(service, instance.id, { ...keys, vpn_ip, enrollment_token, generation });
  expect(await refresh(instance, { body: { generation: 1 } })).toMatchObject(replaced);
  expect(await postAs(service, `${path}/cert/renew`, { ...keys, generation: 1 }, instance)).toMatchObject(
    replaced,
  );
  expect(await enrollAs(1)).toMatchObject(replaced);
  expect(await refresh(instance, { body: { generation: 2 } })).toMatchObject({ status: 200 });
  expect(await enrollAs(2)).toMatchObject({ status: 200 });
});
