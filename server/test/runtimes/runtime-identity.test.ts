import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Csr,
  enroll,
  type IssuedBody,
  newCsr,
  newWgKey,
  postAs,
  publicTrust,
} from '../support/identities.ts';
import { OpenSsl } from '../support/openssl.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const TIER = randomUUID();

let openssl: OpenSsl;
let csr: Csr;
let service: TestService;
let tenant: TestTenant;
let recipe_id: string;
let customer_id: string;

beforeAll(async () => {
  openssl = await OpenSsl.open();
  csr = await newCsr(openssl);
  service = await startTestService();
  tenant = await service.createTenant();
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  recipe_id = await make('/v1/recipes', { name: 'Recipe' });
  customer_id = await make('/v1/customers', { email: 'customer@example.com' });
});
afterAll(async () => {
  await service.stop();
  await openssl.close();
});

async function make(path: string, json: object): Promise<string> {
  const { status, body, text } = await tenant.api.post<{ id: string }>(path, json);
  expect(status, text).toBe(201);
  return body.id;
}

async function deploy(): Promise<{ instance_id: string; task_id: string }> {
  const { status, body, text } = await tenant.api.post<{ instance_id: string; task_id: string }>(
    '/v1/recipes/deploy',
    { recipe_id, customer_id, tier_id: TIER, region_id: 'eu-1', hostname: 'agent.example.com' },
  );
  expect(status, text).toBe(202);
  return body;
}

const until = (instance_id: string, wanted: string) =>
  vi.waitFor(
    async () => {
      const { body } = await tenant.api.get<{ status: string }>(`/v1/instances/${instance_id}`);
      expect(body.status).toBe(wanted);
    },
    { timeout: 60_000, interval: 30 },
  );

const environmentOf = (instance_id: string) =>
  vi.waitFor(() => service.engine.running.get(instance_id)?.environment ?? expect.unreachable(), {
    timeout: 60_000,
  });

/** With the environment of the instance's runtime. */
async function enrollAs(instance_id: string, wg_public_key = newWgKey()): Promise<IssuedBody> {
  const { ENROLLMENT_TOKEN: enrollment_token, VPN_IP: vpn_ip } = await environmentOf(instance_id);
  const body = { enrollment_token, csr_pem: csr.csr_pem, wg_public_key, vpn_ip };
  const answer = await enroll(service, instance_id, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const revoked = async (serial: string) =>
  (
    await service.database.query<{ revocation_reason: string | null }>(
      'select revocation_reason from certificates where serial = $1',
      [serial],
    )
  )[0]?.revocation_reason;

const tokens = (instance_id: string) =>
  service.database.query('select from enrollment_tokens where instance_id = $1', [instance_id]);

describe('a runtime', () => {
  it('is started with everything for its enrollment, but without secrets of a customer', async () => {
    const { instance_id } = await deploy();
    const environment = await environmentOf(instance_id);
    expect(environment).toMatchObject({
      INSTANCE_ID: instance_id,
      CONTROL_PLANE_URL: service.base_url,
      CONTROL_PLANE_MTLS_URL: service.mtls_url,
      CONTROL_PLANE_CA: (await publicTrust(service)).ca,
      PROXY_KEY: expect.stringMatching(/^apk_/),
    });
    expect(environment).not.toHaveProperty('AGENT_SECRETS');
    const wg_public_key = newWgKey();
    const { cert_pem } = await enrollAs(instance_id, wg_public_key);
    await until(instance_id, 'running');
    const path = `/internal/v1/instances/${instance_id}/secrets/refresh`;
    const claim = { vpn_ip: environment.VPN_IP, wg_public_key };
    const headers = { authorization: `Bearer ${environment.PROXY_KEY}` };
    const secrets = await postAs(service, path, claim, { key: csr.key, cert: cert_pem }, headers);
    expect(secrets.body).toEqual({ agent_secrets: { proxy_key: environment.PROXY_KEY, connections: {} } });
  });

  it('gets a new enrollment token at each start', async () => {
    const { instance_id } = await deploy();
    const first = (await environmentOf(instance_id)).ENROLLMENT_TOKEN;
    await until(instance_id, 'running');
    const { cert_serial } = await enrollAs(instance_id);
    for (const [verb, status] of [
      ['stop', 'stopped'],
      ['start', 'running'],
    ] as const) {
      expect((await tenant.api.post(`/v1/instances/${instance_id}/${verb}`)).status).toBe(202);
      await until(instance_id, status);
    }
    expect((await environmentOf(instance_id)).ENROLLMENT_TOKEN).not.toBe(first);
    const again = await enrollAs(instance_id);
    expect([await revoked(cert_serial), await revoked(again.cert_serial)]).toEqual(['superseded', null]);
  });
});

describe('the end of an instance', () => {
  it('revokes its certificate, and deletes its enrollment token and tunnel key', async () => {
    const { instance_id } = await deploy();
    const wg_public_key = newWgKey();
    const { cert_serial, cert_pem } = await enrollAs(instance_id, wg_public_key);
    await until(instance_id, 'running');
    const minted = await tenant.api.post(`/v1/instances/${instance_id}/enrollment-token`);
    expect(minted.status).toBe(201);
    expect((await tenant.api.delete(`/v1/instances/${instance_id}`)).status).toBe(202);
    await until(instance_id, 'terminated');
    expect(await revoked(cert_serial)).toBe('cessation_of_operation');
    expect(await tokens(instance_id)).toEqual([]);
    const claim = { csr_pem: csr.csr_pem, wg_public_key };
    const path = `/internal/v1/instances/${instance_id}/cert/renew`;
    expect((await postAs(service, path, claim, { key: csr.key, cert: cert_pem })).status).toBe(401);
    const next = await deploy();
    await enrollAs(next.instance_id, wg_public_key);
  });

  it('does the same when its deploy is canceled', async () => {
    service.runtimes.healthy = false;
    const { instance_id, task_id } = await deploy();
    const wg_public_key = newWgKey();
    const { cert_serial } = await enrollAs(instance_id, wg_public_key);
    expect((await tenant.api.post(`/v1/tasks/${task_id}/cancel`)).status).toBe(202);
    await until(instance_id, 'terminated');
    service.runtimes.healthy = true;
    expect(await revoked(cert_serial)).toBe('cessation_of_operation');
    expect(await tokens(instance_id)).toEqual([]);
    await enrollAs((await deploy()).instance_id, wg_public_key);
  });
});
