import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { addProxyKey } from '../../src/runtimes/proxy-keys.ts';
import type { Client } from '../support/client.ts';
import { createCustomer } from '../support/customers.ts';
import { insertInstance, placeCustomer, type TestInstance } from '../support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;
let runtime: Client;

beforeAll(async () => {
  service = await sharedService('working');
  tenant = await service.createTenant();
  instance = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
  runtime = await runtimeOf(instance.id);
});

async function runtimeOf(instance_id: string): Promise<Client> {
  const { services } = service.service;
  const key = await addProxyKey(services, services.db.tenant(tenant.tenant_id), instance_id);
  return service.anonymous.with({ authorization: `Bearer ${key}` });
}

const newCustomer = async (profile?: { email?: string; company_name?: string; timezone?: string }) =>
  placeCustomer(service, instance.id, await createCustomer(tenant, profile));

const configPath = (customer_id: string, of = instance.id) =>
  `/internal/v1/instances/${of}/customer-config?customer_id=${customer_id}`;
const domainPath = (hostname: string, of = instance.id) =>
  `/internal/v1/instances/${of}/resolve-domain?hostname=${encodeURIComponent(hostname)}`;

const release = (customer_id: string) =>
  service.database.query('update deployments set released_at = now() where customer_id = $1', [customer_id]);
const deployWith = (customer_id: string, config: object) =>
  service.database.query('update deployments set resolved_config = $2 where customer_id = $1', [
    customer_id,
    JSON.stringify(config),
  ]);
const setDefaults = (defaults: object) =>
  service.database.query('update tenants set defaults = $2 where id = $1', [
    tenant.tenant_id,
    JSON.stringify(defaults),
  ]);

describe('customer-config', () => {
  it('merges the tenant’s defaults, the deployed configuration and the customer’s own', async () => {
    await setDefaults({ tone: 'plain', system_prompt: 'Default.', limits: { a: 1, b: 1, c: 1 }, gone: true });
    const customer_id = await newCustomer({ timezone: 'Australia/Perth' });
    await deployWith(customer_id, {
      system_prompt: null,
      onboarding_flow_id: 'flow',
      limits: { b: 2, c: 2 },
      skills: ['faq', { slug: 'timesheet', pin_required: true }],
      model_policy: { max_tokens: 100 },
    });
    await tenant.api.put(`/v1/customers/${customer_id}/config`, {
      limits: { c: 3 },
      gone: null,
      own: [1, null],
    });
    await tenant.api.put(`/v1/customers/${customer_id}/rules`, { instructions: ['Say no prices.'] });
    const answer = await runtime.get(configPath(customer_id.toUpperCase()));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      config: {
        tone: 'plain',
        system_prompt: 'Default.',
        limits: { a: 1, b: 2, c: 3 },
        onboarding_flow_id: 'flow',
        skills: ['faq', { slug: 'timesheet', pin_required: true }],
        model_policy: { max_tokens: 100 },
        own: [1, null],
      },
      customer_id,
      instance_id: instance.id,
      timezone: 'Australia/Perth',
      rules: { instructions: ['Say no prices.'] },
    });
    await setDefaults({});
    expect((await service.operations.get(configPath(customer_id))).status).toBe(200);
  });

  it('drops values out of range after the merge', async () => {
    const customer_id = await newCustomer();
    const hours = { mon: [['09:00', '17:00']], tue: [['09:00', '17:00']] };
    await deployWith(customer_id, {
      channel_config: { business_hours: hours, burst_seconds: 31, greeting: 'Hello' },
      skills: ['faq', {}, 5, { slug: 'shifts', pin_required: 'yes' }],
      channel_types: ['chatapp', {}],
      module_config: { faq: { enabled: 'no', colour: 'red' }, shifts: 'off', other: 'kept' },
    });
    const own = { channel_config: { business_hours: { mon: null }, greeting: 5 } };
    await tenant.api.put(`/v1/customers/${customer_id}/config`, own);
    expect((await runtime.get<{ config: object }>(configPath(customer_id))).body.config).toEqual({
      channel_config: { business_hours: { tue: hours.tue } },
      skills: ['faq', { slug: 'shifts' }],
      channel_types: ['chatapp'],
      module_config: { faq: { colour: 'red' }, other: 'kept' },
    });
  });

  it('uses the newest of several deployments', async () => {
    const customer_id = await newCustomer();
    await deployWith(customer_id, { system_prompt: 'old' });
    await service.database.query(
      `update deployments set created_at = now() - interval '1 day' where customer_id = $1`,
      [customer_id],
    );
    await placeCustomer(service, instance.id, customer_id);
    await service.database.query(
      `update deployments set resolved_config = '{"system_prompt": "new"}'
       where customer_id = $1 and created_at > now() - interval '1 hour'`,
      [customer_id],
    );
    expect((await runtime.get(configPath(customer_id))).body).toMatchObject({
      config: { system_prompt: 'new' },
    });
  });

  it('contains no secret by name or value', async () => {
    const customer_id = await newCustomer({ company_name: 'Acme' });
    const credentials = {
      refresh_token: 'the-refresh-token-1',
      root: 'documents',
      client: { id: 'client-id-1234567' },
    };
    await tenant.api.post(`/v1/customers/${customer_id}/connections`, {
      provider: 'filesystem',
      credentials,
    });
    await deployWith(customer_id, {
      system_prompt:
        'Look into documents. Mail office@acme.example or call +49 151 12345678. Never say the-refresh-token-1.',
      mcp_servers: [
        { url: 'https://mcp.example', headers: { Authorization: 'Bearer x' }, api_key: 'k', on: true },
      ],
      customer_id,
    });
    await tenant.api.put(`/v1/customers/${customer_id}/config`, {
      password: 'p',
      nested: { list: ['the-refresh-token-1', 'kept', 'CLIENT-ID-1234567'], token: 't', secrets: { a: 1 } },
    });
    const answer = await runtime.get<{ config: object }>(configPath(customer_id));
    expect(answer.body.config).toEqual({
      system_prompt:
        'Look into documents. Mail office@acme.example or call +49 151 12345678. Never say [credential].',
      mcp_servers: [{ url: 'https://mcp.example', headers: {}, on: true }],
      customer_id,
      nested: { list: ['kept'] },
    });
  });

  it('is not found for customers that the instance does not serve', async () => {
    const [gone, foreign] = [
      await newCustomer(),
      (await insertInstance(service, tenant.tenant_id)).customer_id,
    ];
    expect((await runtime.get(configPath(gone))).status).toBe(200);
    await release(gone);
    const answers = await Promise.all([gone, foreign, randomUUID()].map((id) => runtime.get(configPath(id))));
    for (const { status, text } of answers)
      expect([status, text]).toEqual([404, '{"detail":"Customer not found"}']);
  });
});

