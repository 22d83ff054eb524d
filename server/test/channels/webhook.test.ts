import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockWaits } from '../support/database.ts';
import { growthOf, LESS_THAN_QUADRATIC } from '../support/growth.ts';
import { holdMessages } from '../support/held-messages.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from '../support/service.ts';
import {
  changeFor,
  conversationsOf,
  createEndpoint,
  deliver,
  HOOK,
  messagesCountedBy,
  payloadOf,
  secondsAgo,
  sendMessages,
  sign,
  storedMessages,
  type TestEndpoint,
  textMessage,
} from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
let endpoint: TestEndpoint;

// Nothing is forwarded, so that jobs can be counted.
beforeAll(async () => {
  service = await startTestService({ databaseWaits: PATIENT_WAITS, runsJobs: false });
  tenant = await service.createTenant('Acme');
  endpoint = await createEndpoint(service, tenant);
});
afterAll(() => service.stop());

const stored = (of: TestEndpoint) => storedMessages(service, of);
const conversations = (of: TestEndpoint) => conversationsOf(service, of);
const countedBy = (outcome: string, run: () => Promise<unknown>) => messagesCountedBy(service, outcome, run);
const messageFor = ({ phone_number_id }: TestEndpoint, id: string = randomUUID()) =>
  payloadOf(changeFor(phone_number_id, textMessage(id, 'Hello')));

const verify = (query: Record<string, string>) =>
  service.anonymous.get<{ detail: string }>(`${HOOK}?${new URLSearchParams(query).toString()}`);
const post = (raw: string, signature?: string) =>
  service.anonymous.request('POST', HOOK, {
    raw,
    headers: signature === undefined ? {} : { 'x-hub-signature-256': signature },
  });
const texts = (...ids: string[]) => ids.map((id) => textMessage(id, `Text ${id}`));

const messagesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `wamid.${index}`,
    from: String(index % 500),
    type: 'text',
    text: { body: 'Hello' },
  }));

