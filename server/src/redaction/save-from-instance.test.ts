import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growthOf, LESS_THAN_QUADRATIC } from '../../test/support/growth.ts';
import { SAVED_FIELDS } from '../recipes/recipe-fields.contract.ts';
import type { KnownValue } from './known-forms.ts';
import type { StrippedKind } from './save-from-instance.contract.ts';
import { type RedactedRecipe, redactRecipe } from './save-from-instance.ts';

const REQUEST = { name: 'Saved', description: null };
const CUSTOMER = '3f1c9a52-3c0f-4e0b-8d5c-5f1f3e7a6b02';

type Config = Record<string, unknown>;

const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const escaped = (value: string) => JSON.stringify(value).slice(1, -1);

/** `others` are found only where they may be mentioned. */
const redact = (
  config: Config,
  request: { name: string; description: string | null },
  known: readonly KnownValue[],
  others: readonly KnownValue[] = [],
): Promise<RedactedRecipe> =>
  redactRecipe(config, request, known, async (mentions) =>
    others.filter((value) => mentions.mayMention(value)),
  );
const fieldsOf = async (config: Config, known: KnownValue[] = []) =>
  (await redact(config, REQUEST, known)).fields;
const known = (kind: StrippedKind, ...texts: string[]): KnownValue[] => texts.map((text) => ({ kind, text }));
const prompt = async (text: string, values: KnownValue[] = []) =>
  (await fieldsOf({ system_prompt: text }, values)).system_prompt;

