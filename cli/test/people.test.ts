import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertInstance, type TestInstance } from '../../server/test/support/instances.ts';
import { OPERATIONS_TOKEN, PASSWORD } from '../../server/test/support/service.ts';
import { linesOf, type Outcome, type Workplace } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

const OPS = 'ops@example.com';
const OWN_ID = /[0-9a-f]{8}-\S{27}/;

let bench: CliBench;
let work: Workplace;
let admin: Workplace;
/** With the operations token beside the key. */
let operator: Workplace;
beforeAll(async () => {
  bench = await startCliBench();
  ({ work } = bench);
  await work.run('customers', 'create', '--email', OPS);
  admin = work.with({ ACP_API_KEY: '' });
  operator = work.with({ ACP_OPERATIONS_TOKEN: OPERATIONS_TOKEN });
});
afterAll(() => bench.stop());

const idIn = ({ stdout }: Outcome): string => OWN_ID.exec(stdout)?.[0] ?? '';

const personNamed = async (name: string, ...flags: string[]): Promise<string> =>
  idIn(await work.run('staff', 'add', OPS, '--name', name, ...flags));

async function agent(): Promise<TestInstance> {
  const { id } = await work.json('customers', 'get', OPS);
  return insertInstance(bench.service, bench.tenant.tenant_id, { customer_id: String(id) });
}

describe('staff', () => {
  it('is added, shown, changed and erased with a key and an id', async () => {
    const certificates = ['--certification', 'first_aid:2030-01-31', '--certification', 'crane'];
    const id = await personNamed('Cy', '--skill', 'forklift', '--tier', '2', ...certificates);
    expect(await work.json('staff', 'show', OPS, id)).toMatchObject({
      name: 'Cy',
      skills: ['forklift'],
      tier: 2,
      certifications: [{ type: 'first_aid', expires_at: '2030-01-31' }, 'crane'],
    });
    expect((await work.run('staff', 'update', OPS, id)).code).toBe(2);
    await work.run('staff', 'update', OPS, id, '--skill', '', '--status', 'terminated', '--phone', '');
    expect(await work.json('staff', 'show', OPS, id)).toMatchObject({ skills: [], status: 'terminated' });
    expect(await work.run('staff', 'remove', OPS, id)).toMatchObject({ code: 0, stdout: '' });
    expect((await work.run('staff', 'show', OPS, id)).code).toBe(4);
  });

  it('is listed, imported and named with an admin’s login alone', async () => {
    const refused = await work.run('staff', 'list', OPS);
    expect([refused.code, refused.stderr]).toEqual([
      3,
      'error: this takes the login of an admin, and no API key\n' +
        'hint: sign in with "agentctl login", and unset ACP_API_KEY, which overrides it\n',
    ]);
    const email = bench.tenant.admin_email;
    await admin.given(PASSWORD, 'login', '--email', email, '--password-stdin');

    const csv = [
      '\uFEFFname,role,skills,certifications,inductions,tier,external_id',
      '"Silva, Ana",,forklift; crane,first_aid:2030-01-31; licence C,Pier 4,3,E-1',
      '',
      'Ben Okafor,contractor,,,,,E-2',
      'Cat,pilot,,,,high,',
    ].join('\r\n');
    const imported = await admin.given(csv, 'staff', 'import', OPS, '-f', '-', '--csv');
    expect(imported.stdout).toBe('2 added, 0 changed\n');
    expect(linesOf(imported.stderr).slice(1).toSorted()).toEqual([
      expect.stringMatching(/^line 5 \(Cat\): role: /),
      expect.stringMatching(/^line 5 \(Cat\): tier: /),
    ]);
    expect(imported.code).toBe(1);
    expect(await admin.json('staff', 'show', OPS, 'silva, ana')).toMatchObject({
      skills: ['forklift', 'crane'],
      certifications: [{ type: 'first_aid', expires_at: '2030-01-31' }, 'licence C'],
      inductions: ['Pier 4'],
      tier: 3,
    });
    const byText = await admin.run('staff', 'list', OPS, '--search', 'SILVA', '--sort', 'created_at');
    expect(byText.stdout).toMatch(/Silva, Ana/);
    const found = await admin.run('staff', 'list', OPS, '--skills', 'crane');
    expect(found.stdout).toMatch(
      / Silva, Ana +active +employee +3 +forklift, crane +first_aid, licence C +E-1\n$/,
    );
    expect((await admin.run('staff', 'show', OPS, 'Nobody')).code).toBe(4);
  });

  it('is listed with certifications that end soon', async () => {
    const soon = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    await personNamed('Gil', '--certification', `crane:${soon}`);
    for (const customer of [[], [OPS]]) {
      const listed = await work.run('staff', 'expiring', ...customer);
      expect(listed.stdout).toMatch(/ Gil +crane \(10 days\) +ops@example\.com\n$/);
    }
    expect((await work.run('staff', 'expiring', OPS, '--within', '5')).stdout).not.toContain('Gil');
  });

  it('is imported in batches, with errors at their lines', async () => {
    const people = Array.from({ length: 201 }, (_, at) => ({ name: `P${at}`, external_id: `P${at}` }));
    await work.write('people.json', JSON.stringify({ staff: [...people, { name: '' }] }));
    const first = await admin.run('staff', 'import', OPS, '-f', 'people.json');
    expect(first).toMatchObject({ code: 1, stdout: '201 added, 0 changed\n' });
    expect(first.stderr).toMatch(/^item 202 \(\): name: /m);
    await work.write('people.csv', 'external_id,name\nP0,Pia\n');
    expect((await admin.run('staff', 'import', OPS, '-f', 'people.csv')).stdout).toBe('0 added, 1 changed\n');
  });
});

