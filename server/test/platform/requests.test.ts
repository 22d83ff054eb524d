import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { createCustomer } from '../support/customers.ts';
import { PASSWORD, sharedService, type TestService, type TestTenant } from '../support/service.ts';

interface Fault {
  loc: string[];
  msg: string;
  type: string;
}
type Faults = Answer<{ detail: Fault[] }>;
type Options = NonNullable<Parameters<TestService['anonymous']['request']>[2]>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let service: TestService;
let tenant: TestTenant;
let customer_id: string;
/** For the last test. */
const seen: { request: string; status: number; id: string | null; text: string }[] = [];

beforeAll(async () => {
  service = await sharedService('idle');
  tenant = await service.createTenant();
  customer_id = await createCustomer(tenant);
});

async function send(method: string, path: string, options: Options = {}): Promise<Faults> {
  const answer = await tenant.api.request<{ detail: Fault[] }>(method, path, options);
  const { status, headers, text } = answer;
  seen.push({
    request: `${method} ${path.slice(0, 80)}`,
    status,
    id: headers.get('x-request-id'),
    text: text.slice(0, 200),
  });
  return answer;
}

/** Locations and types of a 422 in order. */
const faults = ({ status, body, text }: Faults) => {
  expect(status, text.slice(0, 500)).toBe(422);
  for (const { msg } of body.detail) expect(msg).toMatch(/\w/);
  return body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);
};
const post = async (path: string, json: unknown) => faults(await send('POST', path, { json }));
const get = async (path: string) => faults(await send('GET', path));
const raw = (body: string | Uint8Array, path = '/v1/recipes') => send('POST', path, { raw: body });

describe('all errors of a request are listed', () => {
  it('five of path and query', async () => {
    expect(await get('/v1/recipes/nope/revisions?page=0&per_page=x').then((list) => list.toSorted())).toEqual(
      ['path.template_id uuid_parsing', 'query.page greater_than_equal', 'query.per_page int_parsing'],
    );
    expect(
      await get(`/v1/instances?page=0&per_page=101&status=asleep&customer_id=1&recipe_id=${randomUUID()}0`),
    ).toEqual([
      'query.page greater_than_equal',
      'query.per_page less_than_equal',
      'query.status literal_error',
      'query.customer_id uuid_parsing',
      'query.recipe_id uuid_parsing',
    ]);
  });

  it('five of path and body', async () => {
    expect(
      await post('/v1/customers/1/identities', {
        channel: '',
        external_id: 7,
        display_name: 'x'.repeat(201),
        verified: 'yes',
      }),
    ).toEqual([
      'path.customer_id uuid_parsing',
      'body.channel string_too_short',
      'body.external_id string_type',
      'body.display_name string_too_long',
      'body.verified bool_type',
    ]);
  });

  it('of missing fields, in the order of the schema', async () => {
    expect(await post('/v1/recipes/deploy', { hostname: '', customer_id: 'x' })).toEqual([
      'body.customer_id uuid_parsing',
      'body.recipe_id missing',
      'body.tier_id missing',
      'body.region_id missing',
      'body.hostname string_too_short',
    ]);
  });

  it('with array positions as strings', async () => {
    const sidecars = [{ name: 'a' }, { port: 70_000 }, 'text', { name: 'b', port: '80' }];
    const answer = await send('POST', '/v1/recipes', { json: { name: 'R', sidecars } });
    expect(faults(answer)).toEqual([
      'body.sidecars.1.name missing',
      'body.sidecars.1.port less_than_equal',
      'body.sidecars.2 dict_type',
      'body.sidecars.3.port int_type',
    ]);
    expect(answer.body.detail[0]?.loc).toEqual(['body', 'sidecars', '1', 'name']);
  });

  it('in the words of the contract', async () => {
    const { body } = await send('POST', '/v1/recipes', { json: {} });
    expect(body).toEqual({ detail: [{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }] });
  });
});

const recipe = (fields: object) => post('/v1/recipes', { name: 'R', ...fields });

