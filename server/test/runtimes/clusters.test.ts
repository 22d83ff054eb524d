import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCredentials } from '../../src/runtimes/clusters.ts';
import { Unreadable } from '../../src/secrets/unreadable.ts';
import { withConnection } from '../support/connection.ts';
import { createTestDatabase, lockWaits, type TestDatabase } from '../support/database.ts';
import { insertInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false, settings: { runs_clusters: true } });
  tenant = await service.createTenant();
  for (const region of ['eu', 'us']) await service.operations.put(`/internal/v1/regions/${region}`, {});
});
afterAll(() => service.stop());

const DOCKER = { region_id: 'eu', engine: 'docker', endpoint: 'unix:///run/docker.sock' };
const CERTIFICATES = { ca: 'an-authority', cert: 'a-certificate', key: 'a-private-key' };
const newId = () => `c-${randomUUID().slice(0, 8)}`;
const pathOf = (id: string) => `/internal/v1/clusters/${id}`;
const put = (id: string, body: object) => service.operations.put(pathOf(id), body);

async function addInstance(cluster_id: string, status = 'running'): Promise<string> {
  const { id } = await insertInstance(service, tenant.tenant_id, { status: 'running' });
  await service.database.query('update instances set cluster_id = $1, status = $2 where id = $3', [
    cluster_id,
    status,
    id,
  ]);
  return id;
}