describe('redactRecipe', () => {
  it('saves exactly the ten fields of the specification', async () => {
    const config = Object.fromEntries(SAVED_FIELDS.map((field) => [field, [field]]));
    const others = {
      approval_rules: { a: 1 },
      channel_config: {},
      module_config: {},
      sidecars: [],
      manifest_id: 'm',
    };
    expect(await redact({ ...config, ...others }, REQUEST, [])).toEqual({
      fields: config,
      name: 'Saved',
      description: null,
      stripped: [],
    });
    expect(SAVED_FIELDS).toHaveLength(10);
  });

  it.each([
    ['customer_id', 'customer_id', 'c-1'],
    ['customerId', 'customer_id', 'c-1'],
    ['apiKey', 'api_key', 'x'],
    ['X-Api-Key', 'api_key', 'x'],
    ['STRIPE_KEY', 'api_key', 'x'],
    ['OPENAI_API_KEY', 'api_key', 'x'],
    ['client_secret', 'secret', 'x'],
    ['access_token', 'secret', 123456],
    ['credentials', 'credential', { user: 'u' }],
    ['Authorization', 'credential', 'Basic eA=='],
    ['password', 'credential', ['x']],
    ['pass', 'credential', 'x'],
    ['smtpPass', 'credential', 'x'],
    ['privateKeyPem', 'credential', 'x'],
    ['ssh_key', 'credential', 'x'],
    ['phone', 'phone_number', '0151 1234'],
    ['phone_numbers', 'phone_number', ['5551234567']],
    ['instance_id', 'instance_id', 'i'],
  ] as const)('removes the member %s', async (key, kind, value) => {
    const config = { data_access: { deep: [{ [key]: value, kept: 1 }] } };
    const { fields, stripped } = await redact(config, REQUEST, []);
    expect(fields).toEqual({ data_access: { deep: [{ kept: 1 }] } });
    expect(stripped).toEqual([{ pointer: `/data_access/deep/0/${key}`, kind }]);
  });

  it.each([
    [
      { headers: [{ name: 'X-Api-Key', value: 'x' }] },
      { headers: [{ name: 'X-Api-Key' }] },
      'api_key',
      '/headers/0/value',
    ],
    [
      { env: [{ key: 'DB_PASSWORD', value: 'x' }] },
      { env: [{ key: 'DB_PASSWORD' }] },
      'credential',
      '/env/0/value',
    ],
    [{ args: ['-y', '--api-key', 'x', 'y'] }, { args: ['-y', '--api-key', 'y'] }, 'api_key', '/args/2'],
    [{ args: ['--token=x', '--port=80'] }, { args: ['--port=80'] }, 'secret', '/args/0'],
    [{ env: ['PASSWORD=x', 'PORT=80'] }, { env: ['PORT=80'] }, 'credential', '/env/0'],
    [
      { env: [{ name: 'Of the shop', key: 'API_KEY', value: 'x' }] },
      { env: [{ name: 'Of the shop', key: 'API_KEY' }] },
      'api_key',
      '/env/0/value',
    ],
    [{ args: ['--header', 'X-Api-Key: x', 'y'] }, { args: ['--header', 'y'] }, 'api_key', '/args/1'],
    [{ args: ['--token', '${TOKEN:-x}'] }, { args: ['--token'] }, 'secret', '/args/1'],
    [{ env: { PASSWORD: '%Summer2024%' } }, { env: {} }, 'credential', '/env/PASSWORD'],
    [{ args: ['-H', 'Authorization:Basic x'] }, { args: ['-H'] }, 'credential', '/args/1'],
  ] as const)('removes the value that a pair or argument names: %j', async (server, kept, kind, pointer) => {
    expect(await redact({ mcp_servers: [server] }, REQUEST, [])).toMatchObject({
      fields: { mcp_servers: [kept] },
      stripped: [{ pointer: `/mcp_servers/0${pointer}`, kind }],
    });
  });

  it.each([
    { max_tokens: '4000', output_tokens: 5, tokens: 12, bypass: 'all' },
    { requires_password: true, token: null, secret: '', api_key: false, credentials: {} },
    {
      fields: [
        { name: 'phone', value: 'optional' },
        { name: 'port', value: '80' },
        { key: 'token', value: null },
      ],
    },
    {
      env: [{ name: 'API_KEY', value: '${API_KEY}' }, 'TOKEN=%TOKEN%'],
      headers: { Authorization: 'Bearer ${env:TOKEN}' },
      args: [
        '--api-key',
        '${input:api-key}',
        '--token={{ token }}',
        '--header',
        'Authorization: Basic ${BASIC}',
      ],
    },
    { args: ['--no-password', 'database', '--header', 'Accept: text/plain', '--title', 'Token: x'] },
    {
      args: ['--password', '--verbose', '--max-tokens', '4000', 'token', 'x', '--url=https://x.example/?a=b'],
    },
    { phone: 'optional', email: 'required', tokenizer: 'bpe', keyboard: 'qwerty', secretary: 'Ada' },
    { version: '2026-01-31', model: 'claude-sonnet-4-5-20250929', ratio: '10.5/20.25', at: '12:30:45' },
    {
      text: 'Take 2+1000000 steps; see RFC 7396, section 2. 192.168.10.200 is @home. sk-learn is a task-runner.',
    },
    { text: 'C:\\temp\\new 100%25 %zz \\u12' },
    {
      text: 'Max tokens: 128000. Ask for the password: it is never told. The token is valid until 2026-01-31.',
    },
    {
      text: 'api_key=${CRM_KEY_1}, api key: {{key1}}, api_key=%KEY1%. sk-test-runner; the Wi-Fi password is guest2024.',
    },
  ])('keeps harmless values: %j', async (value) => {
    expect(await redact({ data_access: value }, REQUEST, [])).toMatchObject({
      fields: { data_access: value },
      stripped: [],
    });
  });

  it.each([
    ['Write to Ada.B+x@mail.example.co.uk now', 'Write to [email] now'],
    ['mailto:ada%40example.com?x', 'mailto:[email]?x'],
    ['Call +49 (151) 123-45678.', 'Call [phone_number].'],
    ['Call 0049 151 12345678!', 'Call [phone_number]!'],
    ['Call (555) 123-4567 or 555.123.4567', 'Call [phone_number] or [phone_number]'],
    ['<a href="tel:5551234567">', '<a href="tel:[phone_number]">'],
    ['with sk-abcdefghij0123456789 in it', 'with [api_key] in it'],
    ['key acp_abcdefgh_0123456789012345678901234567890123456789012', 'key [api_key]'],
    ['token ast_AX0123456789abcdefghijABCDEFGHIJ_kl now', 'token [api_key] now'],
    ['use gsk_0123456789abcdefghijABCDEFGHIJ now', 'use [api_key] now'],
    ['use xapp-1-A0123456789-0123456789012-0123456789abcdef now', 'use [api_key] now'],
    ['use SG.0123456789abcdefghijkl.0123456789abcdefghijklmnopqrstuvwxyzABCDEFG now', 'use [api_key] now'],
    ['use 1//0gabcdefghijklmnopqrstuvwxyz-0123456789 now', 'use [api_key] now'],
    [
      'at https://api.telegram.org/bot123456789:AAabcdefghijklmnopqrstuvwxyz0123456/sendMessage',
      'at https://api.telegram.org/bot[api_key]/sendMessage',
    ],
    [
      'at https://hooks.slack.com/services/T01234567/B01234567/abcdefghijklmnopqrstuvwx now',
      'at https://hooks.slack.com/services/[api_key] now',
    ],
    [
      'at https://discord.com/api/webhooks/123456789012345678/abcdefghijklmnopqrstuvwxyz-0123456789 now',
      'at https://discord.com/api/webhooks/[api_key] now',
    ],
    ['at https://user:hunter2@db/x', 'at https://[credential]@db/x'],
    ['at https://user:hunter2@db.example.com/x', 'at https://[credential]/x'],
    ['use sk-live-SECRET123 or sk_test_abcdefghijklmnop', 'use [api_key] or [api_key]'],
    ['with sk-abc123def456.', 'with [api_key].'],
    ['API key: 8f14e45fceea167a, access_token="a1b2c3d4"!', 'API key: [api_key], access_token="[secret]"!'],
    ['{"client_secret":"GK8-x7Qw"}', '{"client_secret":"[secret]"}'],
    ['run --auth-token=a1b2c3d4 CRM_API_KEY=hunter2', 'run --auth-token=[secret] CRM_API_KEY=[api_key]'],
    ['The API key is 8f14e45f.', 'The API key is [api_key].'],
    ['at https://x.example/?a=1&api_key=abcd1234&b=2', 'at https://x.example/?a=1&api_key=[api_key]&b=2'],
    ['Authorization: Bearer abcdefghijklmnopqrstuvwxyz', 'Authorization: Bearer [secret]'],
    ['-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY----- it is', '[credential] it is'],
  ])('recognises a secret by its form in %j', async (text, expected) => {
    expect(await prompt(text)).toBe(expected);
  });

  it.each([
    ['customer_id', CUSTOMER, `for ${CUSTOMER.toUpperCase()}.`, 'for [customer_id].'],
    ['customer_id', CUSTOMER, `x${CUSTOMER.replaceAll('-', '')}y`, 'x[customer_id]y'],
    ['secret', 'a b/c&"d', `u=${encodeURIComponent('a b/c&"d')}!`, 'u=[secret]!'],
    ['secret', 'a b/c&"d', `u=${encodeURIComponent(encodeURIComponent('a b/c&"d'))}!`, 'u=[secret]!'],
    ['secret', 'a b/c&"d', 'u=a+b%2fc%26%22d!', 'u=[secret]!'],
    ['secret', 'pä"ss\\w\nörd', `x ${JSON.stringify({ p: 'pä"ss\\w\nörd' })}`, 'x {"p":"[secret]"}'],
    ['secret', 'pä"ss\\w\nörd', `x ${JSON.stringify(JSON.stringify('pä"ss\\w\nörd'))}`, 'x "\\"[secret]\\""'],
    ['secret', 'passwort', 'x \\u0070asswort', 'x [secret]'],
    ['phone_number', '4915112345678', 'call 0049-151/123 456 78', 'call [phone_number]'],
    ['phone_number', '+49 151 12345678', 'call +49 (0) 151.12.34.56.78 now', 'call [phone_number] now'],
    ['phone_number', '4915112345678', 'dial 49 (0) 151/12345678 now', 'dial [phone_number] now'],
    ['phone_number', '0049 151 12345678', 'dial 49–151–12345678 now', 'dial [phone_number] now'],
    [
      'phone_number',
      '4915112345678',
      'call 0151 12345678 or 0151/123456-78',
      'call [phone_number] or [phone_number]',
    ],
    ['phone_number', '+44 20 7946 0958', 'call (020) 7946 0958 now', 'call ([phone_number] now'],
    ['phone_number', '14155552671', 'call 4155552671 now', 'call [phone_number] now'],
    ['phone_number', '+354 555 1234', 'call 555 1234 now', 'call [phone_number] now'],
    ['phone_number', '0151 12345678', 'dial 49-151-12345678 now', 'dial 49-[phone_number] now'],
    ['email', 'ADA@localhost', 'to ada@LocalHost', 'to [email]'],
    [
      'credential',
      'hunter2-hunter2',
      `Basic ${base64('hunter2-hunter2')}, please`,
      'Basic [credential], please',
    ],
    ['credential', 'pässwört?>', `at /cb/${base64url('pässwört?>')}/x`, 'at /cb/[credential]/x'],
    [
      'credential',
      'hunter2-hunter2',
      `{"a":"${escaped(base64('??>hunter2-hunter2'))}"}`,
      '{"a":"Pz8+[credential]"}',
    ],
    ['credential', 'hunter2-hunter2', `at ${base64('😀hunter2-hunter2')}`, 'at 8J+Yg[credential]'],
    ['email', 'ada@localhost', `x=${encodeURIComponent(base64('ada@localhost'))}&y`, 'x=[email]&y'],
  ] as const)('finds %s %j in %j', async (kind, value, text, expected) => {
    expect(await prompt(text, known(kind, value))).toBe(expected);
  });

  it('removes whole values, and points to their original positions', async () => {
    const values = known('phone_number', '4915112345678');
    const config = {
      skills: ['+49 151 12345678', 'faq', 4915112345678, { n: '4915112345678' }],
      system_prompt: ' 4915112345678 ',
    };
    expect(await redact(config, REQUEST, values)).toMatchObject({
      fields: { skills: ['faq', {}], system_prompt: undefined },
      stripped: [
        { pointer: '/system_prompt' },
        { pointer: '/skills/0' },
        { pointer: '/skills/2' },
        { pointer: '/skills/3/n' },
      ],
    });
  });

  it('removes a member whose name is known, also from pointers', async () => {
    const config = {
      voice_config: { [`for ${CUSTOMER}`]: { tone: 'warm' }, 'a/b@example.com': 1, other: 2 },
    };
    expect(await redact(config, REQUEST, known('customer_id', CUSTOMER))).toMatchObject({
      fields: { voice_config: { other: 2 } },
      stripped: [
        { pointer: '/voice_config/[customer_id]', kind: 'customer_id' },
        { pointer: '/voice_config/[email]', kind: 'email' },
      ],
    });
  });

  it('removes short values only as whole texts', async () => {
    const values = known('credential', 'hunt', 'en');
    const config = { voice_config: { a: 'Hunt', b: 'hunter', c: 'en' } };
    expect(await fieldsOf(config, values)).toEqual({ voice_config: { b: 'hunter', c: 'en' } });
  });

  it('removes values of six characters anywhere', async () => {
    const config = { voice_config: { a: 'S3cr3t', b: 'my s3cr3t', c: `at ${base64('s3cr3t')}` } };
    expect(await fieldsOf(config, known('credential', 's3cr3t'))).toEqual({
      voice_config: { b: 'my [credential]', c: 'at [credential]' },
    });
  });

  it('redacts name and description of the request', async () => {
    const request = { name: `Bot of ${CUSTOMER}`, description: 'ada@example.com' };
    expect(await redact({}, request, known('customer_id', CUSTOMER))).toMatchObject({
      name: 'Bot of [customer_id]',
      description: null,
      stripped: [{ pointer: '/name' }, { pointer: '/description' }],
    });
  });

  it('removes a value that a placeholder spells', async () => {
    const values = known('secret', 'secret', 'credential');
    expect(JSON.stringify(await fieldsOf({ system_prompt: 'my secret word' }, values))).not.toContain(
      'secret',
    );
    const config = { system_prompt: `for ${CUSTOMER}, who` };
    const others = known('email', '[customer_id], who');
    expect(await redact(config, REQUEST, known('customer_id', CUSTOMER), others)).toMatchObject({
      fields: { system_prompt: undefined },
    });
  });

  it('reports more places than a call has arguments', async () => {
    const config = { skills: Array.from({ length: 149_000 }, () => 'hunt') };
    expect(JSON.stringify(config).length).toBeLessThan(2 ** 20);
    const { fields, stripped } = await redact(config, REQUEST, known('credential', 'hunt'));
    expect(fields).toEqual({ skills: [] });
    expect(stripped).toHaveLength(149_000);
  });

  it.each(['https:', 'a', '"eyJ-', '-----BEGIN PRIVATE KEY', '0-', '%25', '.a@a', '\\\\'])(
    'is linear in a long text and thousands of values: %s',
    async (part) => {
      const look = async (length: number) => {
        const values = Array.from(
          { length: length / 36 },
          (_, index) => `https://secret.example/${index}/${'a'.repeat(100)}b`,
        );
        await fieldsOf({ skills: [part.repeat(length / part.length)] }, known('secret', ...values));
      };
      expect(await growthOf(look, 45_000)).toBeLessThan(LESS_THAN_QUADRATIC);
    },
  );
});

