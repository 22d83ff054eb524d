import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, rmdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Loopback } from '../../sdk/test/support/loopback.ts';
import {
  PASSWORD,
  startTestService,
  type TestService,
  type TestTenant,
} from '../../server/test/support/service.ts';
import { BIN, outcomeOf, Workplace } from './support/agentctl.ts';

const MINUTES = 60_000;

let service: TestService;
let tenant: TestTenant;
let work: Workplace;
beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
});
beforeEach(async () => {
  tenant = await service.createTenant();
  work = await Workplace.open();
});
afterEach(() => work.close());
afterAll(() => service.stop());

const login = (...args: string[]) =>
  work.given(
    `${PASSWORD}\n`,
    'login',
    '--url',
    service.base_url,
    '--email',
    tenant.admin_email,
    '--password-stdin',
    ...args,
  );

interface Kept {
  current: string;
  profiles: Record<string, { access_token: string; refresh_token: string }>;
}
const kept = async () => JSON.parse(await work.read('agentctl/config.json')) as Kept;
const whoami = () => work.json<{ user_id: string | null; role: string }>('whoami');

describe('login', () => {
  it('saves a login in a private file, and later calls use it', async () => {
    const { code, stdout, stderr } = await login();
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain(`${tenant.admin_email} (admin) at ${service.base_url}`);
    expect((await stat(work.profiles)).mode & 0o777).toBe(0o600);
    expect(await work.read('agentctl/config.json')).not.toContain(PASSWORD);
    expect(await whoami()).toMatchObject({ user_id: tenant.admin_user_id, role: 'admin' });
  });

  it('enters the named tenant', async () => {
    expect(await login('--tenant', tenant.tenant_id)).toMatchObject({ code: 0 });
    expect(await login('--tenant', randomUUID())).toMatchObject({ code: 3 });
  });

  it('with a wrong password exits with 3 and saves nothing', async () => {
    const flags = ['--url', service.base_url, '--email', tenant.admin_email, '--password-stdin'];
    expect(await work.given('wrong', 'login', ...flags)).toEqual({
      code: 3,
      stdout: '',
      stderr: 'error: E-mail or password is wrong\n',
    });
    await expect(kept()).rejects.toThrow('ENOENT');
  });

  it('without a terminal asks for nothing', async () => {
    expect(await work.run('login', '--url', service.base_url)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/hint: use --password-stdin/),
    });
  });

  it('asks in a terminal, without an echo', async () => {
    const command = `${process.execPath} ${BIN} login --url ${service.base_url}`;
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd: work.directory,
      env: work.environment,
    });
    let shown = '';
    const answers: [RegExp, string][] = [
      [/E-mail: $/, tenant.admin_email],
      [/Password: $/, PASSWORD],
    ];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      const [question, answer] = answers[0] ?? [];
      if (!question?.test(plain(shown))) return;
      answers.shift();
      child.stdin.write(`${answer}\r`);
    });
    const [code] = (await once(child, 'close')) as [number];
    expect([code, plain(shown)]).toEqual([0, expect.stringMatching(/Password: \r?\n/)]);
    expect(shown).not.toContain(PASSWORD);
    expect(await whoami()).toMatchObject({ role: 'admin' });
  });

  it('saves an API key from standard input, never from the command line', async () => {
    const key = await service.createKey(tenant.tenant_id, { scopes: ['recipes:read'] });
    expect(await work.run('login', '--url', service.base_url, '--api-key', key)).toMatchObject({ code: 2 });
    const made = await work.given(
      `${key}\n`,
      'login',
      '--url',
      service.base_url,
      '--api-key',
      '-',
      '--profile',
      'k',
    );
    expect(made).toMatchObject({ code: 0 });
    expect(await work.json('whoami')).toMatchObject({ role: 'member', scopes: ['recipes:read'] });
    expect(await work.run('customers', 'list')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/customers:read/),
    });
  });

  it('has profiles: the first is used until another is chosen', async () => {
    await login();
    const other = await service.createTenant();
    await work.given(other.key, 'login', '--url', service.base_url, '--api-key', '-', '--profile', 'other');
    expect(await whoami()).toMatchObject({ user_id: tenant.admin_user_id });
    expect(await work.json('whoami', '--profile', 'other')).toMatchObject({ tenant_id: other.tenant_id });
    expect(await work.with({ ACP_PROFILE: 'other' }).json('whoami')).toMatchObject({
      tenant_id: other.tenant_id,
    });
    expect(await work.run('profiles', 'use', 'other')).toMatchObject({ code: 0 });
    expect(await whoami()).toMatchObject({ user_id: null });
    const list = await work.run('profiles', 'list');
    expect(list.stdout).toMatch(/^\* +other +http\S+ +API key$/m);
    expect(list.stdout).not.toContain(other.key);
    for (const args of [
      ['--profile', 'none', 'whoami'],
      ['profiles', 'use', 'none'],
    ]) {
      expect(await work.run(...args)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/there is no profile "none"/),
      });
    }
  });

  it('is not sent to another address', async () => {
    await login();
    const { code, stderr } = await work.run('whoami', '--url', 'http://127.0.0.1:9');
    expect([code, stderr]).toEqual([3, expect.stringMatching(/no credential for http:\/\/127\.0\.0\.1:9/)]);
  });

  it('is overridden by the environment', async () => {
    await login();
    const { headers } = await service.login(tenant.admin_email);
    const key = await service.createKey(tenant.tenant_id, { scopes: ['recipes:read'] });
    expect(await work.with({ ACP_API_KEY: key }).json('whoami')).toMatchObject({ user_id: null });
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    expect(await work.with({ ACP_TOKEN: token }).json('whoami')).toMatchObject({
      user_id: tenant.admin_user_id,
    });
  });

  it.each([['{'], ['{"profiles":null}'], ['{"profiles":{"default":null}}']])(
    'reports a broken profiles file: %s',
    async (text) => {
      await login();
      await writeFile(work.profiles, text);
      expect(await work.run('whoami')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/is not a profiles file/),
      });
    },
  );
});