describe('clusters', () => {
  it('begin with default, which the service makes', async () => {
    const { status, body } = await service.operations.get(pathOf('default'));
    expect(status).toBe(200);
    expect(body).toMatchObject({ region_id: null, engine: 'process', is_active: true, max_instances: null });
    for (const answer of [await put('default', DOCKER), await service.operations.delete(pathOf('default'))])
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('PROVISIONER')]);
  });

  it('are made and changed, fields left out stay, and credentials are never shown', async () => {
    const id = newId();
    const made = await put(id, { ...DOCKER, max_instances: 3, credentials: CERTIFICATES });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ...DOCKER,
      id,
      is_active: true,
      max_instances: 3,
      instances: 0,
      reachable: null,
      lease_holder: null,
      has_credentials: true,
      options: {},
    });
    const changed = await put(id, { region_id: 'us', engine: 'docker', is_active: false });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      region_id: 'us',
      endpoint: DOCKER.endpoint,
      is_active: false,
      max_instances: 3,
      has_credentials: true,
    });
    const cleared = await put(id, { ...DOCKER, max_instances: null, credentials: null });
    expect(cleared.body).toMatchObject({ max_instances: null, has_credentials: false, is_active: false });
    const listed = await service.operations.get<{ items: object[] }>('/internal/v1/clusters');
    expect(listed.body.items).toContainEqual({
      id,
      region_id: 'eu',
      engine: 'docker',
      is_active: false,
      max_instances: null,
      instances: 0,
      reachable: null,
      last_seen_at: null,
      lease_holder: null,
    });
    for (const { text } of [made, changed, cleared, listed])
      for (const secret of Object.values(CERTIFICATES)) expect(text).not.toContain(secret);
    expect((await service.operations.delete(pathOf(id))).status).toBe(204);
    expect((await service.operations.get(pathOf(id))).status).toBe(404);
    expect((await service.operations.delete(pathOf(id))).status).toBe(404);
  });

  it('have their credentials encrypted in the database, for their own row alone', async () => {
    const ids = [newId(), newId()];
    const credentials = { token: 'a-token-of-the-cluster', ca: 'pem' };
    for (const id of ids) await put(id, { region_id: 'eu', engine: 'kubernetes', credentials });
    const [one, other] = await service.database.query<{ id: string; sealed_credentials: Buffer }>(
      'select id, sealed_credentials from clusters where id = any ($1)',
      [ids],
    );
    if (!one || !other) expect.unreachable();
    const { keyring } = service.service.services;
    expect(one.sealed_credentials.toString('latin1')).not.toContain('a-token');
    expect(openCredentials(keyring, one)).toEqual(credentials);
    expect(() => openCredentials(keyring, { ...one, id: other.id })).toThrow(Unreadable);
    expect(openCredentials(keyring, { ...one, sealed_credentials: null })).toEqual({});
  });

  it('forget what belongs to another engine', async () => {
    const id = newId();
    const options = { namespace: 'agents', node_selector: { pool: 'agents' }, host_users: false };
    const made = await put(id, {
      region_id: 'eu',
      engine: 'kubernetes',
      endpoint: 'https://k8s.test',
      options,
    });
    expect(made.body).toMatchObject({ options });
    const kept = await put(id, { region_id: 'eu', engine: 'kubernetes' });
    expect(kept.body).toMatchObject({ endpoint: 'https://k8s.test', options });
    const other = await put(id, { region_id: 'eu', engine: 'docker' });
    expect(other.body).toMatchObject({ endpoint: null, options: {}, has_credentials: false });
  });

  it.each([
    ['another engine', { engine: 'process' }],
    ['an id of a region of the wrong type', { region_id: 7 }],
    ['no region', { region_id: undefined }],
    ['no room at all', { max_instances: 0 }],
    ['an https endpoint for docker', { endpoint: 'https://docker.test' }],
    ['an http endpoint for docker', { endpoint: 'http://docker.test' }],
    ['a relative socket', { endpoint: 'unix://docker.sock' }],
    ['a user in the endpoint', { endpoint: 'tcp://me@docker.test:2376' }],
    ['a port that is none', { endpoint: 'tcp://docker.test:70000' }],
    ['a space in the endpoint', { endpoint: 'tcp://docker.test:2376 x' }],
    ['tcp for kubernetes', { engine: 'kubernetes', endpoint: 'tcp://k8s.test:443' }],
    ['http for kubernetes', { engine: 'kubernetes', endpoint: 'http://k8s.test' }],
    ['a query in the endpoint', { engine: 'kubernetes', endpoint: 'https://k8s.test/?a=b' }],
    ['credentials of another engine', { credentials: { token: 't', ca: 'c' } }],
    ['half of the credentials', { credentials: { ca: 'c', cert: 'c' } }],
    ['options for docker', { options: { namespace: 'agents' } }],
    ['a namespace that is none', { engine: 'kubernetes', endpoint: null, options: { namespace: 'A B' } }],
    [
      'too large a selector',
      { engine: 'kubernetes', endpoint: null, options: { node_selector: { a: 'x'.repeat(64) } } },
    ],
  ])('refuse %s', async (_, change) => {
    const id = newId();
    expect((await put(id, { ...DOCKER, ...change })).status).toBe(422);
    expect((await service.operations.get(pathOf(id))).status).toBe(404);
  });

  it.each(['-a', 'a-', 'a b', 'a'.repeat(51), 'ü', 'a,b'])('refuse the id %j', async (id) => {
    expect((await put(encodeURIComponent(id), DOCKER)).status).toBe(422);
  });

  it.each([
    ['docker', 'unix:///run/docker.sock'],
    ['docker', 'tcp://10.0.0.5:2376'],
    ['docker', 'tcp://[fd00::5]:2376'],
    ['kubernetes', 'https://10.0.0.5:6443'],
    ['kubernetes', 'https://k8s.example.com/clusters/one'],
  ])('take as endpoint of %s %s', async (engine, endpoint) => {
    const credentials = engine === 'docker' ? CERTIFICATES : { token: 'a-token', ca: 'an-authority' };
    const { body } = await put(newId(), { region_id: 'eu', engine, endpoint, credentials });
    expect(body).toMatchObject({ endpoint });
  });

  it('need certificates for tcp, in this request or in one before', async () => {
    const id = newId();
    const tcp = { ...DOCKER, endpoint: 'tcp://docker.example.com:2376' };
    const missing = [{ loc: ['body', 'credentials'], msg: 'Field required', type: 'missing' }];
    const refused = { status: 422, body: { detail: missing } };
    expect(await put(id, tcp)).toMatchObject(refused);
    expect((await service.operations.get(pathOf(id))).status).toBe(404);
    expect((await put(id, { ...tcp, credentials: CERTIFICATES })).status).toBe(201);
    expect((await put(id, { ...tcp, is_active: false })).status).toBe(200);
    expect(await put(id, { region_id: 'eu', engine: 'docker', credentials: null })).toMatchObject(refused);
    expect((await put(id, { ...DOCKER, credentials: null })).status).toBe(200);
    expect(await put(id, tcp)).toMatchObject(refused);
    expect((await service.operations.get(pathOf(id))).body).toMatchObject(DOCKER);
  });

  it('count as not tried yet after a change of what they are reached by', async () => {
    const id = newId();
    await put(id, DOCKER);
    const see = `update clusters set reachable = true, last_seen_at = now() where id = $1`;
    const changes = [
      { endpoint: 'unix:///run/other.sock' },
      { credentials: CERTIFICATES },
      { engine: 'kubernetes', endpoint: null },
    ];
    for (const change of changes) {
      await service.database.query(see, [id]);
      expect((await put(id, { ...DOCKER, ...change })).body).toMatchObject({
        reachable: null,
        last_seen_at: null,
      });
    }
    await service.database.query(see, [id]);
    const same = { region_id: 'eu', engine: 'kubernetes', is_active: false, max_instances: 3 };
    expect((await put(id, same)).body).toMatchObject({ reachable: true, is_active: false });
  });

  it('need a region that exists', async () => {
    const answer = await put(newId(), { ...DOCKER, region_id: 'nowhere' });
    expect([answer.status, answer.body]).toEqual([404, { detail: 'Region not found' }]);
  });

  it('keep engine and region, and stay, while instances are there', async () => {
    const id = newId();
    await put(id, DOCKER);
    const instance = await addInstance(id);
    for (const change of [{ engine: 'kubernetes', endpoint: null }, { region_id: 'us' }])
      expect((await put(id, { ...DOCKER, ...change })).status).toBe(409);
    expect((await put(id, { ...DOCKER, endpoint: 'unix:///other' })).status).toBe(200);
    expect((await service.operations.get(pathOf(id))).body).toMatchObject({ instances: 1 });
    expect((await service.operations.delete(pathOf(id))).status).toBe(409);
    await service.database.query(`update instances set status = 'terminated' where id = $1`, [instance]);
    expect((await put(id, { ...DOCKER, region_id: 'us' })).status).toBe(200);
    expect((await service.operations.delete(pathOf(id))).status).toBe(204);
    const [row] = await service.database.query('select cluster_id from instances where id = $1', [instance]);
    expect(row).toEqual({ cluster_id: 'default' });
  });

  it('are not deleted under an instance that is being made', async () => {
    const id = newId();
    await put(id, DOCKER);
    const { id: instance } = await insertInstance(service, tenant.tenant_id, { status: 'running' });
    await withConnection(service.database.url, async (client) => {
      await client.query('begin');
      await client.query('update instances set cluster_id = $1 where id = $2', [id, instance]);
      const deleted = service.operations.delete(pathOf(id));
      await lockWaits(service.database, 1);
      await client.query('commit');
      expect((await deleted).status).toBe(409);
    });
  });

  it('show a lease until it ends', async () => {
    const id = newId();
    const holder = randomUUID();
    await put(id, DOCKER);
    const lease = (seconds: number) =>
      service.database.query(
        `update clusters set lease_holder = $1, lease_until = now() + $2 * interval '1 second' where id = $3`,
        [holder, seconds, id],
      );
    await lease(20);
    expect((await service.operations.get(pathOf(id))).body).toMatchObject({ lease_holder: holder });
    await lease(-1);
    expect((await service.operations.get(pathOf(id))).body).toMatchObject({ lease_holder: null });
  });

  it('belong to operators alone', async () => {
    for (const client of [tenant.api, service.anonymous]) {
      expect((await client.get('/internal/v1/clusters')).status).toBe(401);
      expect((await client.put(pathOf('mine'), DOCKER)).status).toBe(401);
    }
  });
});

