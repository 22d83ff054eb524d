import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { operations, wording } from '../../src/areas.ts';
import { openApiDocument } from '../../src/platform/contract/openapi.ts';
import type { Operation } from '../../src/platform/contract/operation.ts';
import { requestValidator } from '../../src/platform/http/validation.ts';

type Values = Record<string, unknown>;

interface Described {
  /** Optional parameters have their example in the schema, which forms do not prefill. */
  parameters: {
    name: string;
    in: 'path' | 'query';
    example?: string | number | boolean;
    schema: { examples?: (string | number | boolean)[] };
  }[];
  requestBody?: { content?: Record<string, { example?: Values }> };
}

const { paths } = openApiDocument(operations, wording) as {
  paths: Record<string, Record<string, Described>>;
};

const PARTS = ['params', 'query', 'body'] as const;

/** As in a real request. */
function exampleOf({ path, method }: Operation): Record<(typeof PARTS)[number], Values> {
  const { parameters, requestBody } = paths[path]?.[method.toLowerCase()] ?? expect.unreachable();
  const texts = (place: 'path' | 'query') =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === place)
        .map(({ name, example, schema }) => [name, example ?? schema.examples?.[0]] as const)
        .flatMap(([name, example]) => (example === undefined ? [] : [[name, String(example)]])),
    );
  const body = structuredClone(requestBody?.content?.['application/json']?.example) as Values;
  return { params: texts('path'), query: texts('query'), body };
}

const idFields = operations.flatMap((operation) =>
  PARTS.flatMap((part) => {
    const { properties = {} } = (operation[part] ?? {}) as { properties?: Record<string, object> };
    return Object.entries(properties)
      .filter(([, shape]) => JSON.stringify(shape).includes('"format":"uuid"'))
      .map(([field, shape]) => [`${operation.id}: ${part}.${field}`, operation, part, field, shape] as const);
  }),
);

const byId = (id: string) => operations.find((one) => one.id === id) ?? expect.unreachable(id);

/** A value of the shape in which each id is this one. */
function valueOf(shape: Shape, id: string): unknown {
  const { type, items, anyOf, properties = {} } = shape;
  if (type === 'array' && items) return [valueOf(items, id)];
  const [first] = anyOf ?? [];
  if (first) return valueOf(first, id);
  if (type !== 'object') return id;
  const withIds = Object.entries(properties).filter(([, each]) => JSON.stringify(each).includes('"uuid"'));
  return Object.fromEntries(withIds.map(([name, each]) => [name, valueOf(each, id)]));
}

interface Shape {
  type?: string;
  items?: Shape;
  anyOf?: readonly Shape[];
  properties?: Readonly<Record<string, Shape>>;
}

/** With what the operation requires beside its ids. */
const merged = (example: unknown, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...(example as object | undefined), ...value }
    : value;

describe('an id in capitals reaches the handler in lower case', () => {
  it.each(idFields)('%s', (_, operation, part, field, shape) => {
    const request = exampleOf(operation);
    const id = randomUUID();
    const value = valueOf(shape, id.toUpperCase());
    request[part] = { ...request[part], [field]: merged(request[part]?.[field], value) };
    expect(requestValidator(operation)(request)[part]).toMatchObject({ [field]: valueOf(shape, id) });
  });
});

describe('nothing else is changed', () => {
  const id = randomUUID().toUpperCase();

  it('that resembles an id', () => {
    const body = { name: id, data_access: { id, list: [id] }, skills: [id, { id }], manifest_id: id };
    const sent = structuredClone(body);
    const { body: checked } = requestValidator(byId('create_recipe'))({ params: {}, query: {}, body });
    expect(checked).toMatchObject(sent);
    const region = { params: { region_id: id }, query: {}, body: {} };
    expect(requestValidator(byId('put_region'))(region).params).toEqual({ region_id: id });
  });

  it('and null stays null', () => {
    const body = { name: 'One', onboarding_flow_id: null };
    expect(requestValidator(byId('create_recipe'))({ params: {}, query: {}, body }).body).toMatchObject(body);
  });
});
