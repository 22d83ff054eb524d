import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Verification } from '../../src/audit/chain-verification.ts';
import { ToolCallLog } from '../../src/audit/tool-call-log.ts';
import type { ToolCallRow } from '../../src/audit/tool-calls.db.ts';
import type { Page } from '../../src/platform/contract/shapes.ts';
import type { SystemDb, TenantDb } from '../../src/platform/db/queryable.ts';
import type { Client } from '../support/client.ts';
import { rawSql } from '../support/raw-sql.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { toolCallAt } from '../support/tool-calls.ts';

type Row = Omit<ToolCallRow, 'at'> & { at: string };

const HEADERS = { accept: 'application/json, text/event-stream', 'user-agent': 'checker/1.2' };
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

const call = (name: string, args: object = {}, client: Client = tenant.api, search = '') =>
  client.request<{ result?: { isError?: boolean }; error?: { code: number; message: string } }>(
    'POST',
    `/v1/mcp${search}`,
    {
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      headers: HEADERS,
    },
  );

const list = async (search = '', client: Client = tenant.api) =>
  (await client.get<Page<Row>>(`/v1/audit/tool-calls${search}`)).body;
const verify = async (client: Client = tenant.api) =>
  (await client.get<Verification & Record<string, never>>('/v1/audit/tool-calls/verification')).body;

const times = async (count: number, work: (index: number) => Promise<unknown>) => {
  for (let i = 0; i < count; i++) await work(i);
};

