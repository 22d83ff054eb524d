import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isVoiceNote, kindOf, readChangedAddress, readContent } from './inbound-content.ts';
import { readPayload } from './webhook-payload.ts';

const flow = (response_json: unknown) => ({
  type: 'interactive',
  interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json } },
});
const reply = (type: string, part: object) => ({ type: 'interactive', interactive: { type, [type]: part } });

const audio = (voice: unknown) => isVoiceNote({ type: 'audio', audio: { id: '1', voice } });
const system = (part: object, from = '4911', rest = {}) =>
  readChangedAddress({ type: 'system', from, system: part, ...rest });

describe('content', () => {
  it.each([
    ['a text', { type: 'text', text: { body: 'Hi' } }, 'text', { text: 'Hi' }],
    [
      'a button of a template',
      { type: 'button', button: { text: 'Yes', payload: 'p' } },
      'button',
      { text: 'Yes', reply_id: 'p' },
    ],
    [
      'a button',
      reply('button_reply', { id: 'b', title: 'One' }),
      'button_reply',
      { text: 'One', reply_id: 'b' },
    ],
    [
      'an entry of a list',
      reply('list_reply', { id: 'l', title: 'Two', description: 'the second' }),
      'list_reply',
      { text: 'Two', reply_id: 'l' },
    ],
    [
      'a form',
      flow(
        JSON.stringify({
          flow_token: 'secret',
          day: 'Friday',
          sizes: ['S', 'M'],
          seats: 2,
          guest: { name: 'Bo' },
        }),
      ),
      'nfm_reply',
      { text: 'day: Friday\nsizes: S, M\nseats: 2\nguest: {"name":"Bo"}' },
    ],
    ['a form that is no JSON', flow('free words'), 'nfm_reply', { text: 'free words' }],
    [
      'a place',
      {
        type: 'location',
        location: { latitude: -33.8568, longitude: 151.2153, name: 'Opera House', address: 'Sydney' },
      },
      'location',
      { text: 'Opera House\nSydney\n-33.8568, 151.2153' },
    ],
    [
      'a card',
      {
        type: 'contacts',
        contacts: [
          {
            name: { formatted_name: 'Bo Berg', first_name: 'Bo' },
            org: { company: 'Acme' },
            phones: [{ phone: '+61 400 000 001', wa_id: '61400000001' }],
            emails: [{ email: 'bo@example.com' }],
          },
          { name: { first_name: 'Cy', last_name: 'Day' } },
        ],
      },
      'contacts',
      { text: 'Bo Berg, Acme, +61 400 000 001, bo@example.com\nCy Day' },
    ],
    [
      'an order',
      {
        type: 'order',
        order: {
          catalog_id: '1',
          text: 'By Friday please',
          product_items: [{ product_retailer_id: 'sku-1', quantity: 2, item_price: 19.9, currency: 'EUR' }],
        },
      },
      'order',
      { text: 'By Friday please\n2 × sku-1 (19.9 EUR)' },
    ],
    [
      'a document',
      {
        type: 'document',
        document: { id: '7', caption: 'Look', filename: 'a.pdf', mime_type: 'application/pdf' },
      },
      'document',
      { text: 'Look', media: [{ id: '7', mime_type: 'application/pdf', size: null, filename: 'a.pdf' }] },
    ],
    [
      'a voice note',
      { type: 'audio', audio: { id: '8', voice: true, mime_type: 'audio/ogg; codecs=opus' } },
      'audio',
      { text: null, media: [{ id: '8', mime_type: 'audio/ogg; codecs=opus', size: null }] },
    ],
    [
      'a corrected text',
      {
        type: 'edit',
        edit: { original_message_id: 'w1', message: { type: 'text', text: { body: 'Tuesday' } } },
      },
      'edit',
      { text: 'Tuesday', edited_message_id: 'w1' },
    ],
    [
      'a corrected caption',
      {
        type: 'edit',
        edit: { original_message_id: 'w1', message: { type: 'image', image: { id: '7', caption: 'New' } } },
      },
      'edit',
      { text: 'New', edited_message_id: 'w1', media: [{ id: '7', mime_type: null, size: null }] },
    ],
    ['a message without a type', { text: { body: 'Hi' } }, 'text', { text: 'Hi' }],
    [
      'a revocation',
      { type: 'revoke', revoke: { original_message_id: 'w1' } },
      'revoke',
      { text: null, revoked_message_id: 'w1' },
    ],
    [
      'what the channel could not pass on',
      { type: 'unsupported', errors: [{ code: 131051, title: 'Unsupported' }] },
      'unsupported',
      { text: null, error: 'The channel could not pass it on: 131051 Unsupported' },
    ],
    [
      'a reaction',
      { type: 'reaction', reaction: { message_id: 'w1', emoji: '👍' } },
      'reaction',
      { text: null, quoted_id: 'w1', reaction: { emoji: '👍' } },
    ],
  ])('%s is read', (_, message, kind, content) => {
    expect([kindOf(message), readContent(message)]).toEqual([kind, content]);
  });

  it.each([
    ['request_welcome', { type: 'request_welcome' }],
    ['system', { type: 'system', system: { body: 'Ada changed', type: 'user_changed_number', wa_id: '1' } }],
    ['call_permission_reply', reply('call_permission_reply', { response: 'accept' })],
    [
      'poll_of_tomorrow',
      { type: 'poll_of_tomorrow', poll_of_tomorrow: { body: 'Hi' }, text: { body: 'Hi' } },
    ],
    ['constructor', { type: 'constructor' }],
    ['unknown', {}],
  ])('%s has no text, and keeps its kind', (kind, message) => {
    expect([kindOf(message), readContent(message)]).toEqual([kind, { text: null }]);
  });
});

