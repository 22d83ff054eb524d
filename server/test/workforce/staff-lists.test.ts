import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';

interface Page {
  staff: Staff[];
  total: number;
}

const DAY_MS = 86_400_000;
/** The tests run within one day of every time zone; 20:00 of the day before in Pago Pago. */
const START_MS = Date.parse('2026-03-10T07:00:00Z');
const started = performance.now();
const now = () => new Date(START_MS + performance.now() - started);
const inDays = (count: number) => new Date(START_MS + count * DAY_MS).toISOString().slice(0, 10);
const certified = (name: string, days: number) => ({
  name,
  certifications: [{ type: 'crane', expires_at: inDays(days) }],
});

let service: TestService;
let tenant: TestTenant;
let admin: Client;
let crew: Crew;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false, clock: now });
});
afterAll(() => service.stop());
beforeEach(async () => {
  tenant = await service.createTenant();
  admin = await service.login(tenant.admin_email);
  crew = await Crew.gather(service, tenant);
  await tenant.api.patch(crew.customer_path, { company_name: 'Harbour' });
});

const namesOf = ({ body, status }: { body: Page; status: number }) => {
  expect(status).toBe(200);
  return { names: body.staff.map(({ name }) => name), total: body.total };
};

describe.each(['the tenant’s', 'an instance’s'])('%s list of staff', (whose) => {
  const list = async (query: string) =>
    namesOf(
      whose === 'an instance’s'
        ? await service.operations.get<Page>(crew.staffPath(`?${query}`))
        : await admin.get<Page>(`${crew.customer_path}/staff?${query}`),
    );

  it('finds by a part of the name, the e-mail address or the external id, with the other filters', async () => {
    await crew.add({ name: 'Ada Ölund', email: 'ada@example.com', skills: ['crane'] });
    await crew.add({ name: 'Bea', email: 'bea@harbour.example', skills: ['crane'] });
    await crew.add({ name: 'Cid', external_id: 'E-1042' });
    for (const [query, names] of [
      ['search=ÖLUND', ['Ada Ölund']],
      ['search=EXAMPLE', ['Ada Ölund', 'Bea']],
      ['search=e-10', ['Cid']],
      ['search=example&skills=crane&sort_by=name&sort_dir=desc', ['Bea', 'Ada Ölund']],
      ['search=e-10&skills=crane', []],
      ['search=%25', []],
      ['search=', ['Ada Ölund', 'Bea', 'Cid']],
    ] as const) {
      expect(await list(query), query).toEqual({ names, total: names.length });
    }
    expect(await list('search=example&per_page=1&page=2')).toEqual({ names: ['Bea'], total: 2 });
    expect(await list('search=example&per_page=1&page=3')).toEqual({ names: [], total: 2 });
  });

  it('is ordered by name, tier or creation', async () => {
    for (const [name, tier] of [
      ['Bea', 1],
      ['Ada', 3],
      ['Cid', 3],
    ] as const)
      await crew.add({ name, tier });
    for (const [query, names] of [
      ['', ['Ada', 'Bea', 'Cid']],
      ['sort_dir=desc', ['Cid', 'Bea', 'Ada']],
      ['sort_by=tier', ['Bea', 'Ada', 'Cid']],
      ['sort_by=tier&sort_dir=desc', ['Ada', 'Cid', 'Bea']],
      ['sort_by=created_at', ['Cid', 'Ada', 'Bea']],
      ['sort_by=created_at&sort_dir=asc', ['Bea', 'Ada', 'Cid']],
      ['sort_by=tier&per_page=1&page=2', ['Ada']],
    ] as const) {
      expect(await list(query), query).toEqual({ names, total: 3 });
    }
  });
});

it('refuses an unknown order', async () => {
  expect((await admin.get(`${crew.customer_path}/staff?sort_by=phone&sort_dir=up`)).body).toMatchObject({
    detail: [
      { loc: ['query', 'sort_by'], type: 'literal_error' },
      { loc: ['query', 'sort_dir'], type: 'literal_error' },
    ],
  });
});

it('names the customer of a record, except to runtimes', async () => {
  const path = `${crew.customer_path}/staff`;
  const made = await tenant.api.post<Staff>(path, { name: 'Ada' });
  expect(made.body.customer_name).toBe('Harbour');
  const one = `${path}/${made.body.id}`;
  expect((await tenant.api.get(one)).body).toEqual(made.body);
  expect((await tenant.api.patch(one, { tier: 2 })).body).toMatchObject({ customer_name: 'Harbour' });
  expect((await admin.get<Page>(path)).body.staff).toMatchObject([{ customer_name: 'Harbour' }]);
  const key = await service.createKey(tenant.tenant_id, { role: 'admin', scopes: ['staff:read'] });
  const reader = service.anonymous.with({ 'x-api-key': key });
  expect((await reader.get(one)).body).toMatchObject({ customer_name: 'Harbour' });
  for (const internal of [`${crew.path}/staff/${made.body.id}`, crew.staffPath()]) {
    expect((await service.operations.get(internal)).text).not.toContain('customer_name');
  }
});

const expiring = async (path: string) => {
  const { status, body } = await tenant.api.get<Staff[]>(path);
  expect(status).toBe(200);
  return body;
};

describe('expiring certifications', () => {
  it('are listed of one customer and of all, soonest first', async () => {
    const other = await Crew.gather(service, tenant);
    await crew.add(certified('Ada', 20));
    await other.add(certified('Bea', 10));
    await crew.add(certified('Cid', 60));
    await crew.add(certified('Dan', -2));
    const gone = await crew.add(certified('Eve', 5));
    await crew.change(gone, { status: 'terminated' });
    const stranger = await Crew.gather(service, await service.createTenant());
    await stranger.add(certified('Mallory', 1));
    const all = await expiring('/v1/staff/expiring-certs');
    expect(all).toMatchObject([
      { name: 'Bea', customer_name: null },
      { name: 'Ada', customer_name: 'Harbour', expiring_certifications: [{ type: 'crane', days_left: 20 }] },
    ]);
    const names = async (path: string) => (await expiring(path)).map(({ name }) => name);
    expect(await names('/v1/staff/expiring-certs?within_days=90')).toEqual(['Bea', 'Ada', 'Cid']);
    expect(await names('/v1/staff/expiring-certs?within_days=90&per_page=1&page=2')).toEqual(['Ada']);
    expect(await names(`${crew.customer_path}/staff/expiring-certs?within_days=60`)).toEqual(['Ada', 'Cid']);
    expect((await tenant.api.get(`${stranger.customer_path}/staff/expiring-certs`)).text).toBe(
      '{"detail":"Customer not found"}',
    );
    expect((await tenant.api.get('/v1/staff/expiring-certs?within_days=0')).status).toBe(422);
  });

  it('include those whose day is still to end in the customer’s time zone', async () => {
    const west = await Crew.gather(service, tenant, 'Pacific/Pago_Pago');
    const here = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Pago_Pago' }).format(now());
    await west.add({ name: 'Ada', certifications: [{ type: 'crane', expires_at: here }] });
    expect(await expiring('/v1/staff/expiring-certs?within_days=1')).toMatchObject([
      { name: 'Ada', expiring_certifications: [{ days_left: 0 }] },
    ]);
  });
});