describe('the wrong type of', () => {
  it.each([
    ['a string', { name: 7 }, 'body.name string_type'],
    ['a string, as null', { name: null }, 'body.name string_type'],
    ['an int, as text', { shared_node_capacity: '50' }, 'body.shared_node_capacity int_type'],
    ['an int, as a float', { shared_node_capacity: 50.5 }, 'body.shared_node_capacity int_type'],
    ['an int, as a bool', { shared_node_capacity: true }, 'body.shared_node_capacity int_type'],
    ['an int, too wide', { shared_node_capacity: 1e300 }, 'body.shared_node_capacity less_than_equal'],
    ['a list', { skills: {} }, 'body.skills list_type'],
    ['a list, as text', { skills: 'faq' }, 'body.skills list_type'],
    ['a dict', { voice_config: [] }, 'body.voice_config dict_type'],
    ['a dict, as text', { voice_config: '{}' }, 'body.voice_config dict_type'],
    ['a literal', { hosting_mode: 'Dedicated' }, 'body.hosting_mode literal_error'],
    ['a literal, as an int', { hosting_mode: 1 }, 'body.hosting_mode literal_error'],
    ['a uuid', { onboarding_flow_id: 'x' }, 'body.onboarding_flow_id uuid_parsing'],
    ['a uuid, as an int', { onboarding_flow_id: 1 }, 'body.onboarding_flow_id uuid_parsing'],
    ['a long list', { skills: Array.from({ length: 10_001 }, () => 'x') }, 'body.skills too_long'],
  ])('%s', async (_, fields, fault) => {
    expect(await recipe(fields)).toEqual([fault]);
  });

  it.each([
    ['a datetime', { expires_at: '31.1.2026' }, 'body.expires_at value_error'],
    [
      'a datetime, as an int',
      { expires_at: 1_769_860_000 },
      /^body\.expires_at (datetime_type|string_type)$/,
    ],
    [
      'a datetime in a year that no calendar has',
      { expires_at: '0000-01-01T00:00:00Z' },
      'body.expires_at value_error',
    ],
    [
      'an int, at its bound',
      { rate_limit: { limit: 0, window_seconds: 1 } },
      'body.rate_limit.limit greater_than_equal',
    ],
    ['a pattern', { scopes: ['Recipes:Read'] }, 'body.scopes.0 string_pattern_mismatch'],
  ])('%s', async (_, fields, fault) => {
    expect(await post('/v1/api-keys', { name: 'K', scopes: [], ...fields })).toEqual([
      typeof fault === 'string' ? fault : expect.stringMatching(fault),
    ]);
  });

  it.each([[[]], ['text'], [7], [null], [true]])('the whole body: %j', async (body) => {
    expect(await post('/v1/recipes', body)).toEqual(['body dict_type']);
  });
});

describe('null', () => {
  it('clears an optional field and is refused for a required one', async () => {
    const made = await send('POST', '/v1/recipes', { json: { name: 'R', description: null, skills: null } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ description: null, skills: [] });
    expect(await post('/v1/recipes', { name: null })).toEqual(['body.name string_type']);
  });

  it('is stored in sidecars', async () => {
    const sidecar = { name: 's', port: null, path: null, health: null, runtime: null };
    const made = await send('POST', '/v1/recipes', { json: { name: 'R', sidecars: [sidecar] } });
    expect([made.status, made.body]).toMatchObject([201, { sidecars: [sidecar] }]);
    expect(
      await recipe({
        sidecars: [
          { ...sidecar, name: null },
          { ...sidecar, port: 0 },
        ],
      }),
    ).toEqual(['body.sidecars.0.name string_type', 'body.sidecars.1.port greater_than_equal']);
  });
});

describe('text is stored as it was sent', () => {
  it.each([
    '  spaces around  ',
    'tab\tand\nline',
    '\u202eright to left',
    'e\u0301 and é',
    '😀',
    '',
    '\u{10ffff}',
  ])('%j', async (description) => {
    const { status, body } = await send('POST', '/v1/recipes', { json: { name: 'R', description } });
    expect([status, body]).toMatchObject([201, { description }]);
  });

  it('counts characters, not UTF-16 code units', async () => {
    const made = await send('POST', '/v1/recipes', { json: { name: '😀'.repeat(200) } });
    expect(made.status).toBe(201);
    expect(await post('/v1/recipes', { name: '😀'.repeat(201) })).toEqual(['body.name string_too_long']);
  });

  it('is limited only by the recipe’s size by default', async () => {
    const text = 'x'.repeat(100_000);
    const sent = { name: 'R', description: text, system_prompt: text };
    const { status, body } = await send('POST', '/v1/recipes', { json: sent });
    expect([status, body]).toMatchObject([201, sent]);
  });

  it('ignores unknown fields', async () => {
    const made = await send('POST', '/v1/recipes', { json: { name: 'R', colour: 'red', id: 'mine' } });
    expect(made.status).toBe(201);
    expect(made.body).not.toHaveProperty('colour');
    expect(made.body).not.toMatchObject({ id: 'mine' });
  });
});