/** Nobody's secret. */
const word = fc.stringMatching(/^[g-z]{1,8}$/);
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
const { harmless } = fc.letrec<{ harmless: unknown }>((tie) => ({
  harmless: fc.oneof(
    { depthSize: 'medium' },
    text,
    fc.integer({ min: -999, max: 999 }),
    fc.constantFrom(true, false, null),
    fc.array(tie('harmless'), { maxLength: 4 }),
    fc.dictionary(word, tie('harmless'), { maxKeys: 4 }),
  ),
}));

const secret = fc.oneof(
  fc.record({ kind: fc.constant('customer_id' as const), text: fc.uuid() }),
  fc.record({
    kind: fc.constant('secret' as const),
    text: fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' }),
  }),
  fc.record({
    kind: fc.constant('credential' as const),
    text: fc.base64String({ minLength: 12, maxLength: 60 }),
  }),
  fc.record({ kind: fc.constant('phone_number' as const), text: fc.stringMatching(/^[1-9]\d{9,13}$/) }),
  fc.record({ kind: fc.constant('email' as const), text: fc.emailAddress() }),
);
const usable = secret.filter(({ text }) => text.trim().length >= 8 && /[\p{L}\p{N}]/u.test(text));

const encodings: ((value: string, kind: StrippedKind) => string)[] = [
  (value) => value,
  (value) => encodeURIComponent(value),
  escaped,
  (value) => escaped(escaped(value)),
  (value) => escaped(encodeURIComponent(value)),
  (value) => encodeURIComponent(base64(`user:${value}`)),
  base64url,
  (value, kind) => (kind === 'customer_id' || kind === 'email' ? value.toUpperCase() : value),
  (value, kind) =>
    kind === 'phone_number' ? `+${value.slice(0, 2)} (${value.slice(2, 5)}) ${value.slice(5)}` : value,
  (value, kind) => (kind === 'phone_number' ? `00${value.split('').join('-')}` : value),
];

