import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { spellingsOf } from '../../src/identities/address-spellings.ts';
import {
  answer,
  conversationWith,
  createAgent,
  messagesBecome,
  messagesIn,
  uniqueId,
  uniqueSender,
  WAIT,
} from '../support/conversations.ts';
import { runJobs } from '../support/jobs.ts';
import { FakeMediaChannel, sending } from '../support/media-channel.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew } from '../support/staff.ts';
import { deliver, sendMessages, storedMessages, type TestEndpoint, textMessage } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
let agent: TestEndpoint;
let sender: string;
const channel = new FakeMediaChannel();
let transcribe: (bytes: Uint8Array, signal: AbortSignal) => Promise<string>;
let told: number | null = null;
const MODEL = `whisper-${randomUUID()}`;

beforeAll(async () => {
  const chatapp_api_base_url = await channel.start();
  service = await startTestService({
    settings: { chatapp_api_base_url },
    transcriber: {
      model: MODEL,
      transcribe: async ({ bytes }, signal) => ({ text: await transcribe(bytes, signal), seconds: told }),
    },
  });
  tenant = await service.createTenant('Acme');
});
beforeEach(async () => {
  agent = await createAgent(service, tenant);
  sender = uniqueSender();
  transcribe = () => Promise.reject(new Error('not expected'));
});
afterAll(async () => {
  await service.stop();
  channel.stop();
});

const send = async (...messages: object[]) => {
  const whole = messages.map((message) => ({ id: uniqueId(), from: sender, ...message }));
  expect((await sendMessages(service, agent, ...whole)).status).toBe(200);
};
const forwardedBecome = (count: number) =>
  vi.waitFor(() => {
    const mine = service.runtimes.messages.filter(
      ({ address }) => address === agent.instance.runtime_address,
    );
    expect(mine).toHaveLength(count);
    return mine.map(({ message }) => message);
  }, WAIT);

const voice = (id: string) => ({
  type: 'audio',
  audio: { id, voice: true, mime_type: 'audio/ogg; codecs=opus' },
});
const changed = (from: string, wa_id: string, rest: object = {}) => ({
  from,
  type: 'system',
  system: { body: `User A changed from ${from} to ${wa_id}`, wa_id, type: 'user_changed_number', ...rest },
});
const lookUp = async (external_id: string) => {
  const query = new URLSearchParams({ channel: 'chatapp', external_id }).toString();
  const path = `/internal/v1/instances/${agent.instance.id}/lookup/identity?${query}`;
  const { status, body } = await service.operations.get<{ identity_id: string; verified: boolean }>(path);
  return status === 200 ? body : status;
};
const add = async (external_id: string) => {
  const path = `/v1/customers/${agent.instance.customer_id}/identities`;
  const { status, body } = await tenant.api.post<{ id: string }>(path, {
    channel: 'chatapp',
    external_id,
    verified: true,
  });
  expect(status).toBe(201);
  return body.id;
};
/** Random, so that tests do not share numbers. */
const rest = () => String(Math.floor(Math.random() * 1e7)).padStart(7, '0');
const pairOf = (longer: string, shorter: string, digits = rest()) =>
  [longer + digits, shorter + digits] as const;
const pairs = () => [pairOf('551198', '55118'), pairOf('521551', '52551'), pairOf('549111', '54111')];

it('reach the runtime with their kind and text', async () => {
  await send(
    {
      type: 'edit',
      edit: { original_message_id: 'wamid.1', message: { type: 'text', text: { body: 'Tuesday' } } },
    },
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } } },
    { type: 'revoke', revoke: { original_message_id: 'wamid.1' } },
    {
      type: 'interactive',
      interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } },
    },
  );
  expect(await forwardedBecome(4)).toMatchObject([
    { kind: 'edit', text: 'Tuesday', edited_message_id: 'wamid.1', reply_id: null, media: [] },
    { kind: 'button_reply', text: 'Yes', reply_id: 'yes', media: [] },
    { kind: 'revoke', text: null, reply_id: null, media: [] },
    { kind: 'call_permission_reply', text: null, reply_id: null, media: [] },
  ]);
  const { id } = await conversationWith(tenant, agent, sender);
  await messagesBecome(tenant, id, [
    { kind: 'edit', text: 'Tuesday' },
    { kind: 'button_reply', text: 'Yes' },
    { kind: 'revoke', text: null },
    { kind: 'call_permission_reply', text: null },
  ]);
});

