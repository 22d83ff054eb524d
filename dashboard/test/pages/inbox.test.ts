import { randomUUID } from 'node:crypto';
import { ControlPlane } from '@agent-control-plane/sdk';
import { expect, it } from 'vitest';
import { gate } from '../../../server/test/support/hold.ts';
import { expectGoodLooks, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';
import { Talk } from '../support/talk.ts';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADQAAAAgCAIAAADSXcwxAAAARElEQVR42u3VsQkAIBADwB/b2vqXFCwcw84RXsGDDHAQQmLM9WwC7h9c61kftcLB3VqrWuHgfKta4eB8Kxycb/WtcCcbPdOpnNHJMfIAAAAASUVORK5CYII=',
  'base64',
);

async function talkWithAll(tenant: Awaited<ReturnType<typeof furnishedTenant>>): Promise<Talk> {
  const talk = await Talk.begin(
    tenant,
    'Hello, I have a question about invoice 20418. The crane hours look wrong.',
  );
  await talk.noteModelCall(30);
  await talk.answer({
    text: 'Invoice 20418 has two crane entries on 18 November, 6 and 4 hours. Changing an invoice is for a person, so I am passing this on.',
    usage: { model: 'small-1', input_tokens: 1204, cached_input_tokens: 900, output_tokens: 88 },
    tool_calls: [
      {
        name: 'billing__find_invoice',
        arguments: JSON.stringify({ number: '20418', customer: 'Harbour Logistics' }),
        at: new Date(Date.now() - 40).toISOString(),
        latency_ms: 25,
        result: 'total 4,310.00 EUR, 14 lines\n2 crane entries on 18 November',
      },
    ],
  });
  await talk.handOver('Asks to change an invoice');
  await talk.say('Only one crane was there that day. See https://files.harbour.example/log for the log.');
  await talk.send({
    id: `wamid.${randomUUID()}`,
    from: talk.sender,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'image',
    image: { id: '77', mime_type: 'image/png', caption: 'The site log' },
  });
  await talk.send({
    id: `wamid.${randomUUID()}`,
    from: talk.sender,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'document',
    document: { id: '78', mime_type: 'application/pdf', filename: 'site-log.pdf' },
  });
  await tenant.acp.call('update_conversation', {
    path: { conversation_id: talk.conversation_id },
    body: { mode: 'human', minutes: 30 },
  });
  await tenant.acp.call('send_message', {
    path: { conversation_id: talk.conversation_id },
    body: { text: 'Hello, Ines here. I see the photo, thank you. I will have the second entry taken off.' },
  });
  await talk.say('Can somebody call me about it?');
  return talk;
}

it('looks good, with a trace behind an answer', async () => {
  const tenant = await furnishedTenant();
  const talk = await talkWithAll(tenant);
  const visitor = await Visitor.of(tenant.house, tenant);
  await visitor.context.route('**/media/*', (route) =>
    route.fulfill({ contentType: 'image/png', body: PICTURE }),
  );
  const list = await visitor.open('/conversations');
  await expectGoodLooks(visitor, list, 'inbox');
  await list.close();

  const page = await visitor.open(`/conversations/${talk.conversation_id}`);
  await page.getByRole('img', { name: /From the sender/ }).waitFor();
  await page.getByText('billing__find_invoice').click();
  await page.getByText('small-1 · 1,292 tokens').click();
  await page.getByText('1,204 tokens in (900 cached), 88 out · $0.0021').waitFor();
  await page.getByText('2 crane entries on 18 November').last().scrollIntoViewIfNeeded();
  await expectGoodLooks(visitor, page, 'conversation');
});

it('is taken over, answered with Enter, and given back', async () => {
  const tenant = await furnishedTenant();
  const talk = await Talk.begin(tenant, 'Is somebody there?');
  await talk.answer({ text: 'I am.' });
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(`/conversations/${talk.conversation_id}`);
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByText(/^You answer until/).waitFor();

  const field = page.getByRole('textbox', { name: /^Answer/ });
  await field.fill('Yes, a person.');
  // An input method takes this Enter for the character that it composes.
  await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  expect(await field.inputValue()).toBe('Yes, a person.');
  await page.getByRole('link', { name: 'Agents' }).first().click();
  await page.getByRole('heading', { name: 'Agents' }).waitFor();
  await page.goBack();
  const kept = { message: 'a draft outlives the page' };
  await expect.poll(() => field.inputValue(), kept).toBe('Yes, a person.');
  await field.press('Enter');
  await expect.poll(() => talk.texts).toContain('Yes, a person.');
  await expect.poll(() => field.inputValue()).toBe('');

  await page.getByRole('button', { name: 'Give back' }).click();
  await page.getByText('The agent answers.').waitFor();
  expect(visitor.complaints).toEqual([]);
});

