import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Verification } from '../../src/audit/chain-verification.ts';
import { addProxyKey } from '../../src/runtimes/proxy-keys.ts';
import { joinAsOwner } from '../support/accounts.ts';
import { listChanges } from '../support/changes.ts';
import type { Client } from '../support/client.ts';
import { insertInstance } from '../support/instances.ts';
import { interruptTransactions } from '../support/interrupt.ts';
import { rawSql } from '../support/raw-sql.ts';
import { PASSWORD, startTestService, type TestService, type TestTenant } from '../support/service.ts';

const master_key = randomBytes(32);

let service: TestService;
let copy: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false, master_key });
  copy = await startTestService({ runsJobs: false, master_key, database: service.database });
});
beforeEach(async () => {
  tenant = await service.createTenant();
});
afterAll(async () => {
  await copy.service.stop();
  await service.stop();
});

const create = (name = 'Recipe', client = tenant.api) => client.post<{ id: string }>('/v1/recipes', { name });
const list = (search = '', client = tenant.api) => listChanges(client, search);
/** Since the tenant was created. */
const made = async (client = tenant.api) =>
  (await list('', client)).filter(({ operation }) => operation !== 'create_tenant');
const verify = async (client: Client = tenant.api) =>
  (await client.get<Verification & Record<string, never>>('/v1/audit/changes/verification')).body;

const change = async (statements: string) => {
  for (const text of statements.split(';')) await service.database.query(text, [tenant.tenant_id]);
};

const newUser = () => ({ email: `${randomUUID()}@example.com`, password: PASSWORD, role: 'member' });

describe('a change', () => {
  it('is recorded with its actor', async () => {
    const user = await service.login(tenant.admin_email);
    const instance = await insertInstance(service, tenant.tenant_id);
    const { services } = service.service;
    const key = await addProxyKey(services, services.db.tenant(tenant.tenant_id), instance.id);
    const runtime = service.anonymous.with({ authorization: `Bearer ${key}` });
    const path = `/internal/v1/instances/${instance.id}/staff?customer_id=${instance.customer_id}`;
    const { body: context } = await tenant.api.get<{ api_key_id: string }>('/v1/mcp/api-key-context');
    await create();
    await create('Recipe', user);
    await runtime.post(path, { name: 'Ada' });
    await service.operations.post(path, { name: 'Grace' });
    expect((await made()).map(({ operation, actor }) => [operation, actor])).toEqual([
      ['create_staff', { kind: 'operations', id: null, name: null }],
      ['create_staff', { kind: 'instance', id: instance.id, name: expect.any(String) }],
      ['create_recipe', { kind: 'user', id: tenant.admin_user_id, name: tenant.admin_email }],
      ['create_recipe', { kind: 'api_key', id: context.api_key_id, name: expect.any(String) }],
    ]);
  });

  it('is recorded in the tenant that a user joins', async () => {
    const home = await service.createTenant();
    await joinAsOwner(service, home, tenant);
    const [joined, ...earlier] = await made();
    expect(joined).toMatchObject({
      operation: 'accept_invitation',
      actor: { kind: 'user', id: home.admin_user_id },
    });
    expect(earlier.map(({ operation }) => operation)).toEqual(['create_invitation']);
    expect((await made(home.api)).map(({ operation }) => operation)).toEqual(['change_my_password']);
  });

  it('by a tool is recorded as the tool’s operation', async () => {
    const { headers } = await tenant.api.request('POST', '/v1/mcp', {
      json: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'create_recipe', arguments: { name: 'By a tool' } },
      },
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect(await made()).toMatchObject([
      { operation: 'create_recipe', status: 201, request_id: headers.get('x-request-id') },
    ]);
  });

  it('is recorded each time a client reuses a request id', async () => {
    const client = tenant.api.with({ 'x-request-id': 'always-the-same' });
    await create('One', client);
    await create('Two', client);
    expect((await made()).map(({ request_id }) => request_id)).toEqual([
      'always-the-same',
      'always-the-same',
    ]);
  });

  it('has a row exactly if it was committed', async () => {
    for (const when of ['before the commit', 'after the commit'] as const) {
      const mend = interruptTransactions(service, when);
      const { status } = await tenant.api.post('/v1/users', newUser());
      mend();
      expect(status).toBe(500);
      expect(await made()).toHaveLength(when === 'before the commit' ? 0 : 1);
    }
  });

  it('without an effect leaves no row', async () => {
    const { body: recipe } = await create();
    await tenant.api.delete(`/v1/recipes/${recipe.id}`);
    expect((await tenant.api.delete(`/v1/recipes/${recipe.id}`)).status).toBe(404);
    expect(await made()).toHaveLength(2);
  });

  it('of another tenant is hidden', async () => {
    const other = await service.createTenant();
    await create('Theirs', other.api);
    expect(await made()).toEqual([]);
    expect(await made(other.api)).toHaveLength(1);
  });
});