it('are stored when the name ends within a character', async () => {
  const name = `${'x'.repeat(199)}😀`;
  const value = {
    metadata: { phone_number_id: agent.phone_number_id },
    contacts: [{ profile: { name }, wa_id: sender }],
    messages: [textMessage(uniqueId(), 'Hi', sender)],
  };
  const { status } = await deliver(service, { entry: [{ changes: [{ value }] }] }, agent.app_secret);
  expect(status).toBe(200);
  expect(await storedMessages(service, agent)).toHaveLength(1);
});

describe('a voice note', () => {
  it.each([0, 2])(
    'is forwarded with its transcript, which is made once and stored, after %i failed deliveries',
    async (tries) => {
      const id = randomUUID();
      channel.keep(id, Buffer.from('recording'), 'audio/ogg');
      const recordings: string[] = [];
      transcribe = (bytes) => {
        recordings.push(Buffer.from(bytes).toString());
        return Promise.resolve(' Are you open? ');
      };
      let refusals = tries;
      service.runtimes.onMessage = ({ message_ids }) => {
        if (refusals-- > 0) throw new Error(`not now, ${String(message_ids)}`);
      };
      await send(voice(id));
      await vi.waitFor(() => expect(refusals).toBeLessThan(Math.max(tries, 1)), WAIT);
      await runJobs(service, 'converse');
      expect(await forwardedBecome(1)).toMatchObject([
        { kind: 'audio', text: 'Are you open?', media: [{ id, mime_type: 'audio/ogg; codecs=opus' }] },
      ]);
      service.runtimes.onMessage = () => {};
      expect(recordings).toEqual(['recording']);
      const { id: conversation_id } = await conversationWith(tenant, agent, sender);
      await messagesBecome(tenant, conversation_id, [
        { kind: 'audio', text: 'Are you open?', error: null, status: 'handled' },
      ]);
    },
  );

  it('is forwarded without text, with the error, when transcription fails', async () => {
    const failures: [string, () => void, string][] = [
      ['the channel', () => channel.answers.set('/gone', sending('text/html', '<p>', 500)), 'answered 500'],
      ['the transcriber', () => channel.keep('gone', Buffer.from('x'), 'audio/ogg'), 'no such model'],
    ];
    transcribe = () => Promise.reject(new Error('no such model'));
    for (const [index, [, prepare]] of failures.entries()) {
      prepare();
      await send(voice('gone'));
      const forwarded = await forwardedBecome(index + 1);
      expect(forwarded[index]).toMatchObject({ kind: 'audio', text: null, media: [{ id: 'gone' }] });
    }
    const { id } = await conversationWith(tenant, agent, sender);
    const messages = await messagesBecome(tenant, id, [{ status: 'handled' }, { status: 'handled' }]);
    expect(messages.map(({ error }) => error)).toEqual(
      failures.map(([, , words]) =>
        expect.stringMatching(new RegExp(`^The voice note was not transcribed: .*${words}`)),
      ),
    );
  });

  it('leaves a row of usage with its seconds, priced per minute by the catalogue', async () => {
    channel.keep('paid', Buffer.alloc(6000), 'audio/mpeg');
    transcribe = () => Promise.resolve('words');
    const priced = (cost_audio_per_minute: string | null) =>
      service.operations.put('/internal/v1/models', [{ model_id: MODEL, cost_audio_per_minute }]);
    await send(voice('paid'));
    await forwardedBecome(1);
    await priced('0.006');
    told = 30;
    await send(voice('paid'));
    await forwardedBecome(2);
    const rows = await service.database.query(
      `select model, provider, status, audio_seconds::float8, estimated, cost::text, input_tokens
       from llm_calls where instance_id = $1 order by at`,
      [agent.instance.id],
    );
    const row = { model: MODEL, provider: 'transcription', status: 'ok', input_tokens: '0' };
    expect(rows).toEqual([
      { ...row, audio_seconds: 6, estimated: true, cost: null },
      { ...row, audio_seconds: 30, estimated: false, cost: expect.stringMatching(/^0\.0030*$/) as string },
    ]);
    const { body } = await tenant.api.get<{ items: object[] }>('/v1/usage?group_by=model,instance');
    expect(body.items).toContainEqual(
      expect.objectContaining({
        model: MODEL,
        instance_id: agent.instance.id,
        calls: 2,
        audio_seconds: 36,
        cost: '0.003',
      }),
    );
    await tenant.api.put(`/v1/customers/${agent.instance.customer_id}/budget`, { monthly_cost: '1' });
    await priced(null);
    await send(voice('paid'));
    await forwardedBecome(3);
    await priced('1000');
    await send(voice('paid'));
    await forwardedBecome(4);
    told = null;
    const { id } = await conversationWith(tenant, agent, sender);
    const messages = await messagesBecome(tenant, id, [{}, {}, { text: null }, { text: null }]);
    expect(messages.slice(2).map(({ error }) => error)).toEqual([
      expect.stringContaining('has no price'),
      expect.stringContaining('budget of the customer has no room'),
    ]);
  });

  it('is transcribed, but not music', async () => {
    await send({ type: 'audio', audio: { id: '1', voice: false } });
    expect(await forwardedBecome(1)).toMatchObject([{ kind: 'audio', text: null, media: [{ id: '1' }] }]);
    const { id } = await conversationWith(tenant, agent, sender);
    await messagesBecome(tenant, id, [{ status: 'handled', error: null }]);
  });
});