it('shows choices, and sends buttons and a file', async () => {
  const tenant = await furnishedTenant();
  const talk = await Talk.begin(tenant, 'Can I swap Friday?');
  const items = [
    { id: 'ben', title: 'Ben', description: 'From 7 to 15' },
    { id: 'cal', title: 'Cal' },
  ];
  await talk.answer({ text: 'With whom?', options: { button: 'Choose', items } });
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(`/conversations/${talk.conversation_id}`);
  await page.getByRole('list', { name: 'Choices' }).getByText('From 7 to 15').waitFor();
  await page.getByRole('button', { name: 'Take over' }).click();
  const last = async () => {
    const { items: all } = await tenant.acp.conversations.listMessages(talk.conversation_id, {});
    return all.at(-1);
  };

  await page.getByRole('textbox', { name: /^Answer/ }).fill('Shall I ask Ben?');
  await page.getByRole('button', { name: 'Buttons' }).click();
  await page.getByRole('textbox', { name: 'Button 1' }).fill('Yes');
  await page.getByRole('button', { name: 'One more' }).click();
  await page.getByRole('textbox', { name: 'Button 2' }).fill('No');
  await expectGoodLooks(visitor, page, 'conversation-buttons');
  await page.getByRole('button', { name: 'Send' }).click();
  const buttons = [
    { id: 'Yes', title: 'Yes' },
    { id: 'No', title: 'No' },
  ];
  await expect.poll(last).toMatchObject({ author: 'person', text: 'Shall I ask Ben?', buttons });
  await expect.poll(() => page.getByRole('textbox', { name: 'Button 1' }).count()).toBe(0);

  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: PICTURE });
  await page.getByText('plan.png').waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect
    .poll(last)
    .toMatchObject({ text: null, kind: 'image', media: [{ mime_type: 'image/png', filename: 'plan.png' }] });
  expect(visitor.complaints).toEqual([]);
});

it('says that a colleague was faster, and who it is', async () => {
  const tenant = await furnishedTenant();
  const talk = await Talk.begin(tenant, 'A person, please');
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(`/conversations/${talk.conversation_id}`);
  await page.getByRole('button', { name: 'Take over' }).waitFor();
  // The page does not hear of it: its stream and its reads are held back.
  await page.route(/\/v1\/(live|conversations)/, (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  );
  const { key } = await tenant.acp.apiKeys.create({ name: 'Desk of Jonas', scopes: ['conversations:*'] });
  const colleague = new ControlPlane({ baseUrl: tenant.house.base_url, apiKey: key });
  const path = { conversation_id: talk.conversation_id };
  await colleague.call('update_conversation', { path, body: { mode: 'human', minutes: 30 } });
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByText('Somebody else has taken the conversation meanwhile').waitFor();
  await page.unroute(/\/v1\/(live|conversations)/);
  await page.reload();
  await page.getByText(/^Desk of Jonas answers until/).waitFor();
});

const DAY_SECONDS = 24 * 3600;

it('goes back to older messages, and reaches somebody by a template once free text has ended', async () => {
  const tenant = await furnishedTenant();
  const texts = Array.from({ length: 60 }, (_, nth) => `Message ${nth + 1}`);
  const talk = await Talk.beginBefore(2 * DAY_SECONDS, tenant, ...texts);
  await talk.answer({ text: 'An answer that comes too late' });
  const body = { type: 'BODY', text: 'Hello {{1}}, may we call you about {{2}}?' };
  const data = [{ name: 'call_back', language: 'en', status: 'APPROVED', components: [body] }];
  tenant.house.channel.onGet = (_path, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));

  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(`/conversations/${talk.conversation_id}`);
  await page.getByText('Message 60', { exact: true }).waitFor();
  await page.getByText(/^Not delivered: The sender has not written for 24 hours/).waitFor();
  const older = page.getByRole('button', { name: 'Older messages' });
  await older.scrollIntoViewIfNeeded();
  const kept = page.getByText('Message 14', { exact: true });
  const before = await kept.boundingBox();
  await older.click();
  await page.getByText('Message 1', { exact: true }).waitFor({ state: 'attached' });
  const shift = async () => Math.abs(((await kept.boundingBox())?.y ?? 0) - (before?.y ?? 0));
  await expect.poll(shift, { message: 'what was read stays in its place' }).toBeLessThan(60);

  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('textbox', { name: 'Text of {{1}}' }).fill('Ana');
  await page.getByRole('textbox', { name: 'Text of {{2}}' }).fill('invoice 20418');
  await page.getByText('Hello Ana, may we call you about invoice 20418?').waitFor();
  await expectGoodLooks(visitor, page, 'conversation-template');
  await page.getByRole('button', { name: 'Send template' }).click();
  const sent = () => tenant.house.channel.sent.filter(({ body: { to } }) => to === talk.sender);
  await expect.poll(() => sent().at(-1)?.body.template).toMatchObject({ name: 'call_back' });
});

it('reads older messages also where a new one comes meanwhile', async () => {
  const tenant = await furnishedTenant();
  const talk = await Talk.begin(tenant, ...Array.from({ length: 60 }, (_, nth) => `Message ${nth + 1}`));
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(`/conversations/${talk.conversation_id}`);
  const log = page.getByRole('log', { name: 'Messages' });
  await log.getByText('Message 60', { exact: true }).waitFor();
  const { pass, reached, goOn } = gate();
  await page.route(/\/messages\?.*before=/, async (route) => {
    await pass();
    await route.continue();
  });
  await page.getByRole('button', { name: 'Older messages' }).click();
  await reached;
  const hints = tenant.acp.changes({ onOpen: () => void talk.say('Message 61') });
  await hints.next();
  await hints.return();
  goOn();
  await log.getByText('Message 1', { exact: true }).waitFor({ state: 'attached' });
  await log.getByText('Message 61', { exact: true }).waitFor();
});

it('is erased after one asks', async () => {
  const tenant = await furnishedTenant();
  const talk = await Talk.begin(tenant, 'Forget me');
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(`/conversations/${talk.conversation_id}`);
  await page.getByRole('button', { name: 'Erase now' }).click();
  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  const { total } = await tenant.acp.conversations.list({ search: talk.sender });
  expect(total).toBe(0);
  expect(visitor.complaints).toEqual([]);
});