const plain = (text: string) => stripVTControlCharacters(text).replace(/\r(?!\n)/g, '');

const keep = async (profiles: object, current: string) => {
  await mkdir(join(work.directory, 'agentctl'));
  await writeFile(work.profiles, JSON.stringify({ current, profiles }));
};

describe('a login at another server', () => {
  const PRODUCTION = 'https://acp.example.com';
  const key = { url: PRODUCTION, api_key: 'acp_only_here' };

  it('makes a profile of its own, which is then in use, and says so', async () => {
    await keep({ acme: key }, 'acme');
    const { code, stderr } = await login();
    const { host } = new URL(service.base_url);
    expect([code, stderr]).toEqual([0, expect.stringContaining('"agentctl profiles use acme" goes back')]);
    expect(await kept()).toEqual({
      current: host,
      profiles: { acme: key, [host]: expect.objectContaining({ url: service.base_url }) },
    });
    await login();
    expect(Object.keys((await kept()).profiles)).toEqual(['acme', host]);
  });

  it('under the name of a profile for another one is refused before anybody signs in', async () => {
    await keep({ acme: key }, 'acme');
    const { code, stderr } = await login('--profile', 'acme');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: profile acme is for https:\/\/acp.example.com, not for/),
    ]);
    expect(await kept()).toEqual({ current: 'acme', profiles: { acme: key } });
  });

  it('does not replace an API key of the same server, but with --profile and --yes', async () => {
    const own = { url: service.base_url, api_key: 'acp_only_here' };
    await keep({ acme: own }, 'acme');
    expect(await login()).toMatchObject({ code: 0 });
    expect((await kept()).profiles).toMatchObject({ acme: own });
    expect(await login('--profile', 'acme')).toMatchObject({ code: 2 });
    expect((await kept()).profiles).toMatchObject({ acme: own });
    expect(await login('--profile', 'acme', '--yes')).toMatchObject({ code: 0 });
    expect((await kept()).profiles.acme).toMatchObject({ access_token: expect.any(String) });
  });
});