describe('a changed number', () => {
  it('moves the identity and the conversation', async () => {
    const [old, next] = [sender, uniqueSender()];
    const identity_id = await add(`+${old}`);
    await send(textMessage(uniqueId(), 'Hi', old));
    const before = await conversationWith(tenant, agent, old);
    await send(changed(old, next));
    expect(await lookUp(old)).toBe(404);
    expect(await lookUp(next)).toMatchObject({ identity_id, external_id: `+${next}`, verified: true });
    await forwardedBecome(2);
    const sent = new Promise((resolve) => {
      channel.answers.set(`/${agent.phone_number_id}/messages`, (response, request) => {
        // The service also marks messages as read here.
        void json(request).then((body) => Object.hasOwn(body as object, 'to') && resolve(body));
        sending('application/json', '{"messages":[{"id":"1"}]}')(response, request);
      });
    });
    await answer(service, agent, before.id, { text: 'Welcome back', in_reply_to: null });
    expect(await sent).toMatchObject({ to: next });
    await send(textMessage(uniqueId(), 'Me again', next));
    const forwarded = await forwardedBecome(3);
    expect(forwarded[1]).toMatchObject({ kind: 'system', text: null, raw: { message: { from: old } } });
    expect(forwarded[2]).toMatchObject({
      conversation_id: before.id,
      external_id: old,
      addresses: [next],
      identity_id,
    });
    // The number's next owner is a stranger.
    expect(await lookUp(old)).toBe(404);
    await send(textMessage(uniqueId(), 'Who is this?', old));
    expect((await forwardedBecome(4))[3]).toMatchObject({ external_id: old, identity_id: null });
  });

  it('is applied once, although the message is repeated', async () => {
    const [old, next] = [sender, uniqueSender()];
    await add(old);
    const change = { id: uniqueId(), ...changed(old, next) };
    await send(change);
    const later = await add(old);
    await send(change);
    expect(await lookUp(old)).toMatchObject({ identity_id: later, verified: true });
  });

  it('that is known already leaves the former identity unverified', async () => {
    const [old, next] = [sender, uniqueSender()];
    const [former, other] = [await add(old), await add(next)];
    await send(changed(old, next));
    expect(await lookUp(next)).toMatchObject({ identity_id: other, verified: true });
    expect(await lookUp(old)).toMatchObject({ identity_id: former, verified: false });
  });

  it('moves the identity to a new user id too', async () => {
    const [old, next] = [sender, uniqueSender()];
    const ids = { user_id: `DE.${randomUUID()}`, previous_user_id: `DE.${randomUUID()}` };
    const identity_id = await add(ids.previous_user_id);
    await send(changed(old, next, ids));
    expect(await lookUp(ids.previous_user_id)).toBe(404);
    expect(await lookUp(ids.user_id)).toMatchObject({ identity_id });
    expect(await lookUp(next)).toMatchObject({ identity_id });
  });

  it('moves no identity of another customer', async () => {
    const shared = await Crew.gather(service, tenant);
    const path = `${shared.customer_path}/identities`;
    await tenant.api.post(path, { channel: 'chatapp', external_id: sender });
    await send(changed(sender, uniqueSender()));
    const list = await tenant.api.get<{ items: { external_id: string }[] }>(path);
    expect(list.body.items).toMatchObject([{ external_id: sender }]);
  });

  it('requires the worker to verify again, with the same code', async () => {
    const [old, next] = [sender, uniqueSender()];
    const crew = new Crew(service, tenant, agent.instance);
    const ada = await crew.add({ name: 'Ada' });
    await crew.bind(ada, { channel_type: 'chatapp', channel_address: `+${old}`, code: '4711' });
    const verify = (channel_address: string, response: string) =>
      service.operations.post(`${crew.path}/worker/verify`, {
        channel_type: 'chatapp',
        channel_address,
        response,
      });
    const shifts = async (channel_address: string) => {
      const query = new URLSearchParams({ channel_type: 'chatapp', channel_address }).toString();
      return (await service.operations.get(`${crew.path}/worker/me/shifts?${query}`)).status;
    };
    await verify(old, '4711');
    expect(await shifts(old)).toBe(200);
    await send(changed(old, next));
    expect([await shifts(old), await shifts(next)]).toEqual([404, 403]);
    expect((await verify(next, 'yes')).body).toMatchObject({ state: 'unverified' });
    expect((await verify(next, '4711')).body).toMatchObject({ state: 'verified' });
    expect(await shifts(next)).toBe(200);
  });

  it('rejects a binding when the new number has one already', async () => {
    const [old, next] = [sender, uniqueSender()];
    const crew = new Crew(service, tenant, agent.instance);
    const [ada, bea] = [await crew.add({ name: 'Ada' }), await crew.add({ name: 'Bea' })];
    await crew.bind(ada, { channel_type: 'chatapp', channel_address: old });
    await crew.bind(bea, { channel_type: 'chatapp', channel_address: next });
    await send(changed(old, next));
    const stateOf = async ({ id }: { id: string }) =>
      (await tenant.api.get<{ items: unknown[] }>(`${crew.customer_path}/staff/${id}/bindings`)).body.items;
    expect(await stateOf(ada)).toMatchObject([{ channel_address: old, state: 'rejected' }]);
    expect(await stateOf(bea)).toMatchObject([{ channel_address: next, state: 'unverified' }]);
  });

  it('keeps both conversations of a sender who has one at each number', async () => {
    const [old, next] = [sender, uniqueSender()];
    await send(textMessage(uniqueId(), 'old', old), textMessage(uniqueId(), 'new', next));
    const [a, b] = [await conversationWith(tenant, agent, old), await conversationWith(tenant, agent, next)];
    await send(changed(old, next));
    await forwardedBecome(3);
    expect(await messagesIn(tenant, a.id)).toHaveLength(2);
    expect(await messagesIn(tenant, b.id)).toHaveLength(1);
  });
});

