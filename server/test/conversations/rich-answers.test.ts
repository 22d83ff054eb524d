import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  answer,
  conversationWith,
  createAgent,
  forwardedCount,
  messagesIn,
  uniqueSender,
  write,
} from '../support/conversations.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import type { TestEndpoint } from '../support/webhook.ts';

const BUTTONS = [
  { id: 'swap:yes', title: 'Yes' },
  { id: 'swap:no', title: 'No' },
];
const OPTIONS = {
  button: 'Choose',
  items: [
    { id: 'pier-4', title: 'Pier 4', description: 'From 7 to 15' },
    { id: 'pier-5', title: 'Pier 5' },
  ],
};
const of = (length: number) => 'x'.repeat(length);

let service: TestService;
let tenant: TestTenant;
let agent: TestEndpoint;
beforeAll(async () => {
  service = await sharedService('working');
  tenant = await service.createTenant();
  agent = await createAgent(service, tenant);
});

interface Talk {
  conversation_id: string;
  message_id: string;
}

const inPlayground = (body: object) =>
  tenant.api.post<Talk & { detail: { loc: string[]; type: string }[] }>(
    `/v1/instances/${agent.instance.id}/playground`,
    body,
  );
async function begin(): Promise<string> {
  const { status, body } = await inPlayground({ text: 'hello' });
  expect(status).toBe(202);
  return body.conversation_id;
}
const say = (id: string, fields: object) =>
  answer(service, agent, id, { in_reply_to: null, idempotency_key: randomUUID(), ...fields });
const faultsOf = (body: { detail: unknown }) =>
  (body.detail as { loc: string[]; type: string }[]).map(({ loc, type }) => `${loc.join('.')} ${type}`);

describe('an answer', () => {
  it('has buttons or options below its text, from runtimes and from people', async () => {
    const id = await begin();
    expect(await say(id, { text: 'Swap?', buttons: BUTTONS })).toMatchObject({
      status: 202,
      body: { text: 'Swap?', kind: 'text', buttons: BUTTONS, options: null, media: [] },
    });
    await tenant.api.patch(`/v1/conversations/${id}`, { mode: 'human' });
    const theirs = { text: 'Where?', options: OPTIONS };
    expect((await tenant.api.post(`/v1/conversations/${id}/messages`, theirs)).status).toBe(202);
    expect((await messagesIn(tenant, id)).slice(1)).toMatchObject([
      { author: 'agent', buttons: BUTTONS, options: null },
      { author: 'person', text: 'Where?', buttons: [], options: OPTIONS },
    ]);
  });

  it.each([
    ['no text', { buttons: BUTTONS }, ['body.text missing']],
    ['nothing at all', {}, ['body.text missing']],
    ['no button', { text: 'x', buttons: [] }, ['body.buttons too_short']],
    [
      'four buttons',
      { text: 'x', buttons: [1, 2, 3, 4].map((n) => ({ id: `${n}`, title: `${n}` })) },
      ['body.buttons too_long'],
    ],
    [
      'a button that is too long',
      { text: 'x', buttons: [{ id: of(257), title: of(21) }] },
      ['body.buttons.0.id string_too_long', 'body.buttons.0.title string_too_long'],
    ],
    [
      'buttons that repeat',
      { text: 'x', buttons: [BUTTONS[0], BUTTONS[0]] },
      ['body.buttons.1.id value_error', 'body.buttons.1.title value_error'],
    ],
    [
      'a button without a visible title',
      { text: 'x', buttons: [{ id: 'a', title: ' ' }] },
      ['body.buttons.0.title value_error'],
    ],
    ['buttons and options', { text: 'x', buttons: BUTTONS, options: OPTIONS }, ['body.options value_error']],
    [
      'options that are too long',
      {
        text: 'x',
        options: { button: of(21), items: [{ id: of(201), title: of(25), description: of(73) }] },
      },
      [
        'body.options.button string_too_long',
        'body.options.items.0.description string_too_long',
        'body.options.items.0.id string_too_long',
        'body.options.items.0.title string_too_long',
      ],
    ],
    [
      'eleven options',
      {
        text: 'x',
        options: {
          button: 'b',
          items: Array.from({ length: 11 }, (_, n) => ({ id: `${n}`, title: `${n}` })),
        },
      },
      ['body.options.items too_long'],
    ],
    [
      'options that repeat',
      { text: 'x', options: { button: 'b', items: [...OPTIONS.items, { id: 'pier-6', title: 'Pier 5' }] } },
      ['body.options.items.2.title value_error'],
    ],
    [
      'a list without a word',
      { text: 'x', options: { items: OPTIONS.items } },
      ['body.options.button missing'],
    ],
    ['an unknown file', { media: [{ id: randomUUID() }] }, ['body.media.0.id value_error']],
    ['a file that is no id', { media: [{ id: 'x' }] }, ['body.media.0.id value_error']],
    ['two files', { media: [{ id: 'x' }, { id: 'y' }] }, ['body.media too_long']],
    ['a file and buttons', { text: 'x', media: [{ id: 'x' }], buttons: BUTTONS }, ['body.media value_error']],
  ])('is refused with %s', async (_, fields, faults) => {
    const id = await begin();
    const refused = await say(id, fields);
    expect(refused.status).toBe(422);
    expect(faultsOf(refused.body).toSorted()).toEqual(faults);
  });

  it('has its largest parts', async () => {
    const id = await begin();
    const buttons = [1, 2, 3].map((n) => ({ id: `${n}${of(255)}`, title: `${n}${of(19)}` }));
    const items = Array.from({ length: 10 }, (_, n) => ({
      id: `${n}${of(199)}`,
      title: `${n}${of(23)}`,
      description: of(72),
    }));
    expect((await say(id, { text: 'x', buttons })).status).toBe(202);
    expect((await say(id, { text: 'x', options: { button: of(20), items } })).status).toBe(202);
  });

  it('has no part in the clear', async () => {
    const id = await begin();
    const word = randomUUID().slice(0, 18);
    await say(id, { text: 'x', buttons: [{ id: word, title: word }] });
    const [{ found } = expect.unreachable()] = await service.database.query<{ found: number }>(
      `select count(*)::int as found from channel_messages m where m::text like '%' || $1 || '%'`,
      [word],
    );
    expect(found).toBe(0);
  });
});