describe('a command that changes something', () => {
  it('names its server and profile on standard error, and one that reads does not', async () => {
    await login();
    expect((await work.run('customers', 'create', '--email', 'n@example.com')).stderr).toBe(
      `(at ${service.base_url}, profile default)\n`,
    );
    expect((await work.run('customers', 'list')).stderr).toBe('');
    expect((await work.run('customers', 'create', '--email', 'm@example.com', '-q')).stderr).toBe('');
  });

  it('that has no credential says which server the profile is for', async () => {
    await login();
    const { stderr } = await work.run('recipes', 'list', '--url', 'http://127.0.0.1:9');
    expect(stderr).toContain(`profile default is for ${service.base_url}`);
  });
});

describe('the profiles file', () => {
  it('fails a login with one line when it cannot be written', async () => {
    await symlink('nowhere/at/all', join(work.directory, 'agentctl'));
    const { code, stderr } = await login();
    expect([code, stderr]).toEqual([2, `error: ${work.profiles} cannot be written (ENOENT)\n`]);
  });
});

describe('an expired login', () => {
  beforeEach(() => login());

  it('is renewed by the next call, once for concurrent calls', async () => {
    const before = await kept();
    service.clock.advance(16 * MINUTES);
    const calls = Array.from({ length: 6 }, () => outcomeOf(work.start('whoami')));
    expect((await Promise.all(calls)).map(({ code, stderr }) => [code, stderr])).toEqual(
      calls.map(() => [0, '']),
    );
    const after = await kept();
    expect(after.profiles.default?.refresh_token).not.toBe(before.profiles.default?.refresh_token);
    service.clock.advance(16 * MINUTES);
    expect((await whoami()).role).toBe('admin');
  });

  it('is not renewed twice: a waiting process uses the token that the other one saved', async () => {
    await using proxy = await Loopback.start(async (response, { method, url, headers, body }) => {
      const { authorization = '' } = headers;
      const sent = { 'content-type': 'application/json', ...(authorization && { authorization }) };
      const answer = await fetch(service.base_url + url, { method, headers: sent, ...(body && { body }) });
      response.writeHead(answer.status).end(await answer.text());
    });
    await login('--url', proxy.baseUrl);
    service.clock.advance(16 * MINUTES);
    await mkdir(`${work.profiles}.lock`);
    // In the future, so that the lock does not become stale.
    const later = new Date(Date.now() + 5 * MINUTES);
    await utimes(`${work.profiles}.lock`, later, later);
    const asked = once(proxy, 'received');
    const waiting = work.run('whoami', '--json');
    await asked;
    const { current, profiles } = await kept();
    const { body: pair } = await service.anonymous.post('/auth/refresh', profiles[current]);
    const renewed = { ...profiles[current], ...pair };
    await writeFile(work.profiles, JSON.stringify({ current, profiles: { [current]: renewed } }));
    // After the grace period, the old token would end the login.
    service.clock.advance(MINUTES);
    await rmdir(`${work.profiles}.lock`);
    expect(await waiting).toMatchObject({ code: 0 });
    expect(await kept()).toMatchObject({ profiles: { [current]: pair } });
  });

  it('is renewed although another process was killed while holding the lock', async () => {
    service.clock.advance(16 * MINUTES);
    await mkdir(`${work.profiles}.lock`);
    const longAgo = new Date(Date.now() - 5 * MINUTES);
    await utimes(`${work.profiles}.lock`, longAgo, longAgo);
    expect((await whoami()).role).toBe('admin');
    await expect(stat(`${work.profiles}.lock`)).rejects.toThrow('ENOENT');
  });

  it('that has ended: exits with 3 and explains how to sign in', async () => {
    service.clock.advance(40 * 24 * 60 * MINUTES);
    expect(await work.run('whoami')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/hint: sign in again with "agentctl login"/),
    });
  });

  it('is ended by logout', async () => {
    const { profiles } = await kept();
    expect(await work.run('logout')).toMatchObject({ code: 0 });
    expect(await kept()).toEqual({ profiles: {} });
    const refresh_token = profiles.default?.refresh_token;
    expect((await service.anonymous.post('/auth/refresh', { refresh_token })).status).toBe(401);
    expect((await work.run('logout')).stderr).toMatch(/there is no profile default/);
  });

  it('cannot be saved in an unusable directory', async () => {
    await chmod(work.profiles, 0o600);
    const home = work.with({ XDG_CONFIG_HOME: '/dev/null' });
    expect(await home.run('whoami')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/cannot be read \(ENOTDIR\)/),
    });
  });
});
