import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeTable, toolCallTable } from '../../src/audit/chain-table.ts';
import { verifyChain } from '../../src/audit/chain-verification.ts';
import { chainChanges } from '../../src/audit/changes.ts';
import { deleteChainedBefore } from '../../src/audit/retention.ts';
import { ToolCallLog } from '../../src/audit/tool-call-log.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { toolCallAt } from '../support/tool-calls.ts';

const TABLES = { tool_calls: 'tool_calls', changes: 'audit_changes' } as const;
const DAY_MS = 24 * 60 * 60_000;

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await sharedService('idle');
});
beforeEach(async () => {
  tenant = await service.createTenant();
});

const own = () => service.service.services.db.tenant(tenant.tenant_id);
const change = (text: string) => service.database.query(text, [tenant.tenant_id]);

describe.each([toolCallTable, changeTable])('the chain of $name', (table) => {
  /** More than a batch; the last three rows are a day younger. */
  async function fill(): Promise<Date> {
    const { db, keyring, log } = service.service.services;
    const old = service.clock.now();
    const young = new Date(old.getTime() + DAY_MS);
    const times = Array.from({ length: 523 }, (_, i) => (i < 520 ? old : young));
    if (table.name === 'tool_calls') {
      const calls = new ToolCallLog(db, keyring, log);
      await Promise.all(times.map((at) => calls.append(tenant.tenant_id, toolCallAt(at))));
    } else {
      await service.database.query(
        `insert into audit_changes (tenant_id, change_id, at, actor_kind, operation, request_id, status)
         select $1, gen_random_uuid(), at, 'operations', 'test', 'test', 200
         from unnest($2::timestamptz[]) with ordinality as t (at, nth) order by nth`,
        [tenant.tenant_id, times.map((at) => at.toISOString())],
      );
      await chainChanges({ keyring, log }, own());
    }
    return young;
  }

  const verify = () => verifyChain(service.service.services.keyring, own(), table);
  const trim = async (time: Date) => {
    const some = () => deleteChainedBefore(service.service.services, table, tenant.tenant_id, time);
    return (await some()) + (await some());
  };

  it('loses old rows and is verified from the checkpoint', async () => {
    const young = await fill();
    expect(await verify()).toMatchObject({ valid: true, checked: 523 });
    expect(await trim(young)).toBe(520);
    const verified = await verify();
    expect(verified).toMatchObject({ valid: true, checked: 3 });
    expect(await trim(young)).toBe(0);
    await change(`update ${TABLES[table.name]} set status = 299 where tenant_id = $1`);
    expect(await verify()).toMatchObject({
      valid: false,
      checked: 0,
      first_invalid: 521,
      fault: 'row_changed',
    });
  });

  it('reports rows that reappear before the checkpoint', async () => {
    const young = await fill();
    const [first] = await service.database.query<{ row: object }>(
      `select to_jsonb(r) as row from ${TABLES[table.name]} r where tenant_id = $1 limit 1`,
      [tenant.tenant_id],
    );
    expect(await trim(new Date(young.getTime() + 1))).toBe(523);
    expect(await verify()).toMatchObject({ valid: true, checked: 0 });
    await service.database.query(
      `insert into ${TABLES[table.name]} overriding system value
       select r.* from jsonb_populate_record(null::${TABLES[table.name]}, $1) as r`,
      [first?.row],
    );
    expect(await verify()).toMatchObject({ valid: false, fault: 'end_changed' });
  });

  it('keeps rows that do not verify', async () => {
    const young = await fill();
    const place = table.name === 'tool_calls' ? 'seq' : 'place';
    await change(`update ${TABLES[table.name]} set status = 299 where tenant_id = $1 and ${place} = 3`);
    expect(await trim(young)).toBe(2);
    expect(await trim(young)).toBe(0);
    expect(await verify()).toMatchObject({ valid: false, checked: 0, first_invalid: 3 });
  });
});