describe('verification', () => {
  it('gives the challenge back as plain text for a registered token', async () => {
    const token = { 'hub.verify_token': endpoint.verify_token, 'hub.challenge': '<b>1158201444</b>' };
    for (const query of [{ 'hub.mode': 'subscribe', ...token }, token]) {
      const { status, text, headers } = await verify(query);
      expect({ status, text }).toEqual({ status: 200, text: '<b>1158201444</b>' });
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(await verify({ 'hub.verify_token': endpoint.verify_token })).toMatchObject({
      status: 200,
      text: '',
    });
  });

  it('refuses a wrong or missing token and another mode', async () => {
    const challenge = { 'hub.challenge': 'x' };
    for (const query of [
      {},
      challenge,
      { 'hub.mode': 'subscribe', ...challenge },
      { 'hub.mode': 'subscribe', 'hub.verify_token': '', ...challenge },
      { 'hub.mode': 'subscribe', 'hub.verify_token': `${endpoint.verify_token}x`, ...challenge },
      { 'hub.mode': 'subscribe', 'hub.verify_token': endpoint.app_secret, ...challenge },
      { 'hub.mode': 'unsubscribe', 'hub.verify_token': endpoint.verify_token, ...challenge },
      { 'hub.mode': 'subscribe', 'hub.verify_token': 'x'.repeat(1001), ...challenge },
      { 'hub.mode': 'x'.repeat(101), 'hub.verify_token': endpoint.verify_token, ...challenge },
    ]) {
      const { status, body } = await verify(query);
      expect({ status, detail: body.detail }).toEqual({
        status: 403,
        detail: 'The verify token does not match',
      });
    }
  });

  it('limits the length of the echoed challenge', async () => {
    const query = { 'hub.verify_token': endpoint.verify_token, 'hub.challenge': 'x'.repeat(1001) };
    expect((await verify(query)).status).toBe(422);
  });
});

describe('the signature', () => {
  it('is required', async () => {
    const raw = JSON.stringify(messageFor(endpoint));
    const right = sign(raw, endpoint.app_secret);
    for (const signature of [
      undefined,
      '',
      'sha256=',
      right.slice('sha256='.length),
      right.replace('sha256', 'sha1'),
      right.slice(0, -1),
      `${right}0`,
      `x${right}`,
      `sha256=${'z'.repeat(64)}`,
      `${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`,
      sign(`${raw} `, endpoint.app_secret),
    ]) {
      expect([signature, (await post(raw, signature)).status]).toEqual([signature, 401]);
    }
    expect(await stored(endpoint)).toEqual([]);
    const { status, text } = await post(raw, right.toUpperCase().replace('SHA256', 'sha256'));
    expect({ status, text }).toEqual({ status: 200, text: '{}' });
  });

  it('covers the raw bytes', async () => {
    const spaced = await createEndpoint(service, tenant);
    const raw = JSON.stringify(messageFor(spaced), null, 3).replace('Hello', 'Gr\\u00fc\\u00df dich 🌍');
    expect((await post(raw, sign(raw, spaced.app_secret))).status).toBe(200);
    expect((await stored(spaced))[0]?.text).toBe('Grüß dich 🌍');
  });

  it('of another endpoint is refused', async () => {
    const other = await createEndpoint(service, await service.createTenant());
    expect((await deliver(service, messageFor(endpoint), other.app_secret)).status).toBe(401);
    const both = payloadOf(
      changeFor(endpoint.phone_number_id, textMessage('theirs', 'Hello')),
      changeFor(other.phone_number_id, textMessage('own', 'Hello')),
    );
    expect((await deliver(service, both, other.app_secret)).status).toBe(200);
    expect((await stored(other)).map(({ message_id }) => message_id)).toEqual(['own']);
    expect((await stored(endpoint)).map(({ message_id }) => message_id)).not.toContain('theirs');
  });

  it('may be that of any endpoint when the payload has no registered number', async () => {
    for (const payload of [
      messageFor({ ...endpoint, phone_number_id: 'nobody' }),
      'not JSON',
      '"text"',
      '',
    ]) {
      expect((await deliver(service, payload, endpoint.app_secret)).status).toBe(200);
      expect((await deliver(service, payload, 'nobody’s secret')).status).toBe(401);
    }
  });
});

describe('a payload', () => {
  it('is stored with every entry, change and message, in order', async () => {
    const [second, elsewhere] = await Promise.all([
      createEndpoint(service, tenant),
      createEndpoint(service, await service.createTenant()),
    ]);
    const app_secret = 'the secret of an app with several numbers';
    const first = await createEndpoint(service, tenant);
    await tenant.api.patch(`/v1/channel-endpoints/${first.id}`, { app_secret });
    await tenant.api.patch(`/v1/channel-endpoints/${second.id}`, { app_secret });
    const [owner] = await service.database.query<{ tenant_id: string }>(
      'select tenant_id from channel_endpoints where id = $1',
      [elsewhere.id],
    );
    const key = await service.createKey(owner?.tenant_id ?? '', { role: 'admin', scopes: ['*'] });
    const theirs = service.anonymous.with({ 'x-api-key': key });
    await theirs.patch(`/v1/channel-endpoints/${elsewhere.id}`, { app_secret });

    const payload = {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            changeFor(first.phone_number_id, ...texts('z', 'a')),
            changeFor(second.phone_number_id, ...texts('b')),
          ],
        },
        {
          id: '2',
          changes: [
            { field: 'account_update', value: { event: 'x' } },
            changeFor(elsewhere.phone_number_id, ...texts('c')),
            changeFor(first.phone_number_id, ...texts('m')),
          ],
        },
      ],
    };
    expect((await deliver(service, payload, app_secret)).status).toBe(200);
    const ids = async (of: TestEndpoint) => (await stored(of)).map(({ message_id }) => message_id);
    expect(await ids(first)).toEqual(['z', 'a', 'm']);
    expect(await ids(second)).toEqual(['b']);
    expect(await ids(elsewhere)).toEqual(['c']);
    expect((await stored(elsewhere))[0]?.tenant_id).toBe(owner?.tenant_id);
    expect(await conversations(first)).toEqual(['4915112345678']);
  });

  it('stores each message with its text, its sender and its context', async () => {
    const own = await createEndpoint(service, tenant);
    const from = '4915112345678';
    const base = { from, timestamp: secondsAgo(0) };
    const change = changeFor(
      own.phone_number_id,
      { ...base, id: '1', type: 'text', text: { body: 'Hi' } },
      { ...base, id: '2', type: 'button', button: { text: 'Yes', payload: 'p' } },
      { ...base, id: '3', type: 'interactive', interactive: { button_reply: { id: 'x', title: 'One' } } },
      { ...base, id: '4', type: 'interactive', interactive: { list_reply: { id: 'x', title: 'Two' } } },
      { ...base, id: '5', type: 'image', image: { id: '77', caption: 'Look' } },
      { ...base, id: '6', type: 'text', text: { body: 7 }, from_user_id: 'DE.77' },
      { id: '7', type: 'text', text: { body: 'Hi' }, from_user_id: 'DE.88' },
      { ...base, id: '8', type: 'text', text: { body: 'Hi' }, from: '49301' },
    );
    change.value.contacts = [
      { profile: { name: 'Ada' }, wa_id: from },
      { profile: { name: 'Bob' }, wa_id: '1', user_id: 'DE.88' } as never,
    ];
    expect((await deliver(service, payloadOf(change), own.app_secret)).status).toBe(200);
    const rows = await stored(own);
    expect(rows.map(({ text }) => text)).toEqual(['Hi', 'Yes', 'One', 'Two', 'Look', null, 'Hi', 'Hi']);
    expect(rows.map(({ external_id }) => external_id)).toEqual([
      from,
      from,
      from,
      from,
      from,
      'DE.77',
      'DE.88',
      '49301',
    ]);
    expect(rows[0]?.raw).toEqual({
      metadata: change.value.metadata,
      contacts: [change.value.contacts[0]],
      message: change.value.messages[0],
    });
    expect(rows[6]?.raw.contacts).toEqual([change.value.contacts[1]]);
    // With several contacts, a sender without an own contact has none.
    expect(rows[7]?.raw.contacts).toEqual([]);
  });

  it('is stored once when it comes 20 times at once', async () => {
    const own = await createEndpoint(service, tenant);
    const messages = Array.from({ length: 20 }, (_, index) => textMessage(`wamid.${index}`, 'Hello'));
    const duplicates = await countedBy('duplicate', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => sendMessages(service, own, ...messages)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    });
    expect(await stored(own)).toHaveLength(20);
    expect(await conversations(own)).toEqual(['4915112345678']);
    expect(duplicates).toBe(380);
  });

  it('is stored when another one has the same messages in the other order', async () => {
    const own = await createEndpoint(service, tenant);
    const messages = ['a', 'b', 'c'].map((id) => textMessage(id, 'Hello'));
    // Both are halfway when b is released.
    const { release } = await holdMessages(service, own, 'b');
    const answers = [sendMessages(service, own, ...messages)];
    await lockWaits(service.database, 1);
    answers.push(sendMessages(service, own, ...messages.toReversed()));
    await lockWaits(service.database, 2);
    await release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await stored(own)).toHaveLength(3);
  });

  it('may have message ids of another endpoint', async () => {
    const [a, b] = await Promise.all([createEndpoint(service, tenant), createEndpoint(service, tenant)]);
    for (const own of [a, b]) await sendMessages(service, own, ...texts('the same'));
    expect(await stored(a)).toHaveLength(1);
    expect(await stored(b)).toHaveLength(1);
  });

  it('is counted when it has nothing to forward', async () => {
    const own = await createEndpoint(service, tenant);
    const send = async (payload: unknown) => {
      expect((await deliver(service, payload, own.app_secret)).status).toBe(200);
    };
    const statuses = changeFor(own.phone_number_id);
    Object.assign(statuses.value, { messages: undefined, statuses: [{ id: '1' }, { id: '2' }] });
    expect(await countedBy('status', () => send(payloadOf(statuses)))).toBe(2);
    expect(await countedBy('unknown_number', () => send(messageFor({ ...own, phone_number_id: 'x' })))).toBe(
      1,
    );
    expect(await countedBy('unparseable', () => send('{"entry": ['))).toBe(1);
    expect(await countedBy('unparseable', () => send('['.repeat(1_000_000)))).toBe(1);
    const nameless = payloadOf(
      changeFor(own.phone_number_id, { from: '1' }, { id: '1' }, textMessage('x'.repeat(257), 'Hi')),
    );
    expect(await countedBy('unparseable', () => send(nameless))).toBe(3);
    expect(await stored(own)).toEqual([]);
    expect(await countedBy('stored', () => send(messageFor(own)))).toBe(1);
  });

  it('of any shape is no server error', async () => {
    const own = await createEndpoint(service, tenant);
    const { phone_number_id } = own;
    const odd: unknown[] = [null, 7, 'x', [], {}, [[]], { phone_number_id }];
    for (const value of odd) {
      for (const payload of [
        { entry: value },
        { entry: [value] },
        { entry: [{ changes: value }] },
        { entry: [{ changes: [value] }] },
        { entry: [{ changes: [{ value: { metadata: value } }] }] },
        {
          entry: [
            { changes: [{ value: { metadata: { phone_number_id }, contacts: value, messages: value } }] },
          ],
        },
        {
          entry: [
            { changes: [{ value: { metadata: { phone_number_id }, contacts: [value], messages: [value] } }] },
          ],
        },
        {
          entry: [
            {
              changes: [
                {
                  value: {
                    metadata: { phone_number_id },
                    messages: [{ id: 'odd', from: value, text: value, button: value, interactive: value }],
                  },
                },
              ],
            },
          ],
        },
      ]) {
        const { status } = await deliver(service, payload, own.app_secret);
        expect([JSON.stringify(payload), status]).toEqual([JSON.stringify(payload), 200]);
      }
    }
  });

  it('may have characters that PostgreSQL refuses', async () => {
    const own = await createEndpoint(service, tenant);
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const raw = JSON.stringify(
      payloadOf(
        changeFor(own.phone_number_id, {
          ...textMessage('id\0', 'a\0b\ud800', 'x\0'),
          deep: 'DEEP',
          huge: 'HUGE',
        }),
      ),
    )
      .replace('"DEEP"', deep)
      .replace('"HUGE"', '1e999, "__proto__": {"a\\u0000": "\\udfff"}');
    expect((await deliver(service, raw, own.app_secret)).status).toBe(200);
    const [row] = await stored(own);
    expect(row).toMatchObject({ message_id: 'id\uFFFD', external_id: 'x\uFFFD', text: 'a\uFFFDb\uFFFD' });
    const message = new Map(Object.entries(row?.raw.message ?? {}));
    expect(message.get('__proto__')).toEqual({ 'a\uFFFD': '\uFFFD' });
    expect(message.get('huge')).toBeNull();
  });

  it('of 1 MiB with 10,000 messages is stored whole, in linear time', async () => {
    let last = endpoint;
    const take = async (count: number) => {
      last = await createEndpoint(service, tenant);
      const change = changeFor(last.phone_number_id, ...messagesOf(count));
      // A large contact must not be stored ten thousand times.
      change.value.contacts = [{ profile: { name: 'x'.repeat(20 * count) }, wa_id: '1' }];
      const raw = JSON.stringify(payloadOf(change));
      expect(raw.length).toBeLessThan(1024 * 1024);
      expect((await deliver(service, raw, last.app_secret)).status).toBe(200);
    };
    expect(await growthOf(take, 2500, 1)).toBeLessThan(LESS_THAN_QUADRATIC);
    const rows = await stored(last);
    expect(rows.map(({ message_id }) => message_id)).toEqual(messagesOf(10_000).map(({ id }) => id));
  });

  it('over 1 MiB is refused', async () => {
    expect((await deliver(service, 'x'.repeat(1024 * 1024 + 1), endpoint.app_secret)).status).toBe(413);
  });

  it.each([
    ['none', {}],
    ['of text', { 'content-type': 'text/plain;charset=UTF-8' }],
    ['of bytes', { 'content-type': 'application/octet-stream' }],
    ['that is none', { 'content-type': 'nonsense' }],
  ])('is verified by its signature, with a Content-Type %s', async (_, type: Record<string, string>) => {
    const bytes = Buffer.from(JSON.stringify(messageFor(endpoint)));
    const send = async (secret: string) => {
      const headers = { ...type, 'x-hub-signature-256': sign(bytes, secret) };
      return (await fetch(service.base_url + HOOK, { method: 'POST', body: bytes, headers })).status;
    };
    expect(await send('of somebody else')).toBe(401);
    expect(await send(endpoint.app_secret)).toBe(200);
  });
});

const named = (field: unknown) => ({ field, value: { event: 'x' } });

it('counts the changes by the name of their field, once the signature is right', async () => {
  const count = async (field: string) => {
    const { text } = await service.anonymous.get('/metrics');
    return Number(
      new RegExp(`^acp_webhook_changes_total\\{field="${field}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0,
    );
  };
  const payload = payloadOf(named('history'), named('history'), named('<b>'), named(7));
  const counts = async () => [await count('history'), await count('other')];
  expect((await deliver(service, payload, 'nobody’s secret')).status).toBe(401);
  const [history = 0, other = 0] = await counts();
  expect((await deliver(service, payload, endpoint.app_secret)).status).toBe(200);
  expect(await counts()).toEqual([history + 2, other + 2]);
});
