import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';
import { holdStaff, shrinkStaffChunks, staffFaults } from '../support/staff-faults.ts';

let now = new Date('2026-03-29T00:00:00.000Z');
let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService({ clock: () => now });
  tenant = await service.createTenant();
  await shrinkStaffChunks(service.database);
});
afterAll(() => service.stop());

async function hold() {
  const holder = await holdStaff(service.database);
  onTestFinished(() => holder.release());
  return holder;
}

describe('of many writers', () => {
  it('none loses or doubles anybody', async () => {
    const crew = await Crew.gather(service, tenant);
    const skills = ['x', 'y', 'z'];
    const write = async (writer: number) => {
      const staff = Array.from({ length: 12 }, (_, n) => ({ name: `P${n} ${writer}`, skills }));
      await service.operations.post(crew.staffPath('/import'), { staff });
      const person = await crew.add({ name: `Q${writer}`, skills });
      await crew.change(person, { name: `A${writer}`, skills: ['x', 'y'], status: 'on_leave' });
      return crew.names('skills=x,y&per_page=200');
    };
    const seen = await Promise.all(Array.from({ length: 12 }, (_, writer) => write(writer)));
    for (const [writer, names] of seen.entries()) {
      expect(new Set(names).size).toBe(names.length);
      // Of its own, everything: it was answered before.
      expect(names.filter((name) => new RegExp(`^(P\\d+ |A)${writer}$`).test(name))).toHaveLength(13);
    }
    await crew.add({ name: 'Zoe' });
    expect(await crew.names('skills=z&per_page=200')).toHaveLength(144);
    expect(await crew.names('skills=x,y&status=on_leave')).toHaveLength(12);
    expect(await staffFaults(service.database)).toEqual([]);
  });

  it('one waits for another when there is much to look at one by one', async () => {
    const crew = await Crew.gather(service, tenant);
    await crew.add({ name: 'Ada' });
    const holder = await hold();
    const staff = Array.from({ length: 200 }, (_, n) => ({ name: `P${n}` }));
    const add = () => service.operations.post(crew.staffPath('/import'), { staff });
    for (let i = 0; i < 4; i++) expect((await add()).status).toBe(200);
    const last = add();
    const { body } = await service.operations.get<{ total: number }>(crew.staffPath());
    expect(body.total).toBe(801);
    await holder.release();
    expect((await last).status).toBe(200);
    expect(await staffFaults(service.database)).toEqual([]);
  });
});

it('moves with the customer’s time zone', async () => {
  const crew = await Crew.gather(service, tenant, 'Europe/Berlin');
  now = new Date('2026-03-28T23:30:00Z');
  await crew.add({ name: 'Ada', certifications: [{ type: 'C', expires_at: '2026-03-28' }] });
  expect(await crew.names('cert_type=C')).toEqual([]);
  await service.database.query(`update customers set timezone = 'America/New_York' where id = $1`, [
    crew.instance.customer_id,
  ]);
  expect(await crew.names('cert_type=C')).toEqual(['Ada']);
  expect(await staffFaults(service.database)).toEqual([]);
});

it('tells by the clock what has ended, to the millisecond, whenever it was filed', async () => {
  const crew = await Crew.gather(service, tenant, 'Europe/Berlin');
  const end = Date.parse('2026-03-28T23:00:00Z');
  await crew.add({ name: 'Ada', skills: ['s'], certifications: [{ type: 'C', expires_at: '2026-03-28' }] });
  // Settled on either side, then with the bits out of reach.
  for (const settled of [end - 600_000, end + 600_000]) {
    now = new Date(settled - 86_400_000);
    await crew.names('');
    now = new Date(settled);
    await crew.names('');
    const holder = await hold();
    for (const [moment, names] of [
      [end - 1, ['Ada']],
      [end, []],
      [end + 1, []],
    ] as const) {
      now = new Date(moment);
      expect(await crew.names('cert_type=C')).toEqual(names);
      // A skill that is asked for twice is asked for.
      expect(await crew.names('cert_type=C&skills=s,S')).toEqual(names);
    }
    await holder.release();
  }
});

it('forgets who was deleted', async () => {
  const crew = await Crew.gather(service, tenant);
  const people: Staff[] = [];
  for (const name of ['Ada', 'Bea', 'Cid']) people.push(await crew.add({ name, skills: ['s'] }));
  const remove = (index: number) =>
    service.database.query('delete from staff where id = $1', [people[index]?.id]);
  await remove(0);
  expect(await crew.names('skills=s')).toEqual(['Bea', 'Cid']);
  const holder = await hold();
  await remove(2);
  expect(await crew.names('skills=s')).toEqual(['Bea']);
  await holder.release();
  await crew.add({ name: 'Zoe' });
  expect(await staffFaults(service.database)).toEqual([]);
});

it('tells letters of other alphabets apart from nothing but their case', async () => {
  const crew = await Crew.gather(service, tenant);
  await crew.add({ name: 'Ada', skills: ['Übung'] });
  await crew.add({ name: 'Bea', skills: ['ubung'] });
  expect(await crew.names(`skills=${encodeURIComponent('ÜBUNG')}`)).toEqual(['Ada']);
});
