import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/contract/index.ts';
import { callMcp } from '../../src/contract/mcp.ts';
import { openApiDocument, openApiText } from '../../src/contract/openapi.ts';
import { routes } from '../../src/http/index.ts';
import { startTestService, type TestService } from '../support/service.ts';

interface Described {
  operationId: string;
  summary: string;
  tags: string[];
  'x-credential': string;
  'x-scope'?: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: { $ref?: string } }> }>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Described>>;
  components: { securitySchemes: Record<string, object>; schemas: Record<string, object> };
}

const COMMITTED = join(import.meta.dirname, '../../openapi.json');
const document = openApiDocument(operations) as unknown as Document;
const described = operations.map((operation) => ({
  name: `${operation.method} ${operation.path}`,
  operation,
  entry: document.paths[operation.path]?.[operation.method.toLowerCase()] ?? expect.unreachable(),
}));

const named = described.map((one) => [one.name, one] as const);

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ works: false });
});
afterAll(() => service.stop());

describe('the document', () => {
  it('is served as the operations say', async () => {
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
  });

  it('stands in server/openapi.json as it is now', async () => {
    const committed = await readFile(COMMITTED, 'utf8').catch(() => '');
    expect(
      committed === openApiText(openApiDocument(operations)),
      'server/openapi.json is stale: npm run openapi',
    ).toBe(true);
  });

  it('has every operation, and no other', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.toSorted()).toEqual(described.map(({ name }) => name).toSorted());
  });

  it('names only what it defines', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(refs.length).toBeGreaterThan(0);
    for (const [, name = ''] of refs) expect(document.components.schemas).toHaveProperty(name);
    const schemes = described.flatMap(({ entry }) => entry.security.flatMap((item) => Object.keys(item)));
    for (const scheme of schemes) expect(document.components.securitySchemes).toHaveProperty(scheme);
  });
});

describe('operations', () => {
  it('have ids of their own, in the form verb_noun', () => {
    const ids = operations.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    // Signing in and out have no noun to act on.
    expect(ids.filter((id) => !/^([a-z]+(_[a-z]+)+|login|logout)$/.test(id))).toEqual([]);
  });

  it('are each routed once, to a handler', () => {
    const routed = [...routes.map(({ operation }) => operation), callMcp];
    expect(routed.map(({ id }) => id).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
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

  it.each(named)('%s says what it answers', (_, { operation, entry }) => {
    const statuses = Object.keys(entry.responses).map(Number);
    expect(statuses.some((status) => status >= 200 && status < 300)).toBe(true);
    for (const [status, { description, content }] of Object.entries(entry.responses)) {
      expect(description).toMatch(/\w/);
      const hasBody = operation.responses[Number(status)] !== null;
      expect(Object.keys(content ?? {}).length > 0).toBe(hasBody);
    }
    const needed = [
      ...(operation.credential === 'none' ? [] : [401]),
      ...(operation.params || operation.query || operation.body ? [422] : []),
      ...(operation.body ? [413, 415] : []),
    ];
    expect(statuses).toEqual(expect.arrayContaining(needed));
  });

  it('that read take no body', () => {
    const withBody = described.filter(
      ({ operation, entry }) => operation.method === 'GET' && entry.requestBody,
    );
    expect(withBody.map(({ name }) => name)).toEqual([]);
  });

  it('lie under a prefix that says whose they are', () => {
    const misplaced = operations.filter(({ path, credential }) => {
      const isInternal = ['instance', 'enrollment', 'operations'].includes(credential);
      if (isInternal) return !path.startsWith('/internal/v1/');
      return !/^(\/v1\/|\/auth\/|\/hooks\/|\/(healthz|readyz|metrics)$)/.test(path);
    });
    expect(misplaced.map(({ id }) => id)).toEqual([]);
  });

  it('that pick an API key’s way say what else it takes', () => {
    const unscoped = operations.filter(
      ({ credential, scope }) => (credential === 'tenant' || credential === 'admin') && scope === null,
    );
    // The one route that the contract names (section 3), and the one whose tools each have a scope of their own.
    expect(unscoped.map(({ id }) => id)).toEqual(['get_api_key_context', 'call_mcp']);
  });
});
