import { expect, it } from 'vitest';
import { says, startLlm } from './support/fake-llm.ts';
import { messageOf, startRuntime } from './support/runtime.ts';

async function startWith() {
  const llm = await startLlm(says('All right.'));
  const runtime = await startRuntime({ llmUrl: llm.url });
  const entries: unknown[] = [];
  runtime.controlPlane.routes.set('GET /worker/me/timesheets', () => ({ status: 200, body: [] }));
  runtime.controlPlane.routes.set('POST /worker/me/timesheet', ({ body }) => {
    entries.push(body);
    return { status: 201, body: {} };
  });
  return { runtime, entries, asked: () => llm.requests().at(-1)?.messages ?? [] };
}
const at = '2026-11-19T08:00:00.000Z';

it.each([
  [
    { quoted: { text: 'Book table A', author: 'sender', at } },
    '[They answer a message of their own: "Book table A"]',
  ],
  [
    { quoted: { text: 'It costs 10.', author: 'agent', at } },
    '[They answer a message of yours: "It costs 10."]',
  ],
  [
    { quoted: { text: null, author: 'person', at } },
    '[They answer a message of your colleague, which has no words.]',
  ],
  [{ quoted: { text: null } }, '[They answer an earlier message that is not kept.]'],
  [
    { referral: { headline: 'Red bicycle', body: null, source_id: '12', product_id: null } },
    '[They come from an ad or a post: Red bicycle, id 12]',
  ],
  [
    { referral: { headline: null, body: null, source_id: null, product_id: 'sku-7' } },
    '[They ask about the product sku-7.]',
  ],
  [{ forwarded: true }, '[They pass on what somebody else wrote.]'],
])('gives the model %j before the words', async (fields, note) => {
  const { runtime, asked } = await startWith();
  await runtime.deliver(messageOf('Cancel this one, please', undefined, fields));
  expect(asked().at(-1)?.content).toBe(`${note}\nCancel this one, please`);
});

it('gives the model no PIN that is quoted', async () => {
  const { runtime, asked } = await startWith();
  const quoted = { text: '738291', author: 'sender', at };
  await runtime.deliver(messageOf('was this right?', undefined, { quoted }));
  expect(JSON.stringify(asked())).not.toContain('738291');
});

it('counts today from when a message was written, for each message of a burst', async () => {
  const { runtime, entries, asked } = await startWith();
  const [tuesday, thursday] = ['2026-11-17T08:00:00.000Z', '2026-11-19T08:00:00.000Z'];
  await runtime.deliver(messageOf('log 7.5 hours', undefined, { sent_at: thursday }));
  const messages = [
    { text: 'log 2 hours', sent_at: tuesday, quoted: null },
    { text: 'log 3 hours', sent_at: thursday },
    { text: 'And this one?', sent_at: thursday, quoted: { text: 'Pier 4', author: 'agent', at } },
  ];
  const message_ids = ['a', 'b', 'c'];
  const text = messages.map((message) => message.text).join('\n');
  await runtime.deliver(messageOf(text, undefined, { message_ids, messages, sent_at: thursday }));
  expect(entries).toEqual([
    { date: '2026-11-19', hours: 7.5 },
    { date: '2026-11-17', hours: 2 },
    { date: '2026-11-19', hours: 3 },
  ]);
  expect(asked()[0]?.content).toContain('It is Thursday, 2026-11-19');
  expect(asked().at(-1)?.content).toBe('[They answer a message of yours: "Pier 4"]\nAnd this one?');
});