describe('the list', () => {
  it('has pages and filters, newest first', async () => {
    const { body: recipe } = await create();
    const [first] = await made();
    await tenant.api.put(`/v1/recipes/${recipe.id}`, { name: 'Renamed' });
    await create('Another');
    const operations = async (search: string) =>
      (await list(search)).map(({ operation, resource_id }) => `${operation} ${resource_id === recipe.id}`);
    expect(await operations('')).toEqual(['create_recipe false', 'update_recipe true', 'create_recipe true']);
    expect(await operations('&operation=update_recipe')).toEqual(['update_recipe true']);
    expect(await operations(`&resource_id=${recipe.id}`)).toEqual([
      'update_recipe true',
      'create_recipe true',
    ]);
    expect(await operations(`&actor_id=${first?.actor.id}&actor_kind=api_key`)).toHaveLength(3);
    expect(await operations('&actor_kind=user')).toEqual([]);
    expect(await operations(`&from=${first?.at}`)).toHaveLength(3);
    expect(await operations(`&to=${first?.at}`)).toEqual([]);
    const page = await tenant.api.get('/v1/audit/changes?page=2&per_page=2');
    expect(page.body).toMatchObject({
      page: 2,
      per_page: 2,
      total: 3,
      items: [{ operation: 'create_recipe' }],
    });
  });
});

describe('the chain', () => {
  it('numbers concurrent changes of two processes', async () => {
    const other = copy.anonymous.with({ 'x-api-key': tenant.key });
    const work = Array.from({ length: 40 }, (_, i) => create(`Recipe ${i}`, i % 2 ? other : tenant.api));
    const verifying = Array.from({ length: 6 }, (_, i) => verify(i % 2 ? other : tenant.api));
    expect((await Promise.all(work)).map(({ status }) => status)).toEqual(Array(40).fill(201));
    expect((await Promise.all(verifying)).map(({ valid }) => valid)).toEqual(Array(6).fill(true));
    const seqs = (await made()).map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(40);
    expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
    expect(await verify()).toMatchObject({ valid: true, checked: 40, first_invalid: null, fault: null });
  });

  it('of a new tenant is empty and valid', async () => {
    expect(await verify()).toEqual({
      valid: true,
      checked: 0,
      first_invalid: null,
      fault: null,
      last_hash: null,
    });
  });

  it.each([
    [
      'another status',
      'update audit_changes set status = 200 where tenant_id = $1 and place = 2',
      2,
      'row_changed',
    ],
    [
      'another time',
      `update audit_changes set at = at + '1 ms' where tenant_id = $1 and place = 1`,
      1,
      'row_changed',
    ],
    [
      'another number',
      'update audit_changes set seq = default where tenant_id = $1 and place = 3',
      3,
      'row_changed',
    ],
    ['a row gone', 'delete from audit_changes where tenant_id = $1 and place = 2', 2, 'row_missing'],
    ['the last row gone', 'delete from audit_changes where tenant_id = $1 and place = 3', 3, 'row_missing'],
    ['all rows gone', 'delete from audit_changes where tenant_id = $1', 1, 'row_missing'],
    ['the head gone', 'delete from chain_heads where tenant_id = $1', 4, 'end_changed'],
    [
      'all rows gone with the head',
      'delete from audit_changes where tenant_id = $1; delete from chain_heads where tenant_id = $1',
      1,
      'end_changed',
    ],
    [
      'a row unchained',
      'update audit_changes set place = null, hash = null where tenant_id = $1 and place = 3',
      3,
      'row_missing',
    ],
    [
      'the head of another tenant',
      `delete from audit_changes where tenant_id = $1;
       update chain_heads c set sealed = o.sealed from chain_heads o
       where c.tenant_id = $1 and c.chain = 'changes' and o.tenant_id <> $1 and o.chain = 'changes'`,
      1,
      'end_changed',
    ],
  ])('reports %s, also after further changes', async (_, statements, first_invalid, fault) => {
    for (const name of ['One', 'Two', 'Three']) await create(name);
    expect(await verify()).toMatchObject({ valid: true, checked: 3 });
    await change(statements);
    expect(await verify()).toMatchObject({ valid: false, first_invalid, fault });
    await create('Four');
    expect(await verify()).toMatchObject({ valid: false });
  });

  it.each([
    'change_id = gen_random_uuid()',
    `actor_kind = 'user'`,
    'actor_id = gen_random_uuid()',
    `operation = 'delete_recipe'`,
    'resource_id = null',
    `request_id = 'another'`,
  ])('reports a row with %s', async (assignment) => {
    await create();
    await verify();
    await change(`update audit_changes set ${assignment} where tenant_id = $1`);
    expect(await verify()).toMatchObject({ valid: false, first_invalid: 1, fault: 'row_changed' });
  });

  it('is protected from the service’s own roles', async () => {
    await create();
    const { db } = service.service.services;
    const refused = async (q: typeof db.system, text: string) =>
      expect(q.run(rawSql(text)), text).rejects.toThrow('permission denied');
    const own = db.tenant(tenant.tenant_id);
    await refused(own, 'update audit_changes set place = 1');
    await refused(own, 'delete from audit_changes');
    await refused(db.system, 'update audit_changes set status = 200');
  });

  it('stays invalid after a deletion and a restart', async () => {
    await create();
    await verify();
    await change(
      'delete from audit_changes where tenant_id = $1; delete from chain_heads where tenant_id = $1',
    );
    const later = await startTestService({ master_key, database: service.database, runsJobs: false });
    const api = later.anonymous.with({ 'x-api-key': tenant.key });
    expect(await verify(api)).toMatchObject({ valid: false, fault: 'end_changed' });
    await later.service.stop();
  });

  it('is extended by a job', async () => {
    await create();
    const working = await startTestService({ master_key, database: service.database });
    await vi.waitFor(
      async () =>
        expect(
          await service.database.query('select from audit_changes where tenant_id = $1 and place = 1', [
            tenant.tenant_id,
          ]),
        ).toHaveLength(1),
      { timeout: 60_000, interval: 50 },
    );
    await working.service.stop();
  });
});