describe('a tap', () => {
  it('comes back with its id, and with its title as the text', async () => {
    const other = await createAgent(service, tenant);
    const play = (body: object) =>
      tenant.api.post<Talk>(`/v1/instances/${other.instance.id}/playground`, body);
    const { conversation_id } = (await play({ text: 'hello' })).body;
    await forwardedCount(service, other, 1);
    const offer = (fields: object) =>
      answer(service, other, conversation_id, {
        in_reply_to: null,
        idempotency_key: randomUUID(),
        ...fields,
      });
    await offer({ text: 'Swap?', buttons: BUTTONS });
    await offer({ text: 'Where?', options: OPTIONS });
    expect((await play({ conversation_id, reply_id: 'swap:no' })).status).toBe(202);
    expect((await play({ conversation_id, reply_id: 'pier-5', text: 'other words' })).status).toBe(202);
    const [, button, option] = await forwardedCount(service, other, 3);
    expect(button).toMatchObject({ kind: 'button_reply', reply_id: 'swap:no', text: 'No' });
    expect(option).toMatchObject({ kind: 'list_reply', reply_id: 'pier-5', text: 'Pier 5' });
    expect((await messagesIn(tenant, conversation_id)).slice(-2)).toMatchObject([
      { kind: 'button_reply', text: 'No', direction: 'in' },
      { kind: 'list_reply', text: 'Pier 5' },
    ]);
  });

  it('is refused unless one of the last 20 messages offers it', async () => {
    const id = await begin();
    const tap = async (body: object) => {
      const refused = await inPlayground(body);
      return [refused.status, faultsOf(refused.body)];
    };
    const refusal = [422, ['body.reply_id value_error']];
    expect(await tap({ reply_id: 'swap:yes' })).toEqual(refusal);
    expect(await tap({ conversation_id: id, reply_id: 'swap:yes' })).toEqual(refusal);
    expect(await tap({ conversation_id: id })).toEqual([422, ['body.text missing']]);
    await say(id, { text: 'Swap?', buttons: BUTTONS });
    for (let count = 0; count < 19; count++) await say(id, { text: 'x' });
    expect((await inPlayground({ conversation_id: id, reply_id: 'swap:yes' })).status).toBe(202);
    expect(await tap({ conversation_id: id, reply_id: 'swap:yes' })).toEqual(refusal);
  });
});

it('is split for the channel only: the conversation shows one message', async () => {
  const sender = uniqueSender();
  await write(service, agent, sender, 'hi');
  const { id } = await conversationWith(tenant, agent, sender);
  const text = 'A sentence. '.repeat(200);
  expect((await say(id, { text, buttons: BUTTONS })).body).toMatchObject({ text, buttons: BUTTONS });
});
