import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toolCallTable } from '../../src/audit/chain-table.ts';
import { verifyChain } from '../../src/audit/chain-verification.ts';
import { ToolCallLog } from '../../src/audit/tool-call-log.ts';
import type { Log } from '../../src/platform/ports.ts';
import { withConnection } from '../support/connection.ts';
import { rawSql } from '../support/raw-sql.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { toolCallAt } from '../support/tool-calls.ts';

const TENANTS = 8;
const HEADERS = { accept: 'application/json, text/event-stream' };
const master_key = randomBytes(32);

let service: TestService;
let copy: TestService;
let tenants: TestTenant[];
/** Belongs to a process that has just started. */
let record: ToolCallLog;
let warnings: string[];

beforeAll(async () => {
  service = await startTestService({ databaseWaits: PATIENT_WAITS, runsJobs: false, master_key });
  copy = await startTestService({
    databaseWaits: PATIENT_WAITS,
    runsJobs: false,
    master_key,
    database: service.database,
  });
});
beforeEach(async () => {
  tenants = await Promise.all(Array.from({ length: TENANTS }, () => service.createTenant()));
  warnings = [];
  record = newRecord();
});
afterAll(async () => {
  await copy.service.stop();
  await service.stop();
});

function newRecord(of = service): ToolCallLog {
  const { db, keyring } = of.service.services;
  const log: Log = { info: () => {}, warn: (_, message) => void warnings.push(message), error: () => {} };
  return new ToolCallLog(db, keyring, log);
}

const aCall = () => toolCallAt(service.clock.now());

/** One call per tenant, concurrently. */
const appendAll = (to: ToolCallLog, of: readonly TestTenant[] = tenants) =>
  Promise.all(of.map(({ tenant_id }) => to.append(tenant_id, aCall())));

const verify = ({ tenant_id }: TestTenant, { service: { services } }: TestService = service) =>
  verifyChain(services.keyring, services.db.tenant(tenant_id), toolCallTable);

const expectWhole = async (of: readonly TestTenant[], checked: number) => {
  for (const tenant of of) expect(await verify(tenant)).toMatchObject({ valid: true, checked });
};

async function transactionsOf(seq: number, of: readonly TestTenant[]): Promise<number> {
  const [row] = await service.database.query<{ count: number }>(
    `select count(distinct xmin::text)::int as count from tool_calls where seq = $1 and tenant_id = any ($2)`,
    [seq, of.map(({ tenant_id }) => tenant_id)],
  );
  return row?.count ?? 0;
}

function one(): { it: TestTenant; others: TestTenant[] } {
  const [it, ...others] = tenants;
  return { it: it as TestTenant, others };
}

describe('calls of several tenants', () => {
  it('share a transaction when they arrive together', async () => {
    await appendAll(record);
    await appendAll(record);
    expect(await transactionsOf(1, tenants)).toBe(TENANTS);
    expect(await transactionsOf(2, tenants)).toBe(1);
    await expectWhole(tenants, 2);
  });

  it('are all stored when two processes write concurrently', async () => {
    const each = 12;
    const clients = tenants.flatMap(({ api, key }) => [api, copy.anonymous.with({ 'x-api-key': key })]);
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_tiers' } };
    const answers = await Promise.all(
      Array.from({ length: each / 2 }, () => clients)
        .flat()
        .map((client) => client.request<{ error?: object }>('POST', '/v1/mcp', { json, headers: HEADERS })),
    );
    expect(answers.filter(({ status, body }) => status !== 200 || body.error)).toEqual([]);
    const requests = answers.map(({ headers }) => headers.get('x-request-id') ?? '');
    const rows = await service.database.query<{ request_id: string }>(
      'select request_id from tool_calls where tenant_id = any ($1)',
      [tenants.map(({ tenant_id }) => tenant_id)],
    );
    expect(rows.map(({ request_id }) => request_id).toSorted()).toEqual(requests.toSorted());
    await expectWhole(tenants, each);
  });

  it('are stored by two processes that append to the same heads', async () => {
    const other = newRecord(copy);
    await appendAll(record);
    await appendAll(other);
    for (let round = 0; round < 10; round++) {
      await Promise.all([appendAll(record), appendAll(other, tenants.toReversed())]);
    }
    await expectWhole(tenants, 22);
    expect(warnings).toEqual([]);
  });
});

describe('one tenant among several', () => {
  beforeEach(() => appendAll(record));

  it('with a locked chain delays only its own calls', async () => {
    const { it: held, others } = one();
    await withConnection(service.database.url, async (holder) => {
      await holder.query('begin');
      await holder.query(`select from chain_heads where tenant_id = $1 and chain = 'tool_calls' for update`, [
        held.tenant_id,
      ]);
      const late = record.append(held.tenant_id, aCall());
      await appendAll(record, others);
      await appendAll(record, others);
      expect(await verify(held)).toMatchObject({ valid: true, checked: 1 });
      await holder.query('rollback');
      await late;
    });
    await expectWhole([held], 2);
    await expectWhole(others, 3);
  });

  it('with refused rows fails alone', async () => {
    const { it: refused, others } = one();
    await service.database.query(
      `alter table tool_calls add constraint refused check (tenant_id <> '${refused.tenant_id}') not valid`,
    );
    const appendEach = () =>
      Promise.allSettled(tenants.map(({ tenant_id }) => record.append(tenant_id, aCall())));
    for (let round = 0; round < 3; round++) {
      const [first, ...rest] = await appendEach();
      expect(first).toMatchObject({ status: 'rejected', reason: { constraint: 'refused' } });
      expect(rest.filter(({ status }) => status === 'rejected')).toEqual([]);
    }
    expect(warnings).toHaveLength(1);
    expect(await transactionsOf(2, others)).toBe(others.length);
    expect(await transactionsOf(3, others)).toBe(1);
    await service.database.query('alter table tool_calls drop constraint refused');
    await appendAll(record);
    await expectWhole([refused], 2);
    await expectWhole(others, 5);
  });

  it.each([
    ['that saw the end', () => record],
    ['that has just started', newRecord],
  ])('with a deleted end stays broken in a process %s', async (_, recordOf) => {
    const { it: lost, others } = one();
    await appendAll(record);
    await service.database.query('delete from chain_heads where tenant_id = $1', [lost.tenant_id]);
    const to = recordOf();
    await appendAll(to);
    await appendAll(to);
    expect(await verify(lost)).toMatchObject({ valid: false, checked: 4, fault: 'end_changed' });
    await expectWhole(others, 4);
    expect(warnings).toEqual([]);
  });

  it('with a deleted record stays broken in a process that saw it', async () => {
    const { it: lost, others } = one();
    for (const table of ['tool_calls', 'chain_heads']) {
      await service.database.query(`delete from ${table} where tenant_id = $1`, [lost.tenant_id]);
    }
    await appendAll(record);
    expect(await verify(lost)).toMatchObject({ valid: false, checked: 1, fault: 'end_changed' });
    await expectWhole(others, 2);
  });
});

it('the writing role can neither reassign nor delete a head', async () => {
  await appendAll(record);
  const { system } = service.service.services.db;
  for (const text of [
    'update chain_heads set tenant_id = gen_random_uuid()',
    `update chain_heads set chain = 'changes'`,
    'delete from chain_heads',
  ]) {
    const attempt = system.run(rawSql(text));
    await expect(attempt).rejects.toThrow('permission denied');
  }
});
