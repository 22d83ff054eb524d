import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChatappEmulator, startChatappEmulator } from '../src/chatapp-emulator.ts';

const MESSAGE = {
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: '61400000001',
  type: 'text',
  text: { body: 'Good morning' },
};

let emulator: ChatappEmulator;

beforeEach(async () => {
  emulator = await startChatappEmulator({ phone_number_id: '100', access_token: 'right' });
});
afterEach(() => emulator.close());

async function post(body: unknown, { path = '/100/messages', token = 'right', method = 'POST' } = {}) {
  const response = await fetch(emulator.base_url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const never = new AbortController().signal;

describe('the emulated send API', () => {
  it('accepts a text and returns the contact and the message’s id', async () => {
    expect(await post(MESSAGE)).toEqual({
      status: 200,
      body: {
        messaging_product: 'whatsapp',
        contacts: [{ input: '61400000001', wa_id: '61400000001' }],
        messages: [{ id: expect.stringMatching(/^wamid\.\S+$/) }],
      },
    });
    expect(await emulator.nextText(never)).toEqual({ to: '61400000001', text: 'Good morning', choices: [] });
  });

  it.each([
    [
      'buttons',
      { type: 'button', action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] } },
    ],
    [
      'a list',
      { type: 'list', action: { button: 'Pick', sections: [{ rows: [{ id: 'y', title: 'Yes' }] }] } },
    ],
  ])('accepts %s with their text', async (_what, choices) => {
    const interactive = { ...choices, body: { text: 'Sure?' } };
    expect((await post({ ...MESSAGE, type: 'interactive', interactive })).status).toBe(200);
    expect(await emulator.nextText(never)).toEqual({ to: '61400000001', text: 'Sure?', choices: ['Yes'] });
  });

  it('accepts a user id instead of a phone number', async () => {
    const { to: _to, ...rest } = MESSAGE;
    await post({ ...rest, recipient: 'US.1234' });
    expect(await emulator.nextText(never)).toEqual({ to: 'US.1234', text: 'Good morning', choices: [] });
  });

  it('returns the texts in order, also to an early caller', async () => {
    const first = emulator.nextText(never);
    await post(MESSAGE);
    await post({ ...MESSAGE, text: { body: 'Good night' } });
    expect([(await first).text, (await emulator.nextText(never)).text]).toEqual([
      'Good morning',
      'Good night',
    ]);
  });

  it('stops waiting with the signal', async () => {
    const stopping = new AbortController();
    const waiting = emulator.nextText(stopping.signal);
    stopping.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });

  it.each([
    ['another token', MESSAGE, { token: 'wrong' }, 401, 190],
    ['another number', MESSAGE, { path: '/200/messages' }, 400, 100],
    ['another method', MESSAGE, { method: 'GET' }, 400, 100],
    ['what is not JSON', 'to=1', {}, 400, 100],
    ['another product', { ...MESSAGE, messaging_product: 'sms' }, {}, 400, 100],
    ['no receiver', { ...MESSAGE, to: '' }, {}, 400, 100],
    ['what is not a text', { ...MESSAGE, type: 'image' }, {}, 400, 100],
    [
      'no choice',
      { ...MESSAGE, type: 'interactive', interactive: { body: { text: 'Sure?' } } },
      {},
      400,
      100,
    ],
    ['an empty text', { ...MESSAGE, text: { body: '' } }, {}, 400, 100],
    ['a text that is too long', { ...MESSAGE, text: { body: 'x'.repeat(4097) } }, {}, 400, 100],
  ])('refuses %s as the Graph API does', async (_what, body, how, status, code) => {
    expect(await post(body, how)).toEqual({
      status,
      body: {
        error: { message: expect.any(String), type: 'OAuthException', code, fbtrace_id: expect.any(String) },
      },
    });
  });
});
