import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertInstance } from '../../server/test/support/instances.ts';
import { OPERATIONS_TOKEN } from '../../server/test/support/service.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let bench: CliBench;
beforeAll(async () => {
  bench = await startCliBench();
});
afterAll(() => bench.stop());

it('lists are narrowed to a part of a name', async () => {
  const { work } = bench;
  const word = randomUUID();
  const customer = `${word}@a.example`;
  const hostname = `${word}.example`;
  const { id } = await insertInstance(bench.service, bench.tenant.tenant_id);
  await bench.service.database.query('update instances set hostname = $2 where id = $1', [id, hostname]);
  const secrets = 'verify_token: a word of mine\napp_secret: the secret of the app\n';
  const operator = work.with({ ACP_OPERATIONS_TOKEN: OPERATIONS_TOKEN });
  const made = [
    await work.given(`name: Desk ${word}\n`, 'recipes', 'apply', '-f', '-'),
    await work.run('customers', 'create', '--email', customer, '--company', `Acme ${word}`),
    await work.given('token: x\n', 'connections', 'create', customer, '--provider', word, '-f', '-'),
    await work.given(secrets, 'channels', 'add', `no-${word}`, '--instance', hostname, '-f', '-'),
    await operator.given(`[{model_id: ${word}}]`, 'models', 'import', '-f', '-'),
  ];
  expect(made.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(['', '', '', '', '']);
  const lists = [
    ['recipes', 'list', '--search'],
    ['customers', 'list', '--q'],
    ['connections', 'list', customer, '--search'],
    ['channels', 'list', '--search'],
    ['instances', 'list', '--search'],
    ['models', 'list', '--search'],
  ];
  for (const args of lists) {
    const found = async (words: string) => {
      const answer = await work.json<object>(...args, words);
      return Array.isArray(answer) ? answer : Object.values(answer).find(Array.isArray);
    };
    expect(await found(word.toUpperCase()), args[0]).toHaveLength(1);
    expect(await found(randomUUID()), args[0]).toEqual([]);
  }
});
