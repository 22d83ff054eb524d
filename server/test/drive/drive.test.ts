import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Drives } from '../../src/adapters/drive/drives.ts';
import { firstOf } from '../support/first-of.ts';
import { FakeGoogle, fail } from '../support/google-drive.ts';
import { gate } from '../support/hold.ts';
import { insertInstance, placeCustomer, type TestInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const CREDENTIALS = {
  client_id: 'the-client',
  client_secret: 'the-client-secret',
  refresh_token: '1//the-refresh',
};

interface Files {
  files: { id: string; name: string; folder_id: string }[];
}
interface Content {
  encoding: string;
  content: string;
}

const google = new FakeGoogle();
let directory: string;
let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;
let path: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'acp-drive-'));
  const base_url = await google.start();
  const drive = await Drives.open({
    google: { base_url, token_url: `${base_url}/token` },
    filesystem_root: directory,
  });
  service = await startTestService({ drive, runsJobs: false });
  tenant = await service.createTenant();
});
beforeEach(async () => {
  google.files = [];
  google.seen.splice(0);
  instance = await insertInstance(service, tenant.tenant_id);
  path = `/internal/v1/instances/${instance.id}/drive`;
});
afterAll(async () => {
  await service.stop();
  await google.stop();
  await rm(directory, { recursive: true });
});

async function addFolder(
  customer_id: string,
  connection: { name?: string; credentials?: object; expires_at?: string } = {},
  owner = tenant,
): Promise<{ id: string; root: string }> {
  const root = randomUUID();
  await mkdir(join(directory, owner.tenant_id, root), { recursive: true });
  await writeFile(join(directory, owner.tenant_id, root, `${connection.name ?? 'file'}.txt`), 'words');
  const { credentials, ...rest } = connection;
  const { status, body } = await owner.api.post<{ id: string }>(`/v1/customers/${customer_id}/connections`, {
    provider: 'filesystem',
    credentials: { root, ...credentials },
    ...rest,
  });
  expect(status).toBe(201);
  return { id: body.id, root };
}
async function addGoogle(credentials: object = {}): Promise<void> {
  const { status } = await tenant.api.post(`/v1/customers/${instance.customer_id}/connections`, {
    provider: 'google_drive',
    credentials: { ...CREDENTIALS, ...credentials },
  });
  expect(status).toBe(201);
}
const search = (query: Record<string, string> = {}) =>
  service.operations.get<Files>(`${path}/search?${new URLSearchParams(query).toString()}`);
const read = (id: string, query: Record<string, string> = {}) =>
  service.operations.get<Content>(
    `${path}/read/${encodeURIComponent(id)}?${new URLSearchParams(query).toString()}`,
  );
async function names(query: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await search(query);
  expect(status).toBe(200);
  return body.files.map(({ name }) => name);
}
const idFor = (folder: string) => Buffer.from(`/${folder}`).toString('base64url');
const limitByConfig = (data_access: unknown) =>
  service.database.query(
    `update deployments set resolved_config = jsonb_build_object('data_access', $2::jsonb) where instance_id = $1`,
    [instance.id, JSON.stringify(data_access)],
  );
const NO_CONNECTION = { status: 404, text: '{"detail":"Connection not found"}' };
const fault = (field: string) => ({
  status: 422,
  body: { detail: [{ loc: ['query', field], msg: 'Field required', type: 'missing' }] },
});