describe('unstorable text', () => {
  it.each([
    ['NUL', '{"name":"a\\u0000b"}', 'body.name value_error'],
    ['a lone surrogate', '{"name":"a\\ud800b"}', 'body.name value_error'],
    ['half a pair, the wrong way round', '{"name":"\\udc00\\ud800"}', 'body.name value_error'],
    [
      'NUL deep inside',
      '{"name":"R","voice_config":{"a":[{"b":"\\u0000"}]}}',
      'body.voice_config.a.0.b value_error',
    ],
    ['NUL in a key', '{"name":"R","voice_config":{"a\\u0000":1}}', 'body.voice_config value_error'],
    ['__proto__', '{"name":"R","__proto__":{"is_admin":true}}', 'body value_error'],
    [
      '__proto__ deep inside',
      '{"name":"R","voice_config":{"__proto__":{}}}',
      'body.voice_config value_error',
    ],
    [
      'a number beyond all',
      '{"name":"R","voice_config":{"n":[-1e400]}}',
      'body.voice_config.n.0 value_error',
    ],
  ])('%s', async (_, body, fault) => {
    expect(faults(await raw(body))).toEqual([fault]);
  });

  it('in a query and a path', async () => {
    expect(await get('/v1/customers?search=%00')).toEqual(['query.search value_error']);
    expect(await get('/v1/recipes/%00')).toContain('path.template_id uuid_parsing');
  });

  it('does not pollute Object', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { is_admin?: boolean }).is_admin).toBeUndefined();
  });
});

describe('a body that is not JSON', () => {
  it.each([
    ['broken', '{"name": "R"', /^body(\.\d+)? json_invalid$/],
    ['with something after it', '{"name":"R"} x', /^body(\.\d+)? json_invalid$/],
    ['a word', 'name', /^body(\.\d+)? json_invalid$/],
    ['NaN', '{"name":NaN}', /^body(\.\d+)? json_invalid$/],
    ['empty', '', /^body(\.name)? missing$/],
    ['blank', '  ', /^body(\.\d+)? json_invalid$/],
  ])('%s', async (_, body, fault) => {
    expect(faults(await raw(body))).toEqual([expect.stringMatching(fault)]);
  });

  it('invalid UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')]);
    expect(faults(await raw(bytes))).toEqual(['body json_invalid']);
  });

  it('is refused by operations without a body', async () => {
    const { body } = await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R' });
    const fault = [expect.stringMatching(/^body(\.\d+)? json_invalid$/)];
    expect(faults(await raw('{', `/v1/recipes/${body.id}/revisions/1/restore`))).toEqual(fault);
    expect(faults(await send('DELETE', `/v1/recipes/${body.id}`, { raw: '{' }))).toEqual(fault);
    expect((await send('DELETE', `/v1/recipes/${body.id}`, { raw: '{}' })).status).toBe(204);
    const { status } = await service.operations.request('POST', '/internal/v1/master-key/rewrap', {
      raw: '{',
    });
    expect(status).toBe(422);
  });

  it('is listed with errors of the path', async () => {
    expect(faults(await raw('{', '/v1/customers/1/identities'))).toEqual([
      'path.customer_id uuid_parsing',
      expect.stringMatching(/^body(\.\d+)? json_invalid$/),
    ]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'nonsense',
    'multipart/form-data',
  ])('is refused as %s: 415', async (type) => {
    const { status, body } = await send('POST', '/v1/recipes', {
      raw: '{"name":"R"}',
      headers: { 'content-type': type },
    });
    expect([status, body]).toEqual([415, { detail: expect.any(String) }]);
  });

  it.each(['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'nonsense'])(
    'is ignored when empty, whatever the type that curl -d "" and fetch send: %s',
    async (type) => {
      const nothing = { raw: '', headers: { 'content-type': type } };
      const { body } = await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'R' });
      expect(faults(await send('POST', '/v1/recipes', nothing))).toEqual(['body missing']);
      expect((await send('POST', `/v1/recipes/${body.id}/revisions/1/restore`, nothing)).status).toBe(200);
      expect((await send('DELETE', `/v1/recipes/${body.id}`, nothing)).status).toBe(204);
    },
  );

  it('is refused with an encoding: 415', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const { status, body } = await send('POST', '/v1/recipes', { raw: gzipSync('{"name":"R"}'), headers });
    expect([status, body]).toEqual([415, { detail: expect.any(String) }]);
  });

  it('may be application/json with a parameter', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await send('POST', '/v1/recipes', { raw: '{"name":"R"}', headers })).status).toBe(201);
  });
});

