import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { json, Loopback } from '../../sdk/test/support/loopback.ts';
import { type Credentials, ServerProcess } from '../../test/server-process.ts';
import { Workplace } from './support/agentctl.ts';

let server: ServerProcess;
let credentials: Credentials;
let work: Workplace;
beforeAll(async () => {
  server = await ServerProcess.inNewDirectory();
  credentials = await server.start();
  work = await Workplace.open({ DATA_DIR: server.dataDir });
});
afterAll(async () => {
  await work.close();
  await server.remove();
});

const NOTE = /^\(with \S+credentials\.json, http:\/\/127\.0\.0\.1:\d+\)\n$/;

it('a local server is used without settings, with a note about its credentials', async () => {
  const { code, stdout, stderr } = await work.run('recipes', 'list');
  expect([code, stderr]).toEqual([0, expect.stringMatching(NOTE)]);
  expect(stdout).toMatch(/^ID /);
  expect(await work.run('bootstrap')).toMatchObject({ code: 0, stderr: expect.stringMatching(NOTE) });
  expect((await work.run('recipes', 'list', '--quiet')).stderr).toBe('');
});

it('dashboard prints a link that signs its admin in once', async () => {
  const { code, stdout, stderr } = await work.run('dashboard');
  expect([code, stderr]).toEqual([0, expect.stringContaining('signs in once, until ')]);
  const { origin, pathname, hash } = new URL(stdout.trim());
  expect([origin, pathname]).toEqual([credentials.base_url, '/start']);
  const open = () =>
    fetch(`${credentials.base_url}/auth/browser-session/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ token: hash.replace('#token=', '') }),
    });
  const signed = await open();
  expect([signed.status, await signed.json()]).toMatchObject([200, { tenant_id: credentials.tenant_id }]);
  expect((await open()).status).toBe(404);
  expect(await work.run('dashboard', '--user', 'nobody@example.com')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no user nobody@example.com'),
  });
});

it('is found in the directory of its start without DATA_DIR', async () => {
  const here = await Workplace.open();
  await mkdir(join(here.directory, 'data'));
  await here.write('data/credentials.json', JSON.stringify(credentials));
  expect((await here.run('recipes', 'list')).stderr).toBe(
    `(with ./data/credentials.json, ${credentials.base_url})\n`,
  );
  for (const half of ['{', '{"base_url":"","api_key":"k","operations_token":"o"}']) {
    await here.write('data/credentials.json', half);
    expect((await here.run('recipes', 'list')).stderr).toMatch(
      /no credential for http:\/\/127\.0\.0\.1:8080/,
    );
  }
  await here.close();
});

it('the operations token of a rewritten file is used, too', async () => {
  const here = await Workplace.open();
  await mkdir(join(here.directory, 'data'));
  const left = { ...credentials, tenant_id: null, admin: null, api_key: null };
  await here.write('data/credentials.json', JSON.stringify(left));
  expect(await here.run('bootstrap')).toMatchObject({ code: 0, stderr: expect.stringMatching(NOTE) });
  expect((await here.run('recipes', 'list')).stderr).toContain(`no credential for ${credentials.base_url}`);
  await here.close();
});

it('its master key can be rotated', async () => {
  expect(await work.json('secrets', 'rotate-master-key')).toMatchObject({ tenant_keys: 1, remaining: 0 });
  expect((await work.run('secrets', 'rotate-master-key')).stdout).toMatch(
    /^the master key wraps all keys in the database; wrapped again: 1 of tenants/,
  );
});

it('a credential of the environment is not sent to the file’s address', async () => {
  await using stranger = await Loopback.start(json(401, { detail: 'No' }));
  const here = await Workplace.open({ ACP_API_KEY: credentials.api_key });
  await mkdir(join(here.directory, 'data'));
  await here.write('data/credentials.json', JSON.stringify({ ...credentials, base_url: stranger.baseUrl }));
  expect((await here.run('recipes', 'list')).code).not.toBe(0);
  expect(stranger.received).toEqual([]);
  await here.with({ ACP_API_KEY: '' }).run('recipes', 'list');
  expect(stranger.received.length).toBe(1);
  await here.close();
});

it('after a login there, the operations token is still found, but for no other server', async () => {
  const { base_url, admin } = credentials;
  const login = ['login', '--url', base_url, '--email', admin.email, '--password-stdin'];
  expect(await work.given(admin.password, ...login)).toMatchObject({ code: 0 });
  expect((await work.run('whoami')).stderr).toBe('');
  expect(await work.json('secrets', 'rewrap')).toMatchObject({ remaining: 0 });
  expect((await work.run('secrets', 'rewrap', '--url', 'http://127.0.0.1:8')).code).toBe(3);
});

it('a login there leaves the profile of another server alone', async () => {
  const here = await Workplace.open({ DATA_DIR: server.dataDir });
  const acme = { url: 'https://acp.example.com', api_key: 'acp_only_here' };
  await mkdir(join(here.directory, 'agentctl'));
  await here.write('agentctl/config.json', JSON.stringify({ current: 'acme', profiles: { acme } }));
  expect(await here.run('login', '--local')).toMatchObject({ code: 0 });
  expect(JSON.parse(await here.read('agentctl/config.json'))).toMatchObject({
    current: 'local',
    profiles: { acme, local: { url: credentials.base_url } },
  });
  await here.close();
});

it('its admin signs in without a prompt', async () => {
  const here = await Workplace.open({ DATA_DIR: server.dataDir });
  await here.run('customers', 'create', '--email', 'ops@example.com');
  const { code, stderr } = await here.run('staff', 'list', 'ops@example.com');
  expect([code, stderr]).toEqual([3, expect.stringContaining('"agentctl login --local"')]);
  const signedIn = await here.run('login', '--local');
  expect(signedIn).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining(`${credentials.admin.email} (admin) at ${credentials.base_url}`),
  });
  expect((await here.run('staff', 'list', 'ops@example.com')).code).toBe(0);
  expect((await here.run('login', '--local', '--email', 'a@example.com')).code).toBe(2);
  const elsewhere = await here.with({ DATA_DIR: '/nowhere' }).run('login', '--local');
  expect([elsewhere.code, elsewhere.stderr]).toEqual([
    2,
    expect.stringContaining('/nowhere/credentials.json'),
  ]);
  await here.close();
});