describe('a call of a tool', () => {
  it('leaves a row with caller, tool and outcome', async () => {
    const { headers } = await call('list_recipes');
    const { items, total } = await list();
    const { body: context } = await tenant.api.get<{ api_key_id: string }>('/v1/mcp/api-key-context');
    expect(total).toBe(1);
    expect(items).toEqual([
      {
        seq: 1,
        at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        tool: 'list_recipes',
        scope: 'recipes:read',
        decision: 'allowed',
        reason: null,
        status: 200,
        latency_ms: expect.any(Number),
        actor: { kind: 'api_key', id: context.api_key_id, name: expect.any(String) },
        key_id: context.api_key_id,
        user_id: null,
        client_name: 'checker',
        client_version: '1.2',
        arguments_fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        request_id: headers.get('x-request-id'),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it('leaves a row with the user’s id', async () => {
    const user = await service.login(tenant.admin_email);
    await call('list_recipes', {}, user);
    expect((await list()).items[0]).toMatchObject({
      actor: { kind: 'user', id: tenant.admin_user_id, name: tenant.admin_email },
      key_id: null,
      user_id: tenant.admin_user_id,
    });
  });

  it('leaves a row when it failed or was denied', async () => {
    const reader = service.anonymous.with({
      'x-api-key': await service.createKey(tenant.tenant_id, { scopes: ['recipes:read', 'customers:read'] }),
    });
    await call('get_recipe', { template_id: randomUUID() });
    await call('create_recipe', { name: 7 });
    await call('create_recipe', { name: 'No' }, reader);
    await call('list_customers', {}, reader);
    await call('create_recipe', { name: 'No' }, tenant.api, '?read_only=true');
    await call('drop_database');
    await call('Robert"); drop table');
    const rows = (await list()).items.toReversed();
    expect(rows.map(({ tool, decision, reason, status }) => [tool, decision, reason, status])).toEqual([
      ['get_recipe', 'allowed', null, 404],
      ['create_recipe', 'allowed', null, 422],
      ['create_recipe', 'denied', 'scope', 403],
      ['list_customers', 'denied', 'role', 403],
      ['create_recipe', 'denied', 'read_only', 403],
      ['drop_database', 'denied', 'unknown_tool', 404],
      ['unknown', 'denied', 'unknown_tool', 404],
    ]);
  });

  it('is stored without arguments and answer', async () => {
    const marker = `marker-${randomUUID()}`;
    await call('create_recipe', { name: marker, system_prompt: marker, [marker]: marker });
    await call('get_recipe', { template_id: marker });
    await call(marker);
    const rows = await service.database.query<{ text: string }>('select t::text as text from tool_calls t');
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter(({ text }) => text.includes(marker))).toEqual([]);
  });

  it('has a fingerprint of its arguments in any order', async () => {
    const other = await service.createTenant();
    await call('create_recipe', { name: 'A', description: 'B' });
    await call('create_recipe', { description: 'B', name: 'A' });
    await call('create_recipe', { name: 'A', description: 'C' });
    await call('assist_recipe', { name: 'A', description: 'B' });
    await call('create_recipe', { name: 'A', description: 'B' }, other.api);
    const prints = [...(await list()).items, ...(await list('', other.api)).items].map(
      (row) => row.arguments_fingerprint,
    );
    expect(prints[3]).toBe(prints[2]);
    expect(new Set(prints).size).toBe(4);
  });

  it('is stored with a truncated client name and version', async () => {
    const headers = { ...HEADERS, 'user-agent': `${'n'.repeat(300)}/${'9'.repeat(300)}` };
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_tiers' } };
    await tenant.api.request('POST', '/v1/mcp', { json, headers });
    expect((await list()).items[0]).toMatchObject({
      client_name: 'n'.repeat(100),
      client_version: '9'.repeat(100),
    });
  });

  it('fails when its row cannot be written', async () => {
    await service.database.query('alter table tool_calls add constraint full_up check (false) not valid');
    const { status, body, text } = await call('list_recipes');
    await service.database.query('alter table tool_calls drop constraint full_up');
    expect([status, body.error]).toEqual([200, { code: -32_603, message: 'Internal server error' }]);
    expect(text).not.toContain('full_up');
    expect((await call('list_recipes')).body.error).toBeUndefined();
    expect(await verify()).toMatchObject({ valid: true, checked: 1 });
  });
});

describe('the list', () => {
  it('has pages and filters', async () => {
    const key = await service.createKey(tenant.tenant_id, { scopes: ['recipes:read'] });
    await times(3, () => call('list_recipes'));
    const [newest] = (await list()).items;
    await times(2, () => call('list_tiers', {}, service.anonymous.with({ 'x-api-key': key })));
    const key_id = (await list('?tool=list_tiers')).items[0]?.key_id;
    const seqs = async (search: string) => (await list(search)).items.map(({ seq }) => seq);
    expect(await seqs('')).toEqual([5, 4, 3, 2, 1]);
    expect(await list('?page=2&per_page=2')).toMatchObject({ page: 2, per_page: 2, total: 5 });
    expect(await seqs('?page=2&per_page=2')).toEqual([3, 2]);
    expect(await seqs('?tool=list_recipes')).toEqual([3, 2, 1]);
    expect(await seqs('?decision=denied')).toEqual([5, 4]);
    expect(await seqs(`?key_id=${key_id}`)).toEqual([5, 4]);
    expect(await seqs(`?from=${newest?.at}&tool=list_recipes`)).toContain(3);
    expect(await seqs(`?to=${newest?.at}`)).not.toContain(3);
    expect(await seqs('?tool=none')).toEqual([]);
  });

  it('holds only the tenant’s own calls', async () => {
    await call('list_recipes');
    const other = await service.createTenant();
    expect((await list('', other.api)).items).toEqual([]);
    expect(await verify(other.api)).toEqual({
      valid: true,
      checked: 0,
      first_invalid: null,
      fault: null,
      last_hash: null,
    });
  });
});

describe('the chain', () => {
  it('has no gap after concurrent calls in two processes', async () => {
    const other = copy.anonymous.with({ 'x-api-key': tenant.key });
    const calls = Array.from({ length: 60 }, (_, i) => call('list_tiers', {}, i % 2 ? other : tenant.api));
    const answers = await Promise.all(calls);
    expect(answers.filter(({ body }) => body.error)).toEqual([]);
    const { items } = await list('?per_page=100');
    expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, i) => 60 - i));
    expect(await verify()).toEqual({
      valid: true,
      checked: 60,
      first_invalid: null,
      fault: null,
      last_hash: items[0]?.hash,
    });
    expect(await verify(other)).toMatchObject({ valid: true, checked: 60 });
  });

  it('continues where another process left it', async () => {
    await times(2, () => call('list_tiers'));
    await times(2, () => call('list_tiers', {}, copy.anonymous.with({ 'x-api-key': tenant.key })));
    await times(2, () => call('list_tiers'));
    expect(await verify()).toMatchObject({ valid: true, checked: 6 });
  });

  it('is verified in pages', async () => {
    const { db, keyring, log } = service.service.services;
    const toolCalls = new ToolCallLog(db, keyring, log);
    await Promise.all(Array.from({ length: 1201 }, () => toolCalls.append(tenant.tenant_id, aCall())));
    expect(await verify()).toMatchObject({ valid: true, checked: 1201 });
    await change('delete from tool_calls where tenant_id = $1 and seq = 1100');
    expect(await verify()).toMatchObject({ valid: false, checked: 1099, first_invalid: 1100 });
  });

  it.each([
    [
      'a changed status',
      `update tool_calls set status = 200 where tenant_id = $1 and seq = 2`,
      2,
      'row_changed',
    ],
    [
      'another key',
      `update tool_calls set key_id = tenant_id where tenant_id = $1 and seq = 1`,
      1,
      'row_changed',
    ],
    [
      'another time',
      `update tool_calls set at = at + '1 ms' where tenant_id = $1 and seq = 3`,
      3,
      'row_changed',
    ],
    ['the first row gone', `delete from tool_calls where tenant_id = $1 and seq = 1`, 1, 'row_missing'],
    ['a row gone', `delete from tool_calls where tenant_id = $1 and seq = 2`, 2, 'row_missing'],
    ['the last row gone', `delete from tool_calls where tenant_id = $1 and seq = 4`, 4, 'row_missing'],
    ['all rows gone', `delete from tool_calls where tenant_id = $1`, 1, 'row_missing'],
    ['the head gone', `delete from chain_heads where tenant_id = $1`, 5, 'end_changed'],
    [
      'all rows gone with the head',
      `delete from tool_calls where tenant_id = $1; delete from chain_heads where tenant_id = $1`,
      1,
      'end_changed',
    ],
    [
      'the last row gone and another head',
      `delete from tool_calls where tenant_id = $1 and seq = 4;
       update chain_heads c set sealed = o.sealed from chain_heads o
       where c.tenant_id = $1 and c.chain = 'tool_calls' and o.tenant_id = $1 and o.chain = 'changes'`,
      4,
      'end_changed',
    ],
    [
      'rows closed up over a gap',
      `delete from tool_calls where tenant_id = $1 and seq = 2;
       update tool_calls set seq = seq + 99 where tenant_id = $1 and seq > 2;
       update tool_calls set seq = seq - 100 where tenant_id = $1 and seq > 100`,
      2,
      'row_changed',
    ],
    [
      'two rows in each other’s place',
      `update tool_calls a set tool = b.tool, status = b.status, decision = b.decision, reason = b.reason, at = b.at,
         request_id = b.request_id, arguments_fingerprint = b.arguments_fingerprint, hash = b.hash, scope = b.scope
       from tool_calls b where a.tenant_id = $1 and b.tenant_id = $1 and a.seq in (2, 3) and b.seq = 5 - a.seq`,
      2,
      'row_changed',
    ],
    [
      'a row too many',
      `insert into tool_calls (tenant_id, seq, at, tool, decision, status, latency_ms, request_id, hash)
       select tenant_id, 5, at, tool, decision, status, latency_ms, request_id, hash from tool_calls
       where tenant_id = $1 and seq = 4`,
      5,
      'end_changed',
    ],
  ])('reports %s', async (_, statement, first_invalid, fault) => {
    await call('list_tiers');
    await call('get_recipe', { template_id: randomUUID() });
    await call('list_regions');
    await call('list_tiers');
    expect(await verify()).toMatchObject({ valid: true, checked: 4 });
    await change(statement);
    expect(await verify()).toMatchObject({ valid: false, checked: first_invalid - 1, first_invalid, fault });
  });

  it.each([
    `tool = 'get_recipe'`,
    `scope = 'recipes:read'`,
    `decision = 'denied', reason = 'role'`,
    'status = status + 1',
    'latency_ms = latency_ms + 1',
    'key_id = null',
    'user_id = gen_random_uuid()',
    `client_name = 'another'`,
    `client_version = '1.3'`,
    'arguments_fingerprint = null',
    `request_id = 'another'`,
  ])('reports a row with %s', async (change_made) => {
    await call('list_tiers');
    await change(`update tool_calls set ${change_made} where tenant_id = $1`);
    expect(await verify()).toMatchObject({ valid: false, first_invalid: 1, fault: 'row_changed' });
  });

  it('reports a changed reason of a denied call', async () => {
    await call('drop_database');
    await change(`update tool_calls set reason = 'scope' where tenant_id = $1 and decision = 'denied'`);
    expect(await verify()).toMatchObject({ valid: false, first_invalid: 1, fault: 'row_changed' });
  });

  it('still reports a cut end after further calls', async () => {
    await times(3, () => call('list_tiers'));
    await change(
      `delete from tool_calls where tenant_id = $1 and seq = 3;
       update chain_heads set sealed = sealed || '\\x00' where tenant_id = $1 and chain = 'tool_calls'`,
    );
    // Only one process saw the third call.
    await call('list_tiers', {}, copy.anonymous.with({ 'x-api-key': tenant.key }));
    await times(2, () => call('list_tiers'));
    expect(await verify()).toMatchObject({ valid: false, checked: 5, fault: 'end_changed' });
  });

  it('reports a reset end in the process that saw the newer one', async () => {
    await times(2, () => call('list_tiers'));
    const [old] = await service.database.query<{ sealed: Buffer }>(HEAD, [tenant.tenant_id]);
    await call('list_tiers');
    await change('delete from tool_calls where tenant_id = $1 and seq = 3');
    await setHead(old?.sealed);
    await call('list_tiers');
    expect(await verify()).toMatchObject({ valid: false, fault: 'end_changed' });
  });

  it('reports a row that replaced another with its number', async () => {
    const { db, keyring, log } = service.service.services;
    const read = async (text: string) =>
      (await service.database.query<{ row: object }>(text, [tenant.tenant_id]))[0]?.row;
    await call('list_tiers');
    const [head] = await service.database.query<{ sealed: Buffer }>(HEAD, [tenant.tenant_id]);
    await call('list_regions');
    const second = await read('select to_jsonb(t) as row from tool_calls t where tenant_id = $1 and seq = 2');
    const dropSecond = 'delete from tool_calls where tenant_id = $1 and seq = 2';
    await change(dropSecond);
    await setHead(head?.sealed);
    // A new log cannot know that there were two calls.
    await new ToolCallLog(db, keyring, log).append(tenant.tenant_id, aCall());
    expect(await verify()).toMatchObject({ valid: true, checked: 2 });
    await change(dropSecond);
    const text = 'insert into tool_calls select r.* from jsonb_populate_record(null::tool_calls, $1) as r';
    await service.database.query(text, [second]);
    expect(await verify()).toMatchObject({ valid: false, checked: 2, fault: 'end_changed' });
  });

  it('is protected from the service’s own roles', async () => {
    await call('list_tiers');
    const { db } = service.service.services;
    const statements = [
      'update tool_calls set status = 1',
      'delete from chain_heads',
      'update chain_heads set tenant_id = gen_random_uuid(), chain = chain',
    ];
    for (const q of [db.tenant(tenant.tenant_id), db.system]) {
      for (const text of statements) await refused(q, text);
    }
    // Retention deletes in the system scope.
    await refused(db.tenant(tenant.tenant_id), 'delete from tool_calls');
  });
});

const aCall = () => toolCallAt(service.clock.now());

/** With access to the database but without the key. */
async function change(statements: string): Promise<void> {
  for (const text of statements.split(';')) await service.database.query(text, [tenant.tenant_id]);
}

const refused = (q: TenantDb | SystemDb, text: string) =>
  expect(q.run(rawSql(text)), text).rejects.toThrow(/permission denied|row-level security/);

const HEAD = `select sealed from chain_heads where tenant_id = $1 and chain = 'tool_calls'`;

const setHead = (sealed: Buffer | undefined) =>
  service.database.query(`update chain_heads set sealed = $2 where tenant_id = $1 and chain = 'tool_calls'`, [
    tenant.tenant_id,
    sealed,
  ]);