const deep = (levels: number) => `{"name":"R","skills":${'['.repeat(levels)}${']'.repeat(levels)}}`;

const below = (key: string, value: string) =>
  `{"name":"R","voice_config":{"${key}":[${Array.from({ length: 5000 }, () => value).join()}]}}`;

describe('too much', () => {
  const big = JSON.stringify({ name: 'R', description: 'x'.repeat(2 * 1024 * 1024) });
  it('of a body by Content-Length: 413', async () => {
    const { status, body } = await raw(big);
    expect([status, body]).toEqual([413, { detail: expect.stringContaining('1 MiB') }]);
  });

  it('of a chunked body: 413', async () => {
    const head = [
      'POST /v1/recipes HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `X-Api-Key: ${tenant.key}`,
      'Transfer-Encoding: chunked',
      'Connection: close',
    ];
    const chunk = `${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`;
    expect(await sendBytes(`${head.join('\r\n')}\r\n\r\n${chunk}`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('of nesting', async () => {
    expect((await raw(deep(31))).status).toBe(201);
    for (const levels of [32, 110]) {
      expect(faults(await raw(deep(levels)))).toEqual(['body.skills too_long']);
    }
    expect(faults(await raw(deep(500_000)))).toHaveLength(1);
    const objects = `{"name":"R","voice_config":${'{"a":'.repeat(120_000)}1${'}'.repeat(120_000)}}`;
    expect(faults(await raw(objects))).toHaveLength(1);
  });

  it('of keys, which a response would repeat for each value', async () => {
    expect((await raw(below('k'.repeat(1000), '1'))).status).toBe(201);
    for (const value of ['1', '"\\u0000"']) {
      expect(faults(await raw(below('k'.repeat(10_000), value)))).toEqual(['body value_error']);
    }
    const badKeys = Array.from({ length: 5000 }, (_, number) => `"\\u0000${number}":1`).join();
    const objects = `{"name":"R","voice_config":{"${'k'.repeat(10_000)}":{${badKeys}}}}`;
    expect(faults(await raw(objects))).toEqual(['body value_error']);
  });

  it('of elements, as one error', async () => {
    const ones = Array.from({ length: 200_000 }, () => 1);
    expect(await post('/v1/recipes', { name: 'R', skills: ones })).toHaveLength(1);
    expect(await post('/v1/api-keys', { name: 'R', scopes: ones })).toHaveLength(1);
  });

  it('of errors', async () => {
    const sidecars = Array.from({ length: 10_000 }, () => 1);
    const answer = await send('POST', '/v1/recipes', { json: { name: 'R', sidecars } });
    expect(answer.status).toBe(422);
    expect(answer.text.length).toBeLessThan(1024 * 1024);
  });
});

const expiring = (expires_at: string) =>
  send('POST', '/v1/api-keys', { json: { name: 'R', scopes: [], expires_at } });

describe('a time', () => {
  it.each([
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2030-01-01T00:00:00+16:00',
    '2030-01-01T00:00:00-2359',
  ])('outside of UTC years with four digits or of PostgreSQL is refused: %s', async (time) => {
    expect(faults(await expiring(time))).toEqual(['body.expires_at value_error']);
  });

  it.each([
    ['0001-01-01T00:00:00-15:59', '0001-01-01T15:59:00.000Z'],
    ['9999-12-31T23:59:59.999+15:59', '9999-12-31T08:00:59.999Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2030-12-31T23:59:60Z', '2031-01-01T00:00:00.000Z'],
  ])('comes back in UTC: %s', async (time, expires_at) => {
    const { status, body } = await expiring(time);
    expect([status, body]).toMatchObject([201, { expires_at }]);
  });
});

describe('numbers in a query', () => {
  it.each([
    ['abc', 'int_parsing'],
    ['1.5', 'int_parsing'],
    ['', 'int_parsing'],
    ['0x10', 'int_parsing'],
    ['1e3', 'int_parsing'],
    ['99999999999999999999', 'less_than_equal'],
    ['-99999999999999999999', 'greater_than_equal'],
    ['0', 'greater_than_equal'],
    ['-1', 'greater_than_equal'],
  ])('page=%s', async (page, type) => {
    expect(await get(`/v1/users?page=${page}`)).toEqual([
      expect.stringMatching(new RegExp(`^query\\.page ${type}$`)),
    ]);
  });

  it('are parsed', async () => {
    const { status, body } = await send('GET', '/v1/users?page=2&per_page=3');
    expect([status, body]).toMatchObject([200, { page: 2, per_page: 3 }]);
  });

  it('are refused where one is repeated', async () => {
    expect(await get('/v1/users?page=x&page=2&per_page=3')).toEqual(['query.page value_error']);
    expect(
      await get('/v1/instances?status=running&status=failed&customer_id=1&customer_id=2&page=0'),
    ).toEqual(['query.page greater_than_equal', 'query.status value_error', 'query.customer_id value_error']);
  });

  it.each(['/v1/users', '/v1/customers', '/v1/instances', '/v1/audit/tool-calls'])(
    'may be far past the last page: %s',
    async (path) => {
      const { status, body } = await send('GET', `${path}?page=2147483647&per_page=100`);
      expect([status, body]).toMatchObject([200, { page: 2_147_483_647 }]);
    },
  );

  it('of unknown parameters are ignored', async () => {
    expect((await send('GET', '/v1/users?colour=1&colour=2&constructor=1&__proto__=1')).status).toBe(200);
  });
});

describe('a route', () => {
  it.each(['/', '/v1', '/v2/recipes', '/V1/recipes', '/v1//recipes', '/favicon.ico', '/v1/recipes/a/b/c/d'])(
    'that does not exist: GET %s is 404',
    async (path) => {
      const { status, body } = await send('GET', path);
      expect([status, body]).toEqual([404, { detail: expect.any(String) }]);
    },
  );

  it.each([
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/v1/recipes', 'GET, HEAD, POST'],
    ['PATCH', `/v1/recipes/${randomUUID()}`, 'DELETE, GET, HEAD, PUT'],
    ['GET', '/auth/login', 'POST'],
    ['OPTIONS', '/v1/recipes', 'GET, HEAD, POST'],
    ['PROPFIND', '/v1/recipes', 'GET, HEAD, POST'],
    ['QUERY', '/v1/recipes', 'GET, HEAD, POST'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['POST', '/docs', 'GET, HEAD'],
    // Literal segments are not ids.
    ['PUT', '/v1/recipes/compose', 'POST'],
    ['GET', '/v1/recipes/deploy?x=1', 'POST'],
    ['DELETE', '/v1/recipes/ai-assist', 'POST'],
    ['OPTIONS', '/v1/recipes/deploy-check', 'POST'],
    ['PATCH', `/v1/customers/${randomUUID()}/staff/import`, 'POST'],
  ])('with other methods: %s %s is 405', async (method, path, allow) => {
    const { status, body, headers } = await send(method, path, { headers: { accept: '*/*' } });
    expect([status, body, headers.get('allow')]).toEqual([405, { detail: expect.any(String) }, allow]);
  });

  it.each([
    ['PUT', '/v1/recipes', 405],
    ['POST', '/nowhere', 404],
    ['QUERY', '/nowhere', 404],
  ])('that does not exist ignores the body: %s %s is %i', async (method, path, expected) => {
    for (const type of ['text/plain', 'application/json', 'nonsense']) {
      for (const raw of ['x', 'x'.repeat(2 ** 20 + 1)]) {
        const { status } = await send(method, path, { raw, headers: { 'content-type': type } });
        expect([type, raw.length, status]).toEqual([type, raw.length, expected]);
      }
    }
  });

  it('answers HEAD as GET, without the body', async () => {
    const [head, get] = [await send('HEAD', '/v1/recipes'), await send('GET', '/v1/recipes')];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });

  it.each(['/v1/recipes/%', '/v1/recipes/%zz', '/v1/recipes/%ff%fe', '/%', '/v1/recipes/%c0%af'])(
    'with a malformed escape is not 500: %s',
    async (path) => {
      const { status, body } = await send('GET', path);
      expect([404, 422]).toContain(status);
      expect(body).toHaveProperty('detail');
    },
  );

  it('with a long path is not 500', async () => {
    for (const length of [400, 1000, 8000]) {
      expect(await get(`/v1/recipes/${'a'.repeat(length)}`)).toEqual(['path.template_id uuid_parsing']);
    }
  });

  it('with a malformed id is 422, not 404', async () => {
    expect(await get('/v1/recipes/42')).toEqual(['path.template_id uuid_parsing']);
  });
});

const idOf = async (given: string) => {
  const { headers } = await send('GET', '/healthz', { headers: { 'x-request-id': given } });
  return headers.get('x-request-id');
};

describe('X-Request-Id', () => {
  it('is accepted when well-formed, also by refusals', async () => {
    expect(await idOf('trace-42_A')).toBe('trace-42_A');
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['POST', '/healthz'],
      ['GET', '/%'],
    ] as const) {
      const { headers } = await send(method, path, { headers: { 'x-request-id': 'mine' } });
      expect([path, headers.get('x-request-id')]).toEqual([path, 'mine']);
    }
  });

  it('is generated otherwise', async () => {
    for (const given of ['', 'a b', '<script>', 'x'.repeat(65)]) expect(await idOf(given)).toMatch(UUID);
  });
});

describe('a shared cache', () => {
  it.each([
    ['what a key reads', '/v1/recipes'],
    ['what is refused', `/v1/recipes/${randomUUID()}`],
    ['what nobody serves', '/v1/nothing'],
    ['what is no path', '/%ff'],
  ])('does not store %s', async (_, path) => {
    const { headers } = await send('GET', path);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('does not store a token', async () => {
    const json = { email: tenant.admin_email, password: PASSWORD };
    const { status, headers } = await service.anonymous.request('POST', '/auth/login', { json });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it('may store public responses', async () => {
    const { headers } = await send('GET', '/v1/public/models');
    expect(headers.get('cache-control')).toMatch(/^public, max-age=/);
  });
});

describe('the security headers', () => {
  it.each([
    ['a success', '/v1/recipes'],
    ['an unknown route', '/v1/nothing'],
    ['a malformed path', '/%ff'],
  ])('are on %s', async (_, path) => {
    const { headers } = await send('GET', path);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    });
    // Only the proxy knows how the service is served.
    expect(headers.get('strict-transport-security')).toBeNull();
  });
});

describe('invalid HTTP', () => {
  it('has the same body as other failures', async () => {
    const answer = await sendBytes('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\nx-request-id: [\w-]+\r\n/i);
    expect(answer).toMatch(/\{"detail":"[^"]+"\}$/);
  });

  it('reports headers that are too large', async () => {
    const answer = await sendBytes(`GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toMatch(/\{"detail":"[^"]+"\}$/);
  });

  it('reports a missing Host', async () => {
    const answer = await sendBytes('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\nx-request-id: [\w-]+\r\n/i);
    expect(answer).toMatch(/\{"detail":"[^"]+"\}$/);
  });
});

it('ignores unknown expectations', async () => {
  const head = ['GET /healthz HTTP/1.1', 'Host: a', 'Expect: miracles', 'Connection: close'];
  const answer = await sendBytes(`${head.join('\r\n')}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/\r\nx-request-id: [\w-]+\r\n/i);
});

/** On a new connection. @returns the response */
async function sendBytes(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.base_url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // The server may close before it has read everything, which resets the connection; only its response matters.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(bytes);
  await closed;
  return Buffer.concat(chunks).toString();
}

it('answered all of this with an id and without 5xx', async () => {
  expect(seen.length).toBeGreaterThan(80);
  expect(seen.filter(({ status }) => status >= 500)).toEqual([]);
  expect(seen.filter(({ id }) => !id)).toEqual([]);
  expect((await service.anonymous.get('/healthz')).body).toEqual({ status: 'ok' });
  expect((await tenant.api.get(`/v1/customers/${customer_id}`)).status).toBe(200);
});