describe('the chosen drive', () => {
  it('is the named one, else the oldest live one', async () => {
    expect(await search()).toMatchObject(NO_CONNECTION);
    await tenant.api.post(`/v1/customers/${instance.customer_id}/connections`, {
      provider: 'slack',
      name: 'Slack',
      credentials: {},
    });
    expect(await search({ connection_name: 'Slack' })).toMatchObject(NO_CONNECTION);
    const first = await addFolder(instance.customer_id, { name: 'First' });
    const expires_at = new Date(service.clock.now().getTime() + 60_000).toISOString();
    await addFolder(instance.customer_id, { name: 'Second', expires_at });
    await addFolder(instance.customer_id, { name: 'Third' });
    expect(await names()).toEqual(['First.txt']);
    expect(await names({ connection_name: '' })).toEqual(['First.txt']);
    expect(await names({ connection_name: 'Third' })).toEqual(['Third.txt']);
    expect(await search({ connection_name: 'third' })).toMatchObject(NO_CONNECTION);
    await tenant.api.delete(`/v1/customers/${instance.customer_id}/connections/${first.id}`);
    expect(await search({ connection_name: 'First' })).toMatchObject(NO_CONNECTION);
    expect(await names()).toEqual(['Second.txt']);
    service.clock.advance(60_001);
    expect(await search({ connection_name: 'Second' })).toMatchObject(NO_CONNECTION);
    expect(await names()).toEqual(['Third.txt']);
  });

  it('needs customer or name on a shared instance', async () => {
    instance = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
    path = `/internal/v1/instances/${instance.id}/drive`;
    const one = instance.customer_id;
    const two = await placeCustomer(service, instance.id);
    expect(await search()).toMatchObject(fault('connection_name'));
    expect(await read('x')).toMatchObject(fault('connection_name'));
    await addFolder(one, { name: 'One' });
    await addFolder(two, { name: 'Two' });
    await addFolder(one, { name: 'Main' });
    await addFolder(two, { name: 'Main' });
    expect(await search()).toMatchObject(fault('connection_name'));
    expect(await names({ customer_id: two })).toEqual(['Two.txt']);
    expect(await names({ connection_name: 'One' })).toEqual(['One.txt']);
    expect(await search({ connection_name: 'One', customer_id: two })).toMatchObject(NO_CONNECTION);
    expect(await search({ connection_name: 'Main' })).toMatchObject(fault('customer_id'));
    expect(await names({ connection_name: 'Main', customer_id: two })).toEqual(['Main.txt']);
    const missing = { status: 404, text: '{"detail":"Customer not found"}' };
    expect(await search({ customer_id: randomUUID() })).toMatchObject(missing);
    await service.database.query('update deployments set released_at = now() where customer_id = $1', [two]);
    expect(await search({ connection_name: 'Two' })).toMatchObject(NO_CONNECTION);
    expect(await search({ customer_id: two })).toMatchObject(missing);
  });

  it('is never another tenant’s or an unserved customer’s', async () => {
    const other = await service.createTenant();
    const theirs = await insertInstance(service, other.tenant_id);
    await addFolder(theirs.customer_id, { name: 'Theirs' }, other);
    const neighbour = await insertInstance(service, tenant.tenant_id);
    await addFolder(neighbour.customer_id, { name: 'Neighbour' });
    for (const connection_name of ['Theirs', 'Neighbour']) {
      expect(await search({ connection_name })).toMatchObject(NO_CONNECTION);
    }
    for (const { customer_id } of [theirs, neighbour]) {
      const answer = await search({ customer_id });
      expect(answer).toMatchObject({ status: 404, text: '{"detail":"Customer not found"}' });
    }
    const { body } = await tenant.api.post<{ proxy_key: string }>(`/v1/instances/${neighbour.id}/proxy-key`);
    const own = service.anonymous.with({ authorization: `Bearer ${body.proxy_key}` });
    const found = await own.get<Files>(`/internal/v1/instances/${neighbour.id}/drive/search`);
    expect(found.body.files).toMatchObject([{ name: 'Neighbour.txt' }]);
    path = `/internal/v1/instances/${randomUUID()}/drive`;
    expect(await search()).toMatchObject({ status: 404, text: '{"detail":"Instance not found"}' });
  });
});

describe('a search', () => {
  it('accepts 1 to 100 results, 20 by default', async () => {
    await addGoogle();
    google.files = Array.from({ length: 120 }, (_, index) => ({
      id: `f${index}`,
      name: 'f',
      mimeType: 'text/plain',
    }));
    expect(await names()).toHaveLength(20);
    expect(await names({ max_results: '1' })).toHaveLength(1);
    expect(await names({ max_results: '100' })).toHaveLength(100);
  });
});

