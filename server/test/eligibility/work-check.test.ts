import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';

const work = { site: 'Pier 4', starts_at: '2030-05-01T08:00:00Z', ends_at: '2030-05-01T16:00:00Z' };
const crane = (expires_at: string) => [{ type: 'crane', expires_at }];

let service: TestService;
let tenant: TestTenant;
let crew: Crew;
let cal: Staff;

beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
});
beforeEach(async () => {
  crew = await Crew.gather(service, tenant);
  cal = await crew.add({ name: 'Cal', certifications: crane('2030-05-01') });
  const demands = [{ kind: 'certification', value: 'crane' }, { kind: 'on_shift' }];
  await tenant.api.put(`${crew.customer_path}/requirements/pier`, { site: 'pier 4', demands });
});

const shifts = () => `${crew.customer_path}/shifts`;
const add = (body: object) =>
  tenant.api.post<{ id: string }>(shifts(), { person_id: cal.id, ...work, ...body });
const count = async () => (await tenant.api.get<{ total: number }>(shifts())).body.total;

describe('a shift', () => {
  it('is judged with itself, only where that is asked', async () => {
    expect((await add({ check: 'require' })).body).toMatchObject({
      eligibility: { eligible: true, reasons: [] },
    });
    expect((await add({})).body).not.toHaveProperty('eligibility');
    const late = await add({ ends_at: '2030-05-02T01:00:00Z', check: 'report' });
    expect(late).toMatchObject({
      status: 201,
      body: { eligibility: { eligible: false, reasons: [{ code: 'certification_expires_during' }] } },
    });
    expect((await add({ check: 'maybe' })).status).toBe(422);
  });

  it('is refused with the reasons, and nothing is written', async () => {
    const refused = await add({ ends_at: '2030-05-02T01:00:00Z', check: 'require' });
    expect(refused).toMatchObject({
      status: 409,
      body: { reasons: [{ code: 'certification_expires_during', value: 'crane' }] },
    });
    expect(await count()).toBe(0);
    const changes = await tenant.api.get<{ items: { operation: string; resource_id: string }[] }>(
      '/v1/audit/changes',
    );
    expect(
      changes.body.items
        .filter(({ resource_id }) => resource_id === crew.instance.customer_id)
        .map(({ operation }) => operation),
    ).not.toContain('create_shift');
    const unknown = await add({ site: 'Moon', check: 'require' });
    expect(unknown).toMatchObject({ status: 409, body: { reasons: [] } });
  });

  it('is judged as a change would leave it', async () => {
    const { body } = await add({});
    const change = (changes: object) => tenant.api.patch(`${shifts()}/${body.id}`, changes);
    expect((await change({ ends_at: '2030-05-02T01:00:00Z', check: 'require' })).status).toBe(409);
    expect((await change({ check: 'report' })).body).toMatchObject({
      ends_at: '2030-05-01T16:00:00.000Z',
      eligibility: { eligible: true },
    });
    const bob = await crew.add({ name: 'Bob' });
    expect((await change({ person_id: bob.id, check: 'require' })).status).toBe(409);
    expect((await change({ person_id: bob.id, check: 'report' })).body).toMatchObject({
      person_name: 'Bob',
      eligibility: { eligible: false },
    });
  });

  it('and a change of the record do not pass each other', async () => {
    for (let round = 0; round < 10; round++) {
      const person = await crew.add({ name: `P${round}`, certifications: crane('2030-05-01') });
      const body = { person_id: person.id, ...work, check: 'require' };
      const [made, , other] = await Promise.all([
        tenant.api.post(shifts(), body),
        crew.change(person, { certifications: crane('2020-01-01') }),
        tenant.api.post(shifts(), body),
      ]);
      for (const { status } of [made, other]) expect([201, 409]).toContain(status);
      expect((await tenant.api.post(shifts(), body)).status).toBe(409);
    }
  });
});

describe('an assignment', () => {
  it('without an end is judged for the day of its start', async () => {
    const add = (body: object) =>
      tenant.api.post(`${crew.customer_path}/assignments`, {
        person_id: cal.id,
        site: 'Tower',
        check: 'require',
        ...body,
      });
    await tenant.api.put(`${crew.customer_path}/requirements/tower`, {
      site: 'Tower',
      demands: [{ kind: 'certification', value: 'crane' }, { kind: 'assigned' }],
    });
    expect((await add({ starts_at: '2030-05-01T08:00:00Z' })).status).toBe(201);
    expect((await add({ starts_at: '2030-05-02T08:00:00Z' })).status).toBe(409);
    expect((await add({})).status).toBe(201);
  });
});
