import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Drives } from '../../src/adapters/drive/drives.ts';
import { addConnection } from '../../src/connections/connections.ts';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const FILESYSTEM = { provider: 'filesystem', name: null, credentials: { root: 'a' } };
const OFF = '{"detail":"The drive filesystem is switched off"}';

let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;

beforeAll(async () => {
  const google = { base_url: 'http://google.invalid', token_url: 'http://google.invalid/token' };
  service = await startTestService({
    drive: await Drives.open({ google, filesystem_root: undefined }),
    settings: { lacks_filesystem_drive: true },
    runsJobs: false,
  });
  tenant = await service.createTenant();
  instance = await insertInstance(service, tenant.tenant_id);
});
afterAll(() => service.stop());

const add = (customer_id: string, connection: object) =>
  tenant.api.post(`/v1/customers/${customer_id}/connections`, connection);

it('makes no connection of the drive that is off, but others', async () => {
  expect(await add(instance.customer_id, FILESYSTEM)).toMatchObject({ status: 409, text: OFF });
  expect(await add(randomUUID(), FILESYSTEM)).toMatchObject({ status: 404 });
  expect(await add(instance.customer_id, { provider: 'slack', credentials: {} })).toMatchObject({
    status: 201,
  });
});

it('reads nothing by a connection of the time before', async () => {
  const { db, keyring } = service.service.services;
  const connection = { ...FILESYSTEM, expires_at: null, allowed_hosts: [] };
  await addConnection(
    db.tenant(tenant.tenant_id),
    { keyring, settings: {} },
    instance.customer_id,
    connection,
    false,
  );
  const path = `/internal/v1/instances/${instance.id}/drive`;
  for (const route of ['search', 'read/a'])
    expect(await service.operations.get(`${path}/${route}`)).toMatchObject({ status: 502, text: OFF });
});