it('media ids that could change the path of the channel’s API are left out', () => {
  for (const id of ['../7', '.', '7/x', '7?x', '', 7, 'x'.repeat(257)]) {
    expect(readContent({ type: 'image', image: { id, caption: 'Look' } }).media).toEqual([]);
  }
});

it('music is no voice note', () => {
  expect([
    audio(true),
    audio(false),
    audio('true'),
    isVoiceNote({ type: 'voice', voice: { id: '1' } }),
  ]).toEqual([true, false, false, true]);
});

it('a changed number is read with the former and the new addresses', () => {
  expect(system({ type: 'user_changed_number', wa_id: '4922' })).toEqual({
    from: ['4911'],
    new_phone: '4922',
    new_user_id: null,
  });
  expect(system({ type: 'customer_changed_number', new_wa_id: '4922' })?.new_phone).toBe('4922');
  expect(
    system({ type: 'user_changed_number', wa_id: '4922', user_id: 'DE.2', previous_user_id: 'DE.1' }),
  ).toEqual({ from: ['4911', 'DE.1'], new_phone: '4922', new_user_id: 'DE.2' });
  for (const other of [
    { type: 'customer_identity_changed', wa_id: '4922' },
    { type: 'user_changed_number' },
    { type: 'user_changed_number', wa_id: 7 },
    { type: 'user_changed_number', wa_id: '4911' },
  ]) {
    expect(system(other)).toBeUndefined();
  }
});

const anything = fc.anything({ withNullPrototype: false, maxDepth: 3 });
const TYPES = [
  'text',
  'interactive',
  'image',
  'audio',
  'location',
  'contacts',
  'order',
  'edit',
  'system',
  'button',
];
const FIELDS = [
  'body',
  'caption',
  'id',
  'filename',
  'mime_type',
  'file_size',
  'name',
  'address',
  'latitude',
  'longitude',
  'text',
  'product_items',
  'button_reply',
  'list_reply',
  'nfm_reply',
  'message',
  'original_message_id',
  'type',
  'wa_id',
];
const part = fc.dictionary(fc.constantFrom(...FIELDS), anything);
const oddMessage = fc
  .tuple(
    fc.oneof(fc.constantFrom(...TYPES), anything),
    fc.oneof(part, fc.array(part), anything),
    fc.constantFrom(...TYPES),
  )
  .map(([type, value, field]) => ({ id: 'odd', from: '1', type, [field]: value, interactive: value }));

it('no shape of a message is an error, and other messages of the payload are read', () => {
  fc.assert(
    fc.property(oddMessage, (odd) => {
      const good = { id: 'good', from: '1', type: 'text', text: { body: 'Hi' } };
      const value = { metadata: { phone_number_id: '1' }, messages: [odd, good] };
      const text = JSON.stringify({ entry: [{ changes: [{ value }] }] }, (_, one: unknown) =>
        typeof one === 'bigint' ? String(one) : one,
      );
      const messages = readPayload(Buffer.from(text))?.messages ?? [];
      const contents = messages.map((message) => JSON.parse(message.contents().json) as { text: unknown });
      expect(contents.map(({ text }) => text === null || typeof text === 'string')).toEqual([true, true]);
      expect(contents[1]?.text).toBe('Hi');
    }),
  );
});