describe('identities', () => {
  it('are added, found by their address, changed and removed', async () => {
    const added = await work.run('identities', 'add', OPS, '+61400000001', '--name', 'Ana', '--verified');
    expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/ is identity \S+\n$/) });
    const listed = await work.run('identities', 'list', OPS, '--address', '61400000001');
    expect(listed.stdout).toMatch(new RegExp(`^${idIn(added)} +chatapp +\\S+ +Ana +yes `, 'm'));
    const update = (...flags: string[]) => work.run('identities', 'update', OPS, '61400000001', ...flags);
    expect((await update()).code).toBe(2);
    expect((await update('--no-verified', '--name', '', '--role', 'owner')).code).toBe(0);
    const { id } = await agent();
    expect(await operator.json('identities', 'lookup', id, '61400000001')).toMatchObject({
      identity_id: idIn(added),
      display_name: null,
      role_override: 'owner',
      verified: false,
    });
    expect((await work.run('identities', 'lookup', id, '61400000001')).code).toBe(3);
    expect((await work.run('identities', 'remove', OPS, '61400000001')).code).toBe(0);
    expect((await work.run('identities', 'remove', OPS, '61400000001')).code).toBe(4);
  });
});

describe('bindings', () => {
  it('are verified with the code that is shown once', async () => {
    const { id: instance } = await agent();
    const ana = await personNamed('Ana');
    const added = await work.run('bindings', 'add', OPS, ana, '61400000002', '--code');
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('shown once') });
    expect(added.stdout).toMatch(/^\d{6}\n$/);
    const verify = (input: string, ...flags: string[]) =>
      operator.given(input, 'bindings', 'verify', instance, '61400000002', ...flags);
    expect(await verify('')).toMatchObject({ code: 1, stderr: expect.stringContaining('--code-stdin') });
    expect((await verify(added.stdout, '--code-stdin')).stdout).toBe('Ana is verified\n');
    const listed = await work.run('bindings', 'list', OPS, ana);
    expect(listed.stdout).toMatch(/ chatapp +61400000002 +verified +yes /);
    expect((await work.run('bindings', 'remove', OPS, ana, idIn(listed))).code).toBe(0);
    expect((await verify(added.stdout, '--code-stdin')).code).toBe(4);
  });

  it('take a yes, a no, or a code from standard input', async () => {
    const { id: instance } = await agent();
    const ben = await personNamed('Ben');
    expect((await work.run('bindings', 'add', OPS, ben, '61400000003')).stdout).toMatch(
      /^61400000003 is bound, unverified: \S+\n$/,
    );
    const rejected = await operator.run('bindings', 'verify', instance, '61400000003', '--answer', 'no');
    expect(rejected).toMatchObject({ code: 0, stdout: 'Ben is rejected\n' });
    await work.given('7788\n', 'bindings', 'add', OPS, ben, '61400000003', '--code-stdin');
    expect(
      await operator.given('7788\n', 'bindings', 'verify', instance, '61400000003', '--code-stdin'),
    ).toMatchObject({ code: 0, stdout: 'Ben is verified\n' });
  });
});

