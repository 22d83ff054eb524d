import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockFirstTenant } from '../../server/src/access/tenants.db.ts';
import { systemScope } from '../../server/src/platform/db/queryable.ts';
import { OPERATIONS_TOKEN, startTestService, type TestService } from '../../server/test/support/service.ts';
import { outcomeOf, Workplace, waitForOutput } from './support/agentctl.ts';

let service: TestService;
let work: Workplace;
beforeEach(async () => {
  service = await startTestService({ runsJobs: false });
  work = await Workplace.open({ ACP_URL: service.base_url, ACP_OPERATIONS_TOKEN: OPERATIONS_TOKEN });
});
afterEach(async () => {
  await work.close();
  await service.stop();
});

const tenants = async () =>
  (await service.operations.get<{ total: number }>('/internal/v1/tenants')).body.total;

it('creates the first tenant, a tier, a region and a key once', async () => {
  const made = await work.given(
    'a long password',
    'bootstrap',
    '--name',
    'Acme',
    '--admin-email',
    'a@acme.example',
    '--password-stdin',
    '--save-profile',
    'acme',
    '--json',
  );
  expect(made).toMatchObject({ code: 0 });
  const { tenant_id, ...rest } = JSON.parse(made.stdout) as Record<string, string>;
  expect(rest).toMatchObject({
    created: true,
    admin_email: 'a@acme.example',
    region_id: 'local',
    profile: 'acme',
    sign_in_url: expect.stringMatching(new RegExp(`^${service.base_url}/start#token=`)),
  });
  const page = service.anonymous.with({ 'sec-fetch-site': 'same-origin' });
  const [, token] = (rest.sign_in_url ?? '').split('#token=');
  const signed = await page.post('/auth/browser-session/link', { token });
  expect([signed.status, signed.body]).toMatchObject([200, { tenant_id, role: 'admin' }]);
  expect(made.stdout + made.stderr).not.toContain('a long password');

  const tenant = work.with({ ACP_OPERATIONS_TOKEN: '' });
  expect(await tenant.json('whoami')).toMatchObject({ tenant_id, role: 'admin', scopes: ['*'] });
  expect(await tenant.json('tiers', 'list')).toMatchObject({ items: [{ id: rest.tier_id, name: 'Small' }] });
  expect((await tenant.run('regions', 'list')).stdout).toMatch(/^local +This machine +open$/m);

  expect(await work.run('bootstrap', '--name', 'Again')).toMatchObject({
    code: 0,
    stdout: 'A tenant already exists: nothing was created.\n',
    stderr: '',
  });
  expect(await work.json('bootstrap')).toEqual({ created: false });
  expect(await tenants()).toBe(1);
});

it('shows a generated password once', async () => {
  const { stdout, stderr } = await work.run('bootstrap', '--no-seeds');
  const [, password] = /shown once: (\S+)/.exec(stderr) ?? [];
  expect(stdout).not.toContain(password);
  const { body } = await service.anonymous.post('/auth/login', { email: 'admin@example.com', password });
  expect(body).toMatchObject({ role: 'admin' });
});

it('completes an interrupted call', async () => {
  const refused = await work.given('short', 'bootstrap', '--password-stdin');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^ {2}body\.admin_password: /m) });
  expect(await tenants()).toBe(0);
  expect(await work.run('bootstrap')).toMatchObject({ code: 0 });
  expect(await tenants()).toBe(1);
});

it('creates one tenant in two concurrent calls', async () => {
  const { db } = service.service.services;
  const both = await db.transaction(systemScope, async (tx) => {
    await tx.run(lockFirstTenant());
    const started = [work.start('bootstrap'), work.start('bootstrap')];
    // It is printed after the call has found no tenant.
    await Promise.all(started.map(({ stderr }) => waitForOutput(stderr, /shown once/)));
    return started.map((child) => outcomeOf(child));
  });
  const outcomes = await Promise.all(both);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
  const [other, ...more] = outcomes.filter(({ stdout }) => stdout.includes('nothing was created'));
  expect(more).toEqual([]);
  expect(other).toMatchObject({
    stdout: 'A tenant already exists: nothing was created.\n',
    stderr: expect.stringMatching(/in the meantime/),
  });
  expect(await tenants()).toBe(1);
});

it('needs the operations token', async () => {
  expect(await work.with({ ACP_OPERATIONS_TOKEN: '' }).run('bootstrap')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/hint: set ACP_OPERATIONS_TOKEN/),
  });
  expect(await work.with({ ACP_OPERATIONS_TOKEN: 'wrong' }).run('bootstrap')).toMatchObject({ code: 3 });
  expect(await tenants()).toBe(0);
});

it('saves its key in no profile that another server or key has', async () => {
  const profiles = { acme: { url: 'https://acp.example.com', api_key: 'acp_only_here' } };
  await mkdir(join(work.directory, 'agentctl'));
  await writeFile(work.profiles, JSON.stringify({ current: 'acme', profiles }));
  expect(await work.run('bootstrap', '--save-profile', 'acme')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: profile acme is for https:\/\/acp.example.com/m),
  });
  expect(await tenants()).toBe(0);
  expect(JSON.parse(await work.read('agentctl/config.json'))).toEqual({ current: 'acme', profiles });
});