describe('google_drive', () => {
  it.each([`'; drop`, `name contains 'x' or 'y'`, String.raw`\' or trashed = true or '`])(
    'searches for %s as text',
    async (query) => {
      await addGoogle();
      google.files = [
        { id: 'x', name: 'x', mimeType: 'text/plain' },
        { id: 'found', name: `a ${query} b`, mimeType: 'text/plain' },
      ];
      expect((await search({ query })).body.files.map(({ id }) => id)).toEqual(['found']);
    },
  );

  it('reports a refusal without a secret', async () => {
    await addGoogle({ access_token: 'ya29.given' });
    google.tokens.add('ya29.given');
    google.files = [
      { id: 'a', name: 'a.txt', mimeType: 'text/plain', content: 'grün', parents: ['p'] },
      { id: 'folder', name: 'folder', mimeType: 'application/vnd.google-apps.folder' },
      { id: 'big', name: 'big', mimeType: 'text/plain', size: String(10 * 1024 * 1024 + 1) },
    ];
    const answers = [
      await search(),
      await read('a'),
      await read('b'),
      await read('folder'),
      await read('big'),
    ];
    google.answers.push((response) => fail(response, 403, 'insufficientFilePermissions'));
    answers.push(await search());
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 422, 413, 502]);
    expect(answers[1]?.body).toEqual({
      id: 'a',
      name: 'a.txt',
      mime_type: 'text/plain',
      size: 5,
      encoding: 'utf-8',
      content: 'grün',
    });
    expect(answers[3]?.body).toMatchObject({ detail: [{ loc: ['path', 'file_id'], type: 'value_error' }] });
    expect(answers[5]?.text).toBe('{"detail":"The drive answered 403"}');
    google.tokens.clear();
    google.tokenAnswers.push((response) => fail(response, 400, 'invalid_grant'));
    answers.push(await search());
    expect(answers[6]?.text).toBe('{"detail":"The drive refused the connection’s credentials"}');
    const told = answers.map(({ text, headers }) => text + JSON.stringify([...headers])).join('');
    expect(told).not.toMatch(/the-client|1\/\/the|ya29|access-\d|own words|127\.0\.0\.1/);
  });
});

describe('filesystem', () => {
  it('is searched and read by ids', async () => {
    const { root } = await addFolder(instance.customer_id, { name: 'Größe' });
    await writeFile(join(directory, tenant.tenant_id, root, 'b.bin'), Buffer.from([0, 1]));
    const { body } = await search({ query: 'größe' });
    expect(body.files).toMatchObject([
      { name: 'Größe.txt', mime_type: 'text/plain', size: 5, web_url: null },
    ]);
    expect(await names({ folder_id: body.files[0]?.folder_id ?? '' })).toEqual(['Größe.txt', 'b.bin']);
    expect(await read(body.files[0]?.id ?? '')).toMatchObject({ status: 200, body: { content: 'words' } });
    const [binary] = (await search({ query: 'b.bin' })).body.files;
    expect(await read(binary?.id ?? '')).toMatchObject({ body: { encoding: 'base64', content: 'AAE=' } });
    expect(await search({ folder_id: 'x' })).toMatchObject({
      status: 404,
      text: '{"detail":"Folder not found"}',
    });
  });

  it('is confined to its folder', async () => {
    const { root } = await addFolder(instance.customer_id);
    await symlink('/etc', join(directory, tenant.tenant_id, root, 'etc'));
    const ids = ['../../etc/passwd', '/etc/passwd', '..', 'etc/passwd'];
    for (const id of [...ids, ...ids.map((id) => Buffer.from(`/${id}`).toString('base64url'))]) {
      expect(await read(id)).toMatchObject({ status: 404 });
    }
    expect(await names()).toEqual(['file.txt']);
    await addFolder(instance.customer_id, { name: 'out', credentials: { root: `../${randomUUID()}` } });
    const answer = await search({ connection_name: 'out' });
    expect(answer.status).toBe(502);
    expect(answer.text).not.toContain(directory);
  });
});