describe('pins', () => {
  it('are set from standard input, shown without the PIN, and removed', async () => {
    const set = await work.given('246810\n', 'pins', 'set', OPS);
    expect(set).toMatchObject({ code: 0, stdout: `the PIN of ${OPS} is set\n` });
    expect(await work.json('pins', 'status', OPS)).toMatchObject({ has_pin: true, is_locked: false });
    expect((await work.given('24', 'pins', 'set', OPS)).code).toBe(2);
    expect((await work.given('', 'pins', 'set', OPS)).stderr).toContain('standard input has no PIN');
    expect((await work.run('pins', 'remove', OPS)).code).toBe(0);
    expect(await work.json('pins', 'status', OPS)).toMatchObject({ has_pin: false });
  });

  it('of senders are reset by their address', async () => {
    await work.run('identities', 'add', OPS, '61400000004');
    expect(await work.run('pins', 'reset', OPS, '61400000004')).toMatchObject({ code: 0, stdout: '' });
  });

  it('are required by a policy that is shown and changed', async () => {
    const { id } = await agent();
    const set = (...flags: string[]) => work.run('pins', 'policy', 'set', id, ...flags);
    expect((await set()).code).toBe(2);
    await set('--skill', 'timesheet', '--skill', 'worker_shifts', '--session-minutes', '5', '--enforced');
    const policy = { pin_applies_to: 'all', pin_session_ttl_minutes: 5, enforced: true };
    expect(await work.json('pins', 'policy', 'show', id)).toMatchObject({
      ...policy,
      pin_required_skills: ['timesheet', 'worker_shifts'],
    });
    await set('--skill', '', '--no-enforced');
    expect(await work.json('pins', 'policy', 'show', id)).toMatchObject({
      pin_required_skills: [],
      enforced: false,
    });
  });
});

describe('shifts and timesheets', () => {
  it('are created, submitted and decided', async () => {
    const { id: instance } = await agent();
    const dee = await personNamed('Dee');
    const when = ['--from', '2030-01-07T22:00:00Z', '--to', '2030-01-08T06:00:00Z'];
    const shift = await work.run('shifts', 'add', OPS, dee, ...when, '--site', 'Pier 4');
    expect(shift.stdout).toMatch(/^shift \S+ begins 2030-01-07 22:00:00Z\n$/);
    expect((await work.run('shifts', 'list', OPS, '--person', dee)).stdout).toMatch(/ Pier 4 .*scheduled\n$/);

    await work.run('bindings', 'add', OPS, dee, '61400000005');
    await operator.run('bindings', 'verify', instance, '61400000005');
    const who = 'channel_type=chatapp&channel_address=61400000005';
    const hours = { date: '2026-11-20', hours: 7.5 };
    await bench.service.operations.post(
      `/internal/v1/instances/${instance}/worker/me/timesheet?${who}`,
      hours,
    );
    const listed = await work.run('timesheets', 'list', OPS, '--status', 'submitted', '--person', dee);
    expect(listed.stdout).toMatch(/ Dee +2026-11-20 +7\.5 +submitted/);
    expect((await work.run('timesheets', 'approve', OPS, idIn(listed))).stdout).toBe(
      '2026-11-20, 7.5 h: approved\n',
    );
    expect((await work.run('shifts', 'remove', OPS, idIn(shift))).code).toBe(0);

    const all = await work.run('timesheets', 'list', '--from', '2026-11-20');
    expect(all.stdout).toMatch(/ Dee +2026-11-20 +7\.5 +approved .*ops@example\.com/);
    expect((await work.run('timesheets', 'list', '--from', '2026-11-21')).stdout).not.toContain('Dee');
    expect((await work.run('timesheets', 'list', '--person', dee)).code).toBe(2);
    const several = await work.run('timesheets', 'reject', OPS, idIn(listed), dee);
    expect([several.code, several.stdout, linesOf(several.stderr).at(-1)]).toEqual([
      1,
      '1 rejected\n',
      `${dee}: Timesheet not found`,
    ]);
  });

  it('are accompanied by assignments without times', async () => {
    const dee = await personNamed('Dee');
    expect((await work.run('shifts', 'add', OPS, dee, '--site', 'Pier 4')).code).toBe(2);
    const assignment = await work.run('assignments', 'add', OPS, dee, '--title', 'Paint the bow');
    expect(assignment.stdout).toMatch(/^assignment \S+\n$/);
    const listed = await work.run('assignments', 'list', OPS, '--person', dee);
    expect(listed.stdout).toMatch(/ Paint the bow /);
    expect((await work.run('assignments', 'remove', OPS, idIn(assignment))).code).toBe(0);
    expect(await work.json('assignments', 'list', OPS)).toMatchObject({ total: 0 });
  });
});
