import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliBench, startCliBench } from './support/service.ts';

const TOKEN = 'the token of a business account';

let bench: CliBench;
beforeAll(async () => {
  bench = await startCliBench();
  await bench.work.run('customers', 'create', '--email', 'Ops@example.com');
});
afterAll(() => bench.stop());

const OPS = 'ops@example.com';
const create = (input: string, ...args: string[]) =>
  bench.work.given(input, 'connections', 'create', OPS, '--provider', 'chatapp', '-f', '-', ...args);

interface List {
  items: { id: string; provider: string; name: string | null; status: string }[];
}
const list = () => bench.work.json<List>('connections', 'list', OPS);

describe('connections', () => {
  it('make a recipe deployable', async () => {
    const { work } = bench;
    const recipe = 'name: Wanting\nconnection_requirements: [{provider: chatapp}]\n';
    await work.given(recipe, 'recipes', 'apply', '-f', '-');
    const deploy = () => work.run('deploy', 'Wanting', '--customer', OPS, '--hostname', 'crew');
    const refused = await deploy();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^hint: "agentctl connections create" adds one$/m);

    expect(await create(`access_token: ${TOKEN}\n`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^chatapp is connected: \S+\n$/),
    });
    expect(await deploy()).toMatchObject({ code: 0 });
  });

  it('are listed without their credentials, and revoked', async () => {
    const { work } = bench;
    const made = await create(
      `{"access_token": "${TOKEN}"}`,
      '--name',
      'Second',
      '--expires-at',
      '2020-01-31T00:00:00Z',
    );
    expect(made).toMatchObject({ code: 0 });
    const shown = await work.run('connections', 'list', OPS);
    expect(shown.stdout).toMatch(/chatapp +Second +expired +2020-01-31 00:00:00Z/);
    expect(made.stdout + made.stderr + shown.stdout).not.toContain(TOKEN);

    const second = (await list()).items.find(({ name }) => name === 'Second');
    expect(await work.run('connections', 'revoke', OPS, second?.id ?? '')).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect((await list()).items.map(({ id }) => id)).not.toContain(second?.id);
    expect((await work.run('connections', 'revoke', OPS, second?.id ?? '')).code).toBe(4);
  });

  it.each([
    ['a list', '- a\n', /^error: standard input: expected an object$/m],
    [
      'a number with too many digits',
      'access_token: 12345678901234567890\n',
      /^error: standard input: a number at "access_token" has too many digits: put it in quotes$/m,
    ],
    ['nothing', '', /^error: standard input is empty$/m],
  ])('are not created from %s', async (_what, input, message) => {
    expect(await create(input)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });
});