describe('resolve-domain', () => {
  it('ignores case, port and trailing dot', async () => {
    const customer_id = await newCustomer({ company_name: 'Acme', email: 'acme@example.com' });
    await tenant.api.post(`/v1/customers/${customer_id}/websites`, { hostname: 'shop.acme.example' });
    for (const hostname of ['shop.acme.example', 'SHOP.acme.Example.:8443', 'shop.acme.example.']) {
      const answer = await runtime.get(domainPath(hostname));
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.body).toEqual({ customer_id, customer_email: 'acme@example.com', display_name: 'Acme' });
    }
  });

  it('finds the tenant’s own customer', async () => {
    const stranger = await service.createTenant();
    const theirs = await insertInstance(service, stranger.tenant_id);
    const customer_id = await newCustomer();
    const hostname = 'wanted.example';
    await stranger.api.post(`/v1/customers/${theirs.customer_id}/websites`, { hostname });
    expect((await runtime.get(domainPath(hostname))).status).toBe(404);
    await tenant.api.post(`/v1/customers/${customer_id}/websites`, { hostname });
    expect((await runtime.get(domainPath(hostname))).body).toMatchObject({ customer_id });
    const seen = await service.operations.get(domainPath(hostname, theirs.id));
    expect(seen.body).toMatchObject({ customer_id: theirs.customer_id });
  });

  it('falls back to the address of a customer without a company', async () => {
    const customer_id = await newCustomer({ email: 'solo@example.com' });
    await tenant.api.post(`/v1/customers/${customer_id}/websites`, { hostname: 'solo.example' });
    expect((await runtime.get(domainPath('solo.example'))).body).toMatchObject({
      display_name: 'solo@example.com',
    });
  });

  it('answers 404 for an invalid, unknown or unserved hostname', async () => {
    const elsewhere = (await insertInstance(service, tenant.tenant_id)).customer_id;
    await tenant.api.post(`/v1/customers/${elsewhere}/websites`, { hostname: 'elsewhere.example' });
    const gone = await newCustomer();
    await tenant.api.post(`/v1/customers/${gone}/websites`, { hostname: 'gone.example' });
    await release(gone);
    for (const hostname of [
      '',
      'no host',
      'https://x',
      'unknown.example',
      'elsewhere.example',
      'gone.example',
    ]) {
      const { status, text } = await runtime.get(domainPath(hostname));
      expect([status, text]).toEqual([404, '{"detail":"Hostname not found"}']);
    }
    const missing = await runtime.get(`/internal/v1/instances/${instance.id}/resolve-domain`);
    expect(missing).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'hostname'], type: 'missing' }] },
    });
  });
});