describe('a national variant', () => {
  it('finds the identity, the worker and the sender of a conversation', async () => {
    const crew = new Crew(service, tenant, agent.instance);
    for (const [longer, shorter] of pairs()) {
      const path = `${crew.customer_path}/identities`;
      const { body: identity } = await tenant.api.post<{ id: string }>(path, {
        channel: 'chatapp',
        external_id: `+${longer}`,
      });
      const ada = await crew.add({ name: 'Ada' });
      await crew.bind(ada, { channel_type: 'chatapp', channel_address: `+${longer}` });
      const query = new URLSearchParams({ channel: 'chatapp', external_id: shorter }).toString();
      expect((await service.operations.get(`${crew.path}/lookup/identity?${query}`)).body).toMatchObject({
        identity_id: identity.id,
      });
      expect((await tenant.api.get(`${path}?external_id=${shorter}`)).body).toMatchObject({ total: 1 });
      const verified = { channel_type: 'chatapp', channel_address: shorter, response: 'yes' };
      expect((await service.operations.post(`${crew.path}/worker/verify`, verified)).body).toMatchObject({
        verified: true,
        person_id: ada.id,
      });
      await send(textMessage(uniqueId(), 'Olá', shorter));
      await vi.waitFor(
        async () =>
          expect(await conversationWith(tenant, agent, shorter)).toMatchObject({
            identity_id: identity.id,
            person_id: ada.id,
          }),
        WAIT,
      );
    }
  });

  it('is the same in SQL as in lookups', async () => {
    const countries = ['55', '5511', '55119', '52', '521', '54', '549', '49', ''];
    const numbers = countries.flatMap((country) =>
      Array.from({ length: 40 }, (_, index) => {
        const rest = String(Math.floor(Math.random() * 1e15)).padStart(15, '7');
        return `${index % 2 ? '+' : ''}${country}${rest.slice(0, 6 + (index % 9))}`;
      }),
    );
    const addresses = [...numbers, 'DE.5511987654321', '', '+', '+55 11'];
    const rows = await service.database.query<{ address: string; spellings: string[] }>(
      'select address, address_spellings(address) as spellings from unnest($1::text[]) address',
      [addresses],
    );
    expect(rows.map(({ spellings }) => spellings.toSorted())).toEqual(
      rows.map(({ address }) => spellingsOf(address).toSorted()),
    );
  });
});
