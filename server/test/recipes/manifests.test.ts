import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { REFERENCE_CAPABILITIES } from '../../src/recipes/manifests.ts';
import { createCustomer } from '../support/customers.ts';
import { createTestDatabase } from '../support/database.ts';
import { sharedService, startTestService, type TestService, type TestTenant } from '../support/service.ts';

const TIER = randomUUID();
const OTHER_TIER = randomUUID();

interface Plan {
  effects: Record<string, string>;
  violations: { code: string; path: string; message: string }[];
}

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
  for (const id of [TIER, OTHER_TIER])
    await service.operations.put(`/internal/v1/tiers/${id}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
});

const put = (id: string, manifest: object) =>
  service.operations.put(`/internal/v1/manifests/${id}`, manifest);

async function createRecipe(fields: object): Promise<string> {
  const { body, status, text } = await tenant.api.post<{ id: string }>('/v1/recipes', {
    name: 'R',
    ...fields,
  });
  expect(status, text).toBe(201);
  return body.id;
}

async function compose(fields: object): Promise<Plan> {
  const recipe_id = await createRecipe(fields);
  return (await tenant.api.post<Plan>('/v1/recipes/compose', { recipe_id })).body;
}

const unsupported = ({ violations }: Plan) =>
  violations.filter(({ code }) => code === 'unsupported').map(({ path }) => path);

const deploy = async (recipe_id: string, fields: object = {}) => {
  const { body } = await tenant.api.post<{ instance_id: string }>('/v1/recipes/deploy', {
    recipe_id,
    customer_id: await createCustomer(tenant),
    tier_id: TIER,
    region_id: 'eu-1',
    hostname: 'agent.example.com',
    ...fields,
  });
  return body.instance_id;
};

const instance = async (id: string) =>
  (await tenant.api.get<{ effects: Record<string, string> | null }>(`/v1/instances/${id}`)).body;

describe('manifests', () => {
  it('are listed for every member with the built-in one, without commands and images', async () => {
    expect(await put('listed', { name: 'Listed', command: ['node', '/srv/agent.js'] })).toMatchObject({
      status: 201,
      body: { id: 'listed', command: ['node', '/srv/agent.js'], image: null },
    });
    const key = await service.createKey(tenant.tenant_id, { scopes: ['instances:read'] });
    const { body } = await service.anonymous
      .with({ 'x-api-key': key })
      .get<{ items: { id: string }[] }>('/v1/manifests?per_page=100');
    const reference = body.items.find(({ id }) => id === 'reference');
    expect(reference).toMatchObject({ capabilities: REFERENCE_CAPABILITIES, is_active: true });
    expect(body.items.find(({ id }) => id === 'listed')).toEqual({
      id: 'listed',
      name: 'Listed',
      capabilities: { fields: [], skills: [], channels: [] },
      is_active: true,
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
    });
    const all = await service.operations.get<{ items: object[] }>('/internal/v1/manifests?per_page=100');
    expect(all.body.items).toContainEqual(expect.objectContaining({ command: ['node', '/srv/agent.js'] }));
  });

  it('change only supplied fields', async () => {
    const capabilities = { fields: ['voice_config'], skills: ['fly'], channels: ['voice'] };
    await put('changed', { name: 'Changed', capabilities, image: 'registry.example/a:1' });
    const changed = await put('changed', { is_active: false, image: null });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Changed', capabilities, is_active: false, image: null },
    });
    const unknown = await put('changed', { capabilities: { ...capabilities, fields: ['own_field'] } });
    expect(unknown).toMatchObject({ status: 422 });
    const nameless = [{ loc: ['body', 'command', '0'], type: 'value_error' }];
    expect(await put('changed', { command: ['', 'x'] })).toMatchObject({
      status: 422,
      body: { detail: nameless },
    });
    expect((await put('changed', { command: ['x', ''] })).status).toBe(200);
    expect((await put('a/b', { name: 'x' })).status).toBe(404);
    expect((await put('.a', { name: 'x' })).status).toBe(422);
  });

  it('refuse changes of the built-in one unless a setting replaces the runtime', async () => {
    expect((await put('reference', { name: 'Mine' })).status).toBe(409);
    const settings = { ...service.service.services.settings, replaces_manifest: true };
    const replacing = await startTestService({ runsJobs: false, settings });
    const path = '/internal/v1/manifests/reference';
    expect(await replacing.operations.put(path, { name: 'Mine' })).toMatchObject({
      status: 200,
      body: { name: 'Mine', capabilities: REFERENCE_CAPABILITIES },
    });
    await replacing.stop();
  });

  it('describe the image of the setting, whatever operators have said about it before', async () => {
    const database = await createTestDatabase();
    const master_key = randomBytes(32);
    const startWith = async (runtime_image: string) => {
      const settings = { replaces_manifest: true, runtime_image };
      const { service: copy, operations } = await startTestService({
        database,
        master_key,
        runsJobs: false,
        settings,
      });
      const read = `select name, image from manifests where id = 'reference'`;
      const stored = await database.query(read);
      await operations.put('/internal/v1/manifests/reference', { name: 'Mine' });
      await copy.stop();
      return stored;
    };
    expect(await startWith('agents:1')).toEqual([{ name: 'Reference runtime', image: 'agents:1' }]);
    expect(await startWith('agents:2')).toEqual([{ name: 'Mine', image: 'agents:2' }]);
    await database.drop();
  });
});

describe('effects', () => {
  it('follow the manifest of the recipe; one that is not offered is a violation', async () => {
    const capabilities = { fields: ['voice_config'], skills: ['fly'], channels: [] };
    await put('pilot', { name: 'Pilot', capabilities });
    const fields = { manifest_id: 'pilot', skills: ['fly', 'staff_query'], voice_config: { tone: 'calm' } };
    const composed = await compose(fields);
    expect(composed.effects).toEqual({
      '/manifest_id': 'control_plane',
      '/voice_config': 'runtime',
      '/skills': 'runtime',
      '/skills/1': 'nobody',
    });
    expect(unsupported(composed)).toEqual(['/skills/1']);
    await put('pilot', { is_active: false });
    expect((await compose(fields)).effects).toEqual({
      '/manifest_id': 'nobody',
      '/voice_config': 'nobody',
      '/skills': 'runtime',
      '/skills/0': 'nobody',
    });
    expect(unsupported(await compose({ manifest_id: 'of-nobody' }))).toEqual(['/manifest_id']);
  });

  it('stay with an instance until it is upgraded', async () => {
    await put('parrot', { name: 'Parrot', capabilities: { fields: [], skills: ['talk'], channels: [] } });
    const recipe_id = await createRecipe({ skills: ['talk'] });
    const request = { recipe_id, customer_id: await createCustomer(tenant), hostname: 'h' };
    const checked = await tenant.api.post<Plan>('/v1/recipes/deploy-check', request);
    expect(checked.body.effects).toEqual({ '/skills': 'nobody' });
    const id = await deploy(recipe_id, { manifest_id: 'parrot' });
    const effects = { '/manifest_id': 'control_plane', '/skills': 'runtime' };
    expect((await instance(id)).effects).toEqual(effects);
    await put('parrot', { capabilities: { fields: [], skills: [], channels: [] } });
    expect((await instance(id)).effects).toEqual(effects);
    const shown = await tenant.api.post<Plan>(`/v1/instances/${id}/upgrade`, { dry_run: true });
    expect(shown.body.effects).toEqual({ '/manifest_id': 'control_plane', '/skills': 'nobody' });
    expect(unsupported(shown.body)).toEqual(['/skills']);
  });

  it('of platform templates and default primitives all act', async () => {
    const { body: templates } =
      await tenant.api.get<{ id: string; name: string; is_platform_template: boolean }[]>('/v1/recipes');
    const platform = templates.filter(({ is_platform_template }) => is_platform_template);
    expect(platform).toHaveLength(5);
    for (const { id, name } of platform) {
      const { body } = await tenant.api.post<Plan>('/v1/recipes/compose', { recipe_id: id });
      // The address of the summary is only known at the deploy.
      const toFillIn = name === 'Daily summary' ? ['/trigger_templates'] : [];
      expect(body.violations.map(({ path }) => path)).toEqual(toFillIn);
    }
    const { body } = await tenant.api.get<{ items: { kind: string; slug: string }[] }>(
      '/v1/primitives?per_page=100',
    );
    const slugs = (kind: string) => body.items.filter((item) => item.kind === kind).map(({ slug }) => slug);
    expect(new Set(body.items.map(({ kind }) => kind))).toEqual(
      new Set(['skill', 'channel', 'integration', 'mcp_server', 'model']),
    );
    const everything = await compose({
      skills: slugs('skill'),
      channel_types: slugs('channel'),
      connection_requirements: slugs('integration'),
      mcp_servers: slugs('mcp_server').map((name) => ({ name, url: 'https://mcp.example.com/mcp' })),
      model_policy: { allowed_models: slugs('model') },
    });
    expect(everything.violations).toEqual([]);
  });
});

describe('a place on a shared instance', () => {
  it('is one of the same manifest and tier', async () => {
    await put('first', { name: 'First' });
    const recipe_id = await createRecipe({ hosting_mode: 'shared' });
    const id = await deploy(recipe_id);
    expect(await deploy(recipe_id)).toBe(id);
    expect(await deploy(recipe_id, { tier_id: OTHER_TIER })).not.toBe(id);
    const first = await deploy(recipe_id, { manifest_id: 'first' });
    expect(first).not.toBe(id);
    expect(await deploy(recipe_id, { manifest_id: 'first' })).toBe(first);
    await put('first', { is_active: false });
    expect(await deploy(recipe_id, { manifest_id: 'first' })).not.toBe(first);
  });
});
