import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  conversationWith,
  createAgent,
  uniqueSender,
  write,
} from '../../server/test/support/conversations.ts';
import { FakeMediaChannel, sending } from '../../server/test/support/media-channel.ts';
import type { TestEndpoint } from '../../server/test/support/webhook.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let bench: CliBench;
let agent: TestEndpoint;
const channel = new FakeMediaChannel();
beforeAll(async () => {
  bench = await startCliBench({ settings: { chatapp_api_base_url: await channel.start() } });
  agent = await createAgent(bench.service, bench.tenant);
});
afterAll(async () => {
  await bench.stop();
  channel.stop();
});

it('are listed for a number, and sent in place of a text', async () => {
  const { work, service, tenant } = bench;
  const sender = uniqueSender();
  await write(service, agent, sender, 'Hello');
  const { id } = await conversationWith(tenant, agent, sender);
  const body = { type: 'BODY', text: 'Hi {{1}}, your shift is {{2}}' };
  const template = { name: 'shift_reminder', language: 'de', status: 'APPROVED', components: [body] };
  const fields = 'fields=name%2Clanguage%2Cstatus%2Ccomponents&limit=100';
  channel.answers.set(
    `/1/message_templates?${fields}`,
    sending('application/json', JSON.stringify({ data: [template] })),
  );
  const { stdout } = await work.run('channels', 'templates', agent.phone_number_id);
  expect(stdout).toMatch(
    /^NAME +LANGUAGE +STATUS +PLACES +TEXT\nshift_reminder +de +APPROVED +2 +Hi \{\{1\}\}, your shift is \{\{2\}\}\n$/,
  );
  expect((await work.run('conversations', 'take-over', id)).code).toBe(0);
  const flags = [
    '--template',
    'shift_reminder',
    '--language',
    'de',
    '--parameter',
    'Ana',
    '--parameter',
    '9',
  ];
  const sent = await work.json('conversations', 'answer', id, ...flags);
  expect(sent).toMatchObject({ kind: 'template', author: 'person', text: '[shift_reminder] Ana 9' });
});