const planted = fc.record({
  path: fc.array(fc.oneof(word, fc.constant(0)), { maxLength: 6 }),
  encoding: fc.constantFrom(...encodings),
  before: text,
  after: text,
  place: fc.constantFrom('text', 'whole', 'key'),
});

/** `{word: [{word: leaf}]}` along a path. */
const nest = (path: readonly (string | 0)[], leaf: unknown): unknown =>
  path.reduceRight<unknown>((inner, step) => (step === 0 ? [inner] : { [step]: inner }), leaf);

/** Removes everything that hides a text: case, grouping, encodings. */
function bare(value: unknown): string[] {
  let text = JSON.stringify(value);
  const forms = [text];
  for (let layer = 0; layer < 5; layer++) {
    text = text
      .replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replaceAll(
        /\\(.)/g,
        (_, char: string) => ({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' })[char] ?? char,
      )
      .replaceAll(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
    forms.push(text);
  }
  return [...forms.map((form) => form.toLowerCase()), text.replaceAll(/[\s()+-]/g, '')];
}

describe('redactRecipe with planted values', () => {
  it('removes known values in every place and spelling', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(usable, planted), { minLength: 1, maxLength: 4 }),
        harmless,
        async (plants, rest) => {
          const skills = plants.map(([{ kind, text }, { path, encoding, before, after, place }]) => {
            const spelled = encoding(text, kind);
            if (place === 'key') return nest(path, { [`${before} ${spelled}`]: after });
            return nest(path, place === 'whole' ? spelled : `${before} ${spelled} ${after}`);
          });
          const result = await redact(
            { skills: [...skills, rest] },
            REQUEST,
            [],
            plants.map(([value]) => value),
          );
          const forms = bare({ fields: result.fields, stripped: result.stripped });
          for (const [{ text }] of plants) {
            for (const form of forms) expect(form).not.toContain(text.trim().toLowerCase());
          }
          expect(result.stripped.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('changes nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(usable, harmless, async (value, rest) => {
        const { fields, stripped } = await redact({ skills: rest, data_access: { a: rest } }, REQUEST, [
          value,
        ]);
        expect(fields).toEqual({ skills: rest, data_access: { a: rest } });
        expect(stripped).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the text around a value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uuid(), word, word, async (id, before, after) => {
        expect(await prompt(`${before} ${id} ${after}`, known('customer_id', id))).toBe(
          `${before} [customer_id] ${after}`,
        );
      }),
    );
  });
});