describe('a limit to folders', () => {
  it('comes from credentials, configuration or both', async () => {
    const { root } = await addFolder(instance.customer_id, {
      credentials: { folder_ids: [idFor('a'), idFor('b')] },
    });
    for (const folder of ['a', 'b', 'c']) {
      await mkdir(join(directory, tenant.tenant_id, root, folder));
      await writeFile(join(directory, tenant.tenant_id, root, folder, `${folder}.txt`), folder);
    }
    expect(await names()).toEqual(['a.txt', 'b.txt']);
    expect((await read(idFor('b/b.txt'))).status).toBe(200);
    expect(await read(idFor('c/c.txt'))).toMatchObject({ status: 404, text: '{"detail":"File not found"}' });
    await limitByConfig({ drive: { folder_ids: [idFor('b'), idFor('c')] } });
    expect(await names()).toEqual(['b.txt']);
    expect((await read(idFor('a/a.txt'))).status).toBe(404);
    await limitByConfig({ folder_ids: [idFor('a')], drive: {} });
    expect(await names()).toEqual(['a.txt']);
    await limitByConfig({ folder_ids: 'a' });
    expect(await names()).toEqual([]);
    await limitByConfig({ folder_ids: null });
    expect(await names()).toEqual(['a.txt', 'b.txt']);
    for (const broken of [
      'x',
      { drive: 'x' },
      { folder_ids: [idFor('a'), 1] },
      { drive: { folder_ids: {} } },
    ]) {
      await limitByConfig(broken);
      expect(await names()).toEqual([]);
    }
  });

  it('comes from the newest deployment', async () => {
    await addFolder(instance.customer_id);
    expect(await names()).toEqual(['file.txt']);
    await limitByConfig({ folder_ids: [] });
    await placeCustomer(service, instance.id, instance.customer_id);
    const makeNewest = (resolved_config: object) =>
      service.database.query(
        `update deployments set created_at = now() - case when resolved_config = $2 then '1 h' else '2 h' end::interval
         where instance_id = $1`,
        [instance.id, resolved_config],
      );
    await makeNewest({ data_access: { folder_ids: [] } });
    expect(await names()).toEqual([]);
    await makeNewest({});
    expect(await names()).toEqual(['file.txt']);
  });
});

it('limits concurrent reads per tenant', async () => {
  const [atOnce, maxWaiting] = [4, 64];
  await addFolder(instance.customer_id);
  const other = await service.createTenant();
  const others = await insertInstance(service, other.tenant_id);
  await addFolder(others.customer_id, {}, other);
  const { pass, goOn } = gate();
  onTestFinished(() => void goOn());
  // Nobody waits for too long, however long the test takes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { drive } = service.service.services;
  const original = drive.read.bind(drive);
  const reads = vi.spyOn(drive, 'read').mockImplementation(async (connection, file_id) => {
    if (connection.tenant_id === tenant.tenant_id) await pass();
    return original(connection, file_id);
  });
  const answers = Array.from({ length: atOnce + maxWaiting + 1 }, () => read(idFor('file.txt')));
  const [refused] = await firstOf(answers, 1);
  expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([429, '1']);
  await vi.waitFor(() => expect(reads).toHaveBeenCalledTimes(atOnce), { timeout: 60_000, interval: 1 });
  const ofOther = `/internal/v1/instances/${others.id}/drive/read/${idFor('file.txt')}`;
  expect((await service.operations.get(ofOther)).status).toBe(200);
  goOn();
  const read200 = (await Promise.all(answers)).filter(({ status }) => status === 200);
  expect(read200).toHaveLength(atOnce + maxWaiting);
  reads.mockRestore();
});

it('reads the configured number of a tenant’s files at once', async () => {
  const other = await service.createTenant();
  const others = await insertInstance(service, other.tenant_id);
  await addFolder(others.customer_id, {}, other);
  const limits = { drive_reads_at_once: 2 };
  await service.operations.patch(`/internal/v1/tenants/${other.tenant_id}`, { limits });
  const gates = Array.from({ length: 3 }, gate);
  const [first, second, third] = gates;
  const { drive } = service.service.services;
  const original = drive.read.bind(drive);
  const reads = vi.spyOn(drive, 'read').mockImplementation(async (...request) => {
    await gates[reads.mock.calls.length - 1]?.pass();
    return original(...request);
  });
  const ofOther = `/internal/v1/instances/${others.id}/drive/read/${idFor('file.txt')}`;
  const answers = gates.map(() => service.operations.get(ofOther));
  await Promise.all([first?.reached, second?.reached]);
  expect(reads).toHaveBeenCalledTimes(2);
  first?.goOn();
  await third?.reached;
  for (const { goOn } of gates) goOn();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  reads.mockRestore();
});
