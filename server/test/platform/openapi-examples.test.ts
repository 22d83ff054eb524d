import { beforeAll, describe, expect, it } from 'vitest';
import { operations, wording } from '../../src/areas.ts';
import { openApiDocument } from '../../src/platform/contract/openapi.ts';
import type { Operation } from '../../src/platform/contract/operation.ts';
import { tagTexts } from '../../src/platform/contract/tags.ts';
import { NO_EXAMPLE } from '../../src/platform/contract/wording.ts';
import { requestValidator } from '../../src/platform/http/validation.ts';
import { checkReply } from '../support/reply-check.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';

interface Content {
  content?: Record<string, { example?: unknown }>;
}

interface Described {
  parameters: {
    name: string;
    in: 'path' | 'query';
    example?: unknown;
    schema: { examples?: unknown[]; $ref?: string };
  }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

const { paths, components } = openApiDocument(operations, wording) as {
  paths: Record<string, Record<string, Described>>;
  components: object;
};
const described = operations.map((operation) => ({
  operation,
  entry: paths[operation.path]?.[operation.method.toLowerCase()] ?? expect.unreachable(),
}));
const named = described.map((one) => [one.operation.id, one] as const);

const byId = (id: string) => operations.find((one) => one.id === id) ?? expect.unreachable(id);

/** Optional parameters have their example in the schema, which forms do not prefill; named ones have options. */
function exampleIn({ example, schema }: Described['parameters'][number]): unknown {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  const shapes = (components as { schemas: Record<string, { enum?: unknown[] }> }).schemas;
  return example ?? schema.examples?.[0] ?? shapes[name ?? '']?.enum?.[0];
}

/** As text. */
const texts = ({ parameters }: Described, place: 'path' | 'query') =>
  Object.fromEntries(
    parameters.filter((one) => one.in === place).map((one) => [one.name, String(exampleIn(one))]),
  );

const bodyOf = ({ requestBody }: Described): unknown =>
  structuredClone(Object.values(requestBody?.content ?? {})[0]?.example);

describe('an example', () => {
  it.each(named)('of a request of %s passes validation', (_, { operation, entry }) => {
    const parts = { params: texts(entry, 'path'), query: texts(entry, 'query'), body: bodyOf(entry) };
    expect(() => requestValidator(operation)(parts)).not.toThrow();
    if (operation.body || operation.rawBody) expect(parts.body).toBeDefined();
    for (const parameter of entry.parameters) expect(exampleIn(parameter), parameter.name).toBeDefined();
  });

  it.each(named)('of a response of %s has the declared shape', (_, { operation, entry }) => {
    for (const status of Object.keys(operation.responses).map(Number)) {
      const content = entry.responses[status]?.content;
      if (operation.responses[status] === null) expect(content).toBeUndefined();
      for (const [type, { example }] of Object.entries(content ?? {})) {
        expect(example, type).toBeDefined();
        if (type === 'application/json') checkReply(operation, status, example);
        else expect(example).toEqual(expect.stringMatching(/\w/));
      }
    }
  });

  it('exists for every text', () => {
    const without = described.filter(({ entry }) => JSON.stringify(entry).includes(`"${NO_EXAMPLE}"`));
    expect(
      without.map(({ operation }) => operation.id),
      'Say it in the docs.contract.ts of the room',
    ).toEqual([]);
  });

  it('exists only for existing fields', () => {
    const texts = JSON.stringify({ paths, components });
    const ids = operations.map(({ id }) => id);
    const isThere = (name: string) => texts.includes(`"${name}":`) || texts.includes(`"name":"${name}"`);
    const isOwner = (name: string) => Object.hasOwn(tagTexts, name) || ids.includes(name) || isThere(name);
    const stale = Object.keys(wording.examples).filter((key) => {
      const [owner = '', field = ''] = key.split('.');
      return !isThere(key) && !(isOwner(owner) && isThere(field));
    });
    expect(stale).toEqual([]);
    const bodies = Object.keys(wording.bodies).filter((key) => !ids.includes(key.split(' ')[0] ?? ''));
    expect(bodies).toEqual([]);
  });
});

describe('sent with ids of existing rows', () => {
  let service: TestService;
  let tenant: TestTenant;
  /** Ids of examples and of real rows. */
  const ids = new Map<string, string>();
  beforeAll(async () => {
    service = await sharedService('idle');
    tenant = await service.createTenant();
  });

  const inPlace = (text: string) =>
    [...ids].reduce((result, [example, id]) => result.replaceAll(example, id), text);

  async function send({ id, method, path }: Operation): Promise<{ id?: string }> {
    const { entry } = described.find(({ operation }) => operation.id === id) ?? expect.unreachable();
    const params = texts(entry, 'path');
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
    const client = path.startsWith('/internal/') ? service.operations : tenant.api;
    const body = bodyOf(entry);
    const answer = await client.request<{ id?: string }>(
      method,
      inPlace(url),
      body === undefined ? {} : { json: JSON.parse(inPlace(JSON.stringify(body))) as unknown },
    );
    expect(answer.status, `${id}: ${answer.text}`).toBeLessThan(300);
    return answer.body;
  }

  it.each([
    ['create_customer', 'customer_id'],
    ['create_recipe', 'recipe_id'],
    ['create_primitive'],
    ['create_connection', 'connection_id'],
    ['create_subscription', 'subscription_id'],
    ['create_website'],
    ['create_identity'],
    ['create_user'],
    ['create_api_key', 'api_key_id'],
    ['update_recipe'],
    ['compose_recipe'],
    ['check_deploy'],
    ['update_subscription'],
    ['replace_customer_rules'],
    ['replace_customer_config'],
    ['set_customer_pin'],
    ['rotate_api_key'],
    ['put_tier'],
    ['put_region'],
    ['put_models'],
    ['create_tenant'],
  ])('%s accepts its example', async (id, field?: string) => {
    const { id: made } = await send(byId(id));
    if (field !== undefined) ids.set(String(wording.examples[field]), made ?? expect.unreachable());
  });
});