describe('the cluster default', () => {
  let database: TestDatabase;
  const master_key = randomBytes(32);
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const startWith = (provisioner: 'process' | 'docker') =>
    startTestService({ database, master_key, runsJobs: false, settings: { provisioner } });
  async function defaultAfter(provisioner: 'process' | 'docker') {
    await (await startWith(provisioner)).service.stop();
    const [row] = await database.query<{ engine: string; host_id: string | null }>(
      `select engine, host_id from clusters where id = 'default'`,
    );
    return row;
  }

  it('has the engine of PROVISIONER, and an id of its own while that outlives the copies', async () => {
    expect(await defaultAfter('process')).toEqual({ engine: 'process', host_id: null });
    const docker = await defaultAfter('docker');
    expect(docker).toEqual({ engine: 'docker', host_id: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(await defaultAfter('docker')).toEqual(docker);
    expect(await defaultAfter('process')).toEqual({ engine: 'process', host_id: null });
  });

  it('keeps its engine while it has instances: another PROVISIONER stops the start with one line', async () => {
    const there = await startWith('docker');
    const { tenant_id } = await there.createTenant();
    const { id } = await insertInstance(there, tenant_id, { status: 'stopped' });
    await there.service.stop();
    await expect(startWith('process')).rejects.toThrow(
      /^PROVISIONER is process, but .* run with docker: .*$/,
    );
    await database.query(`update instances set status = 'terminated' where id = $1`, [id]);
    expect(await defaultAfter('process')).toMatchObject({ engine: 'process' });
  });
});

it('a cluster is refused where runtimes could not reach the service, or have no image', async () => {
  const without = await startTestService({ runsJobs: false });
  await without.operations.put('/internal/v1/regions/eu', {});
  const { status, text } = await without.operations.put(pathOf('one'), DOCKER);
  expect([status, text]).toEqual([409, expect.stringContaining('MTLS_PUBLIC_URL and RUNTIME_IMAGE')]);
  await without.stop();
});
