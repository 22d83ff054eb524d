import { readFile } from 'node:fs/promises';
import { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { operations, wording } from '../../src/areas.ts';
import { openApiDocument, openApiText } from '../../src/platform/contract/openapi.ts';
import { pathOf } from '../support/operations.ts';
import { sharedService, type TestService } from '../support/service.ts';

interface Described {
  operationId: string;
  summary: string;
  tags: string[];
  'x-credential': string;
  'x-scope'?: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, Answer | Reference>;
}

interface Reference {
  $ref: string;
}

interface Answer {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema: object }>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Described>>;
  components: {
    securitySchemes: Record<string, object>;
    schemas: Record<string, object>;
    responses: Record<string, Answer>;
    headers: Record<string, object>;
  };
}

const COMMITTED = join(import.meta.dirname, '../../openapi.json');
const document = openApiDocument(operations, wording) as unknown as Document;
const described = operations.map((operation) => ({
  name: `${operation.method} ${operation.path}`,
  operation,
  entry: document.paths[operation.path]?.[operation.method.toLowerCase()] ?? expect.unreachable(),
}));

/** By status, with resolved references to failures. */
const answersOf = ({ responses }: Described) =>
  Object.entries(responses).map(([status, answer]): [number, Answer] => {
    if (!('$ref' in answer)) return [Number(status), answer];
    const name = answer.$ref.replace('#/components/responses/', '');
    return [Number(status), document.components.responses[name] ?? expect.unreachable(answer.$ref)];
  });

const statusesOf = (entry: Described) => answersOf(entry).map(([status]) => status);

const named = described.map((one) => [one.name, one] as const);

let service: TestService;
beforeAll(async () => {
  service = await sharedService('idle');
});

describe('the document', () => {
  it('is served as generated', async () => {
    const { status, body, headers } = await service.anonymous.get('/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual(JSON.parse(JSON.stringify(document)));
    expect(document.openapi).toBe('3.1.0');
  });

  it('is shown at /docs', async () => {
    const { status, headers, text } = await service.anonymous.get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(text).toContain('swagger-ui');
    expect(text).toContain('<title>Agent Control Plane</title>');
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    // The library's icons and logo bar are hidden.
    expect(text).not.toContain('favicon-');
    const { text: settings } = await service.anonymous.get('/docs/static/swagger-initializer.js');
    expect(settings).toContain('"layout":"BaseLayout"');
    const { headers: icon } = await service.anonymous.get('/docs/static/theme/icon.svg');
    expect(icon.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect((await service.anonymous.get('/docs/static/theme/phone.css')).text).toContain('max-width: 640px');
  });

  it('is opened at an operation by its id', async () => {
    for (const [id, place] of [
      ['list_api_keys', '/docs#/API%20keys/list_api_keys'],
      ['nothing', '/docs'],
    ]) {
      const { status, headers } = await fetch(`${service.base_url}/docs/operations/${id}`, {
        redirect: 'manual',
      });
      expect([status, headers.get('location')]).toEqual([302, place]);
    }
  });

  it('is shown over plain HTTP, without upgrading its scripts to TLS', async () => {
    for (const path of ['/docs', '/docs/', '/docs/static/swagger-ui-bundle.js']) {
      const { headers } = await service.anonymous.request('GET', path);
      const policy = headers.get('content-security-policy');
      expect(policy, path).toContain("script-src 'self'");
      expect(policy, path).not.toContain('upgrade-insecure-requests');
    }
  });

  it.each([
    ['a path out of the pages’ folder', '/docs/static/%5c..%5c', {}, 403],
    ['a path with a NUL', '/docs/static/%00', {}, 403],
    ['a file that is not there', '/docs/static/nothing.js', {}, 404],
    ['a range past the end', '/docs/static/swagger-ui.css', { range: 'bytes=99999999-' }, 416],
    ['another version of a file', '/docs/static/swagger-ui.css', { 'if-match': '"another"' }, 412],
  ])('answers %s without an internal error', async (_what, path, headers, expected) => {
    const answer = await service.anonymous.get(path, headers);
    expect([answer.status, answer.body]).toEqual([expected, { detail: expect.any(String) }]);
  });

  it('is committed as server/openapi.json', async () => {
    const committed = await readFile(COMMITTED, 'utf8').catch(() => '');
    expect(
      committed === openApiText(openApiDocument(operations, wording)),
      'server/openapi.json is stale: npm run openapi',
    ).toBe(true);
  });

  it('has exactly the operations', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.toSorted()).toEqual(described.map(({ name }) => name).toSorted());
  });

  it('defines exactly its references', () => {
    const texts = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+\/\w+)"/g);
    const refs = new Set([...texts].map(([, target = '']) => target));
    const { schemas, responses, headers } = document.components;
    const defined = Object.entries({ schemas, responses, headers }).flatMap(([kind, all]) =>
      Object.keys(all).map((name) => `${kind}/${name}`),
    );
    expect([...refs].toSorted()).toEqual(defined.toSorted());
    const schemes = described.flatMap(({ entry }) => entry.security.flatMap((item) => Object.keys(item)));
    for (const scheme of schemes) expect(document.components.securitySchemes).toHaveProperty(scheme);
  });
});

