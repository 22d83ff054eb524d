import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertInstance, type TestInstance } from '../../server/test/support/instances.ts';
import type { Workplace } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

const SECRETS = 'verify_token: a word of mine\napp_secret: the secret of the app\n';

let bench: CliBench;
let work: Workplace;
let instance: TestInstance;
beforeAll(async () => {
  bench = await startCliBench();
  ({ work } = bench);
  instance = await insertInstance(bench.service, bench.tenant.tenant_id);
});
afterAll(() => bench.stop());

const add = (number: string, input: string, ...args: string[]) =>
  work.given(input, 'channels', 'add', number, '--instance', instance.id, '-f', '-', ...args);

const verificationStatus = async (token: string) => {
  const query = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': token,
    'hub.challenge': '4',
  });
  return (await bench.service.anonymous.get(`/hooks/chatapp?${query.toString()}`)).status;
};

describe('channels', () => {
  it('are added with secrets from standard input, and accept messages', async () => {
    const number = randomUUID();
    const added = await add(number, SECRETS);
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('/hooks/chatapp\n') });
    expect(added.stdout).toMatch(new RegExp(`^number ${number} is answered: \\S+\n$`));
    expect(await verificationStatus('a word of mine')).toBe(200);

    const shown = await work.run('channels', 'show', number);
    expect(shown.stdout).toContain(`instance_id: ${instance.id}\n`);
    expect((await work.run('channels', 'list')).stdout).toMatch(new RegExp(` chatapp +${number} +agent`));
    expect(added.stdout + shown.stdout).not.toMatch(/a word of mine|secret of the app/);

    const signing = work.with({ ACP_APP_SECRET: 'the secret of the app' });
    const say = [
      'messages',
      'simulate',
      '--phone-number-id',
      number,
      '--from',
      '61455000001',
      '--text',
      'help',
    ];
    expect((await signing.run(...say)).stdout).toMatch(/^delivered to instance /);
    expect((await add(number, SECRETS)).code).toBe(5);
  });

  it('are changed and removed', async () => {
    const number = randomUUID();
    await add(number, SECRETS, '--connection', 'main');
    const other = await insertInstance(bench.service, bench.tenant.tenant_id);
    const update = (input: string, ...args: string[]) =>
      work.given(input, 'channels', 'update', number, ...args);
    expect((await update('')).code).toBe(2);
    expect(await update('verify_token: another word\n', '-f', '-', '--connection', '')).toMatchObject({
      code: 0,
      stdout: `changed number ${number}\n`,
    });
    expect(await verificationStatus('another word')).toBe(200);
    expect(await update('verfy_token: x\n', '-f', '-')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown field verfy_token'),
    });
    await update('', '--instance', other.id);
    expect(await work.json('channels', 'show', number)).toMatchObject({
      instance_id: other.id,
      connection_name: null,
    });
    expect(await work.run('channels', 'remove', number)).toMatchObject({ code: 0, stdout: '' });
    const gone = await work.run('channels', 'show', number);
    expect([gone.code, gone.stderr]).toEqual([4, expect.stringContaining('"agentctl channels list"')]);
  });

  it('are refused without a secret, with a hint', async () => {
    const without = await work.run('channels', 'add', '1', '--instance', instance.id);
    expect([without.code, without.stderr]).toEqual([
      2,
      expect.stringContaining('and on standard input: verify_token: …, app_secret: …'),
    ]);
    expect(await add('1', 'verify_token: a word\n')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('app_secret is missing'),
    });
  });
});
