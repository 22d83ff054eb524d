import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { addConnection } from '../../src/connections/connections.ts';
import { createCustomer } from '../support/customers.ts';
import { placeCustomer } from '../support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

const TIER = randomUUID();
const CREDENTIALS = {
  client_id: 'drive-client-17',
  nested: { list: ['rt "quoted"/one+two'] },
  account: 77001122,
};
const VERIFY_TOKEN = 'verify-me-4711';
const APP_SECRET = 'app-secret-of-the-endpoint';
const WG_PUBLIC_KEY = 'cGF0aWVudCBmaXJlZmxpZXMgaHVtIGluIHRoZSBkYXI=';
const PHONE_NUMBER_ID = '106540352242922';
const STAFF_PHONE = '+49 30 1234567';

interface Saved {
  id: string;
  stripped: { pointer: string; kind: string }[];
  [field: string]: unknown;
}

let service: TestService;
let tenant: TestTenant;
let customer_id: string;
let email: string;
let instance_id: string;
let deployment: { task_id: string };
let endpoint_id: string;

beforeAll(async () => {
  service = await sharedService('working');
  tenant = await service.createTenant();
  await service.operations.put(`/internal/v1/tiers/${TIER}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  email = `Ada-${randomUUID()}@example.com`;
  customer_id = await createCustomer(tenant, { email });
  await tenant.api.post(`/v1/customers/${customer_id}/connections`, {
    provider: 'x',
    credentials: CREDENTIALS,
  });
  await tenant.api.post(`/v1/customers/${customer_id}/identities`, {
    channel: 'chatapp',
    external_id: '4915112345678',
  });
  await tenant.api.post(`/v1/customers/${customer_id}/websites`, { hostname: 'shop.acme.example' });
  instance_id = await deploy();
});

async function deploy(): Promise<string> {
  const recipe = await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R', hosting_mode: 'shared' });
  const { status, body } = await tenant.api.post<{ instance_id: string; task_id: string }>(
    '/v1/recipes/deploy',
    {
      recipe_id: recipe.body.id,
      customer_id,
      tier_id: TIER,
      region_id: 'eu-1',
      hostname: 'Crew-7.acme.example',
    },
  );
  expect(status).toBe(202);
  deployment = body;
  await vi.waitFor(
    async () => {
      const instance = await tenant.api.get<{ status: string }>(`/v1/instances/${body.instance_id}`);
      expect(instance.body.status).toBe('running');
    },
    { timeout: 60_000, interval: 30 },
  );
  const endpoint = await tenant.api.post<{ id: string }>('/v1/channel-endpoints', {
    channel: 'chatapp',
    instance_id: body.instance_id,
    customer_id,
    phone_number_id: PHONE_NUMBER_ID,
    verify_token: VERIFY_TOKEN,
    app_secret: APP_SECRET,
  });
  endpoint_id = endpoint.body.id;
  return body.instance_id;
}

const configure = (config: Record<string, unknown>) =>
  service.database.query('update instances set resolved_config = $2 where id = $1', [
    instance_id,
    JSON.stringify(config),
  ]);

const save = (body: unknown = { name: 'Saved' }, id = instance_id) =>
  tenant.api.post<Saved>(`/v1/recipes/save-from-instance/${id}`, body);

/** As its runtime got them at its start. */
const ownSecrets = (): string[] => {
  const environment = service.engine.running.get(instance_id)?.environment ?? {};
  return [environment.PROXY_KEY ?? '', environment.MESSAGE_SECRET ?? ''];
};

describe('save from instance', () => {
  it('creates a recipe of the ten fields', async () => {
    const taken = {
      system_prompt: 'Be brief.',
      skills: ['faq', { slug: 'timesheet', pin_required: true }],
      voice_config: { voice: 'alloy', speed: 1.1 },
      channel_types: ['webchat'],
      workflow_slugs: ['onboarding'],
      data_access: { scopes: ['read'] },
      model_policy: { model: 'gpt-5-mini', max_tokens: 500 },
      mcp_servers: [{ slug: 'control-plane', url: 'https://mcp.example/sse' }],
      compliance_config: { retention_days: 30 },
      connection_requirements: [{ provider: 'google_drive', optional: true }],
    };
    await configure({
      ...taken,
      sidecars: [{ name: 's' }],
      manifest_id: 'm',
      module_config: { a: 1 },
      trigger_templates: [{ type: 'daily' }],
    });
    const { status, body } = await save({ name: 'Saved', description: 'From the field' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...taken,
      name: 'Saved',
      description: 'From the field',
      tenant_id: tenant.tenant_id,
      source_instance_id: instance_id,
      revision: 1,
      is_active: true,
      hosting_mode: 'dedicated',
      sidecars: [],
      manifest_id: null,
      module_config: null,
      trigger_templates: [],
      stripped: [],
    });
    const { stripped: _, ...recipe } = body;
    expect((await tenant.api.get(`/v1/recipes/${body.id}`)).body).toEqual(recipe);
  });

  it('removes every known value of the instance', async () => {
    const other = await placeCustomer(service, instance_id);
    const { services } = service.service;
    const q = services.db.tenant(tenant.tenant_id);
    const connection = { provider: 'y', credentials: { password: 'Passw0rd of the other' } };
    const { id: connection_id } = await addConnection(q, services, other, connection, false);
    await service.database.query(
      `insert into staff (tenant_id, customer_id, name, role, tier, phone) values ($1, $2, 'Bo', 'employee', 1, $3)`,
      [tenant.tenant_id, other, STAFF_PHONE],
    );
    const [joined] = await service.database.query<{ id: string; task_id: string }>(
      `with customer as (update customers set payments_customer_id = 'cus_Nf3yB8xQ' where id = $1)
       update deployments set hostname = 'Crew-8.acme.example' where customer_id = $1 returning id, task_id`,
      [other],
    );
    const [instance] = await service.database.query<{ tunnel_address: string }>(
      'update instances set wg_public_key = $2 where id = $1 returning host(tunnel_address) as tunnel_address',
      [instance_id, WG_PUBLIC_KEY],
    );
    const secrets = [
      ...ownSecrets(),
      customer_id,
      other,
      email,
      instance_id,
      deployment.task_id,
      connection_id,
      endpoint_id,
      joined?.id ?? '',
      joined?.task_id ?? '',
      tenant.tenant_id,
      instance?.tunnel_address ?? '',
      WG_PUBLIC_KEY,
      'crew-7.acme.example',
      'crew-8.acme.example',
      'cus_Nf3yB8xQ',
      'shop.acme.example',
      CREDENTIALS.client_id,
      ...CREDENTIALS.nested.list,
      String(CREDENTIALS.account),
      'Passw0rd of the other',
      VERIFY_TOKEN,
      APP_SECRET,
      PHONE_NUMBER_ID,
      '4915112345678',
      '49301234567',
    ];
    expect(secrets.filter((secret) => secret.length < 6)).toEqual([]);
    await configure({
      system_prompt: `Start ${secrets.join(' and ')} end`,
      skills: secrets.map((secret, index) => ({
        [`${index}`]: [`x=${encodeURIComponent(secret)};`, secret],
      })),
      voice_config: Object.fromEntries(secrets.map((secret) => [secret, 'v'])),
      data_access: { json: JSON.stringify(JSON.stringify(secrets)), number: CREDENTIALS.account },
      mcp_servers: secrets.map((secret) => secret.toUpperCase()),
    });
    const { status, body } = await save({ name: 'Saved', description: `by ${email}` });
    expect(status).toBe(201);
    const { source_instance_id, tenant_id, ...rest } = body;
    expect([source_instance_id, tenant_id]).toEqual([instance_id, tenant.tenant_id]);
    const wire = decodeURIComponent(JSON.stringify(rest)).replaceAll('\\', '').toLowerCase();
    for (const secret of secrets) {
      expect(wire).not.toContain(secret.toLowerCase());
      expect(wire).not.toContain(secret.toLowerCase().replaceAll('"', ''));
    }
    expect(body.system_prompt).toMatch(/^Start \[api_key\] and \[secret\] and \[customer_id\] .* end$/);
    expect(body).toMatchObject({ voice_config: {}, mcp_servers: [], description: 'by [email]' });
    const kinds = new Set(
      body.stripped.filter(({ pointer }) => pointer === '/system_prompt').map(({ kind }) => kind),
    );
    expect([...kinds].toSorted()).toEqual([
      'api_key',
      'credential',
      'customer_id',
      'email',
      'instance_id',
      'phone_number',
      'secret',
    ]);
    const [row] = await service.database.query<{ count: number }>(
      `select count(*)::int from recipe_revisions where recipe_id = $1 and content::text like '%Passw0rd%'`,
      [body.id],
    );
    expect(row?.count).toBe(0);
  });

  it('removes the people of its customers over several pages', async () => {
    const other = await placeCustomer(service, instance_id);
    const SKILLS = 200;
    // Some identities have the same time.
    await service.database.query(
      `with s as (insert into staff (tenant_id, customer_id, name, role, tier, email, phone)
              select $1, $2, 'Bo', 'employee', 1, 'bo-' || n || '@staff', '030-55' || n || '99' from generate_series(1001, 2100) n)
       insert into identities (tenant_id, customer_id, channel, external_id)
       select $1, $2, 'webchat', 'visitor#' || n from generate_series(1001, 2100) n`,
      [tenant.tenant_id, other],
    );
    const numbers = Array.from({ length: 1100 }, (_, index) => 1001 + index);
    await configure({
      system_prompt: `ask ${numbers.map((n) => `bo-${n}@staff or 030 55 ${n}-99`).join(', ')}!`,
      skills: numbers.slice(-SKILLS).map((n) => `030/55${n}99 is the number of visitor%23${n}`),
    });
    const { status, body } = await save();
    expect(status).toBe(201);
    expect(body.system_prompt).toBe(`ask ${numbers.map(() => '[email] or [phone_number]').join(', ')}!`);
    expect(body.skills).toEqual(Array(SKILLS).fill('[phone_number] is the number of [customer_id]'));
  });

  it('removes the channel addresses of staff', async () => {
    const other = await placeCustomer(service, instance_id);
    await service.database.query(
      `with s as (insert into staff (tenant_id, customer_id, name, role, tier)
                  values ($1, $2, 'Bo', 'employee', 1) returning id)
       insert into staff_bindings (tenant_id, customer_id, person_id, channel_type, channel_address)
       select $1, $2, s.id, a.channel, a.address
       from s, (values ('chatapp', '4915198765432'), ('matrix', '@bo:acme')) as a (channel, address)`,
      [tenant.tenant_id, other],
    );
    await configure({ system_prompt: 'write to 49 151/98765432, or to @Bo:acme there' });
    expect((await save()).body).toMatchObject({
      system_prompt: 'write to [phone_number], or to [customer_id] there',
      stripped: [
        { pointer: '/system_prompt', kind: 'phone_number' },
        { pointer: '/system_prompt', kind: 'customer_id' },
      ],
    });
  });

  it('lists the faults of a request', async () => {
    expect((await save({})).body).toMatchObject({ detail: [{ loc: ['body', 'name'], type: 'missing' }] });
    expect((await save({ name: 'n'.repeat(201) })).body).toMatchObject({
      detail: [{ type: 'string_too_long' }],
    });
    expect((await save({ name: 'n'.repeat(200) })).status).toBe(201);
    expect((await save(undefined, 'no-uuid')).body).toMatchObject({
      detail: [{ loc: ['path', 'instance_id'], type: 'uuid_parsing' }],
    });
  });
});