describe('operations', () => {
  it('have unique ids of the form verb_noun', () => {
    const ids = operations.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    // Signing in and out have no noun.
    expect(ids.filter((id) => !/^([a-z]+(_[a-z]+)+|login|logout)$/.test(id))).toEqual([]);
  });

  it.each(named)('%s is described', (_, { operation, entry }) => {
    expect(entry.operationId).toBe(operation.id);
    expect(entry.summary, 'a summary is one phrase without a full stop').toMatch(/^[A-Z].*[^.]$/);
    expect(entry.tags).toEqual([expect.stringMatching(/^[A-Z]/)]);
    expect(entry['x-credential']).toBe(operation.credential);
    expect(entry['x-scope'] ?? null).toBe(operation.scope);
    expect(entry.security.length > 0).toBe(operation.credential !== 'none');
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const declared = entry.parameters.filter((parameter) => parameter.in === 'path');
    expect(declared.map(({ name }) => name).toSorted()).toEqual(inPath.toSorted());
    expect(declared.every(({ required }) => required)).toBe(true);
  });

  it.each(named)('%s has its responses', (_, { operation, entry }) => {
    const answers = answersOf(entry);
    const statuses = answers.map(([status]) => status);
    expect(statuses.some((status) => status >= 200 && status < 300)).toBe(true);
    for (const [status, { description, content }] of answers) {
      expect(description).toMatch(/\w/);
      const hasBody = operation.responses[status] !== null;
      expect(Object.keys(content ?? {}).length > 0).toBe(hasBody);
    }
    const needed = [
      ...(operation.credential === 'none' ? [] : [401]),
      ...(operation.params || operation.query || operation.body ? [422] : []),
      ...(operation.body ? [413, 415] : []),
    ];
    expect(statuses).toEqual(expect.arrayContaining(needed));
    if (operation.rawBody === 'any') expect(statuses).not.toContain(415);
  });

  it('that read have no body', () => {
    const withBody = described.filter(
      ({ operation, entry }) => operation.method === 'GET' && entry.requestBody,
    );
    expect(withBody.map(({ name }) => name)).toEqual([]);
  });

  it('have the prefix of their callers', () => {
    const misplaced = operations.filter(({ path, credential }) => {
      const isInternal = ['instance', 'enrollment', 'operations'].includes(credential);
      if (isInternal) return !path.startsWith('/internal/v1/');
      return !/^(\/v1\/|\/auth\/|\/hooks\/|\/(healthz|readyz|metrics)$)/.test(path);
    });
    expect(misplaced.map(({ id }) => id)).toEqual([]);
  });

  it('for API keys require a scope, with four exceptions', () => {
    const unscoped = operations.filter(
      ({ credential, scope }) => (credential === 'tenant' || credential === 'admin') && scope === null,
    );
    // The only route that the contract names (section 3), the one whose tools have their own scopes, and those that leave
    // out what the key may not read.
    expect(unscoped.map(({ id }) => id)).toEqual([
      'get_api_key_context',
      'search_tenant',
      'follow_changes',
      'call_mcp',
    ]);
  });
});

