import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  answer,
  conversationWith,
  createAgent,
  forwardedCount,
  messagesBecome,
  uniqueId,
  uniqueSender,
  WAIT,
  write,
} from '../support/conversations.ts';
import { ogg, pdf, png } from '../support/files.ts';
import { runJobsUntil } from '../support/jobs.ts';
import { FakeSendApi, refusal } from '../support/send-api.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { sendMessages, type TestEndpoint } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
const sendApi = new FakeSendApi();

beforeAll(async () => {
  const chatapp_api_base_url = await sendApi.start();
  service = await startTestService({
    pace: { queue: { pollEveryMs: 50, firstPauseMs: 50 } },
    settings: { chatapp_api_base_url },
  });
  tenant = await service.createTenant('Acme');
});
afterAll(async () => {
  await service.stop();
  sendApi.stop();
});

interface Talk {
  agent: TestEndpoint;
  sender: string;
  id: string;
}

async function begin(retention_days = 30): Promise<Talk> {
  const agent = await createAgent(service, tenant, {}, { retention_days });
  const sender = uniqueSender();
  await write(service, agent, sender, 'hi');
  return { agent, sender, id: (await conversationWith(tenant, agent, sender)).id };
}
const say = async ({ agent, id }: Talk, fields: object) => {
  const key = { in_reply_to: null, idempotency_key: randomUUID() };
  expect((await answer(service, agent, id, { ...key, ...fields })).status).toBe(202);
};
const give = async ({ id }: Talk, raw: Buffer, filename?: string) => {
  const headers = { ...(filename !== undefined && { 'x-filename': filename }) };
  const path = `/v1/conversations/${id}/media`;
  const { body } = await tenant.api.request<{ media_id: string }>('POST', path, { raw, headers });
  return [{ id: body.media_id }];
};
const sentTo = ({ sender }: Talk, count: number) =>
  vi.waitFor(() => {
    const sent = sendApi.sent.filter(({ body }) => body.to === sender);
    expect(sent).toHaveLength(count);
    return sent.map(({ body }) => body);
  }, WAIT);

describe('an answer on chatapp', () => {
  it('is an interactive message, whose tap comes back', async () => {
    const talk = await begin();
    const buttons = [
      { id: 'swap:yes', title: 'Yes' },
      { id: 'swap:no', title: 'No' },
    ];
    await say(talk, { text: `${'A sentence. '.repeat(100)}Swap?`, buttons });
    const [before, question] = await sentTo(talk, 2);
    expect(before).toMatchObject({ type: 'text' });
    expect(question).toMatchObject({
      type: 'interactive',
      interactive: { type: 'button', body: { text: expect.stringMatching(/Swap\?$/) } },
    });
    await messagesBecome(tenant, talk.id, [{ direction: 'in' }, { status: 'sent' }]);
    const reply = { type: 'button_reply', button_reply: { id: 'swap:no', title: 'No' } };
    const tap = { id: uniqueId(), from: talk.sender, type: 'interactive', interactive: reply };
    expect((await sendMessages(service, talk.agent, tap)).status).toBe(200);
    const [, tapped] = await forwardedCount(service, talk.agent, 2);
    expect(tapped).toMatchObject({ kind: 'button_reply', reply_id: 'swap:no', text: 'No' });
  });

  it('is a list', async () => {
    const talk = await begin();
    const items = [
      { id: 'a', title: 'Pier 4', description: 'From 7' },
      { id: 'b', title: 'Pier 5' },
    ];
    await say(talk, { text: 'Where?', options: { button: 'Choose', items } });
    const [list] = await sentTo(talk, 1);
    expect(list).toMatchObject({
      interactive: { type: 'list', action: { button: 'Choose', sections: [{ rows: items }] } },
    });
  });

  it('is a file, which the channel has before', async () => {
    const talk = await begin();
    await say(talk, { text: 'The plan', media: await give(talk, pdf, 'plan.pdf') });
    await say(talk, { media: await give(talk, png) });
    await say(talk, { text: 'Listen', media: await give(talk, ogg) });
    const [plan, picture, words, audio] = await sentTo(talk, 4);
    expect(plan).toMatchObject({ type: 'document', document: { caption: 'The plan', filename: 'plan.pdf' } });
    expect(picture).toMatchObject({ type: 'image' });
    expect(words).toMatchObject({ type: 'text', text: { body: 'Listen' } });
    expect(audio).toMatchObject({ type: 'audio' });
    const given = [plan?.document, picture?.image, audio?.audio].map((file) =>
      sendApi.files.get(file?.id ?? ''),
    );
    expect(given.map((file) => file?.bytes)).toEqual([pdf, png, ogg]);
    expect(given.map((file) => file?.number)).toEqual(Array(3).fill(`/${talk.agent.phone_number_id}`));
  });

  it('is sent later when the channel does not take the file, which it gets once', async () => {
    const talk = await begin();
    const media = await give(talk, png);
    sendApi.uploadMood = refusal(500, 131_000, 'Something went wrong');
    sendApi.answerTo(talk.sender, refusal(503, 131_016, 'Service unavailable'));
    const before = sendApi.files.size;
    await say(talk, { media });
    await runJobsUntil(service, 'send_messages', () => sentTo(talk, 1));
    expect(sendApi.files.size).toBe(before + 1);
  });

  it('fails with the channel’s words when it refuses the file', async () => {
    const talk = await begin();
    sendApi.uploadMood = refusal(400, 131_053, 'Media upload error');
    await say(talk, { media: await give(talk, png) });
    await messagesBecome(tenant, talk.id, [
      { direction: 'in' },
      { status: 'failed', error: expect.stringContaining('131053 Media upload error') },
    ]);
  });

  it('leaves no file behind without retention', async () => {
    const talk = await begin(0);
    await say(talk, { text: 'The plan', media: await give(talk, pdf) });
    await sentTo(talk, 1);
    await messagesBecome(tenant, talk.id, [{ direction: 'in' }, { status: 'sent', text: null }]);
    expect(
      await service.database.query('select id from uploads where conversation_id = $1', [talk.id]),
    ).toEqual([]);
  });
});