describe('a body', () => {
  it('is required exactly when a request without one is refused', async () => {
    const { api } = await service.createTenant();
    const withBody = described.filter(({ operation }) => operation.body);
    const refused: string[] = [];
    for (const { operation } of withBody) {
      const caller = operation.path.startsWith('/internal/') ? service.operations : api;
      const { text } = await caller.request(operation.method, pathOf(operation));
      if (text.includes('"loc":["body"],"msg":"Field required"')) refused.push(operation.id);
    }
    const required = withBody
      .filter(({ entry }) => entry.requestBody?.required)
      .map(({ operation }) => operation.id);
    expect(required).toEqual(expect.arrayContaining(refused));
    expect(refused).toContain('create_recipe');
    expect(required).not.toContain('rotate_api_key');
  });
});

it('shows OpenAI’s error where clients of its API read failures', () => {
  for (const { name, entry } of described.filter(({ operation }) => operation.openAiErrors)) {
    // Errors of the body are the same for all operations.
    const failures = answersOf(entry).filter(([status]) => status >= 400 && ![415, 422].includes(status));
    const shapes = failures.map(([, { content }]) => content?.['application/json']?.schema);
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))), name).toEqual(
      new Set(['{"$ref":"#/components/schemas/LlmFailure"}']),
    );
  }
});

describe('implied statuses are documented', () => {
  it('for a refused unexpected body', async () => {
    const { api, admin_email } = await service.createTenant();
    const user = await service.login(admin_email);
    for (const { name, operation, entry } of described) {
      if (operation.method === 'GET' || operation.body || operation.rawBody) continue;
      const ofTenant = operation.credential === 'user' ? user : api;
      const caller = operation.path.startsWith('/internal/') ? service.operations : ofTenant;
      const ask = (raw: string, type: string) =>
        caller.request(operation.method, pathOf(operation), { raw, headers: { 'content-type': type } });
      const answers = [await ask('{}', 'text/plain'), await ask(' '.repeat(2 ** 20 + 1), 'application/json')];
      expect(answers.map(({ status }) => status)).toEqual([415, 413]);
      expect(statusesOf(entry), name).toEqual(expect.arrayContaining([413, 415]));
    }
  });

  it('with their headers, including rate limits', async () => {
    const { api } = await service.createTenant();
    const create = described.find(({ operation }) => operation.id === 'create_recipe');
    const declared = new Map(answersOf((create ?? expect.unreachable()).entry));
    const post = (raw: string, type = 'application/json') =>
      api.request('POST', '/v1/recipes', { raw, headers: { 'content-type': type } });
    const answers = [
      await post('{}', 'text/plain'),
      await post(' '.repeat(2 ** 20 + 1)),
      await post('{}'),
      await post('{"name":"Headers"}'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([415, 413, 422, 201]);
    for (const { status, headers } of answers) {
      const sent = [...headers.keys()].filter((name) => /^(?:x-)?(?:request|ratelimit)/.test(name));
      const names = Object.keys(declared.get(status)?.headers ?? {}).map((name) => name.toLowerCase());
      expect(names, String(status)).toEqual(expect.arrayContaining(sent));
    }
  });

  it('for an API key past its limit, also on a route without keys', async () => {
    const { api } = await service.createTenant();
    const { body } = await api.post<{ key: string }>('/v1/api-keys', {
      name: 'Key',
      scopes: [],
      rate_limit: { limit: 1, window_seconds: 3600 },
    });
    const spent = service.anonymous.with({ 'x-api-key': body.key });
    expect((await spent.get('/v1/mcp/api-key-context')).status).toBe(200);
    for (const { name, operation, entry } of described) {
      const { status } = await spent.request(operation.method, pathOf(operation));
      if (status === 429) expect(statusesOf(entry), name).toContain(429);
    }
  });
});

it('is the same Buffer for all connections, because text would be copied for each slow one', async () => {
  const end = vi.spyOn(ServerResponse.prototype, 'end');
  onTestFinished(() => end.mockRestore());
  for (let nth = 0; nth < 2; nth++) {
    const { status, headers } = await service.anonymous.get('/openapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  }
  const [first, second] = end.mock.calls.map(([payload]) => payload as unknown);
  expect(Buffer.isBuffer(first)).toBe(true);
  expect(second).toBe(first);
});
