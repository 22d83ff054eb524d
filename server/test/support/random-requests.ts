import fc from 'fast-check';
import type { Operation } from '../../src/platform/contract/operation.ts';

interface JsonSchema {
  type?: string;
  format?: string;
  enum?: readonly string[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export interface RandomRequest {
  params: Record<string, string>;
  query: [string, string][];
  body: unknown;
}

/** Values that have broken servers before. */
const nastyNumbers = [0, -1, 1.5, 1e308, 2 ** 31, 2 ** 53];
const nastyTexts = ['', ' ', '\0', '\ud800', '😀', 'null', '-0', '1e999', '%', "'; --", '{', '__proto__'];
const nastyTimes = [
  '0000-01-01',
  '9999-12-31',
  '2026-02-30',
  '294277-01-01T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
];
const nastyShapes = [null, true, [], {}, [[]], [null], { a: null }, 'a'.repeat(300)];
const nasty = fc.constantFrom<unknown>(...nastyNumbers, ...nastyTexts, ...nastyTimes, ...nastyShapes);

const anything = fc.oneof(
  nasty,
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.double({ noNaN: true }),
);

const uuid = fc.uuid({ version: 4 });
const day = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') });
const byFormat: Record<string, fc.Arbitrary<string>> = {
  uuid,
  date: day.map((date) => date.toISOString().slice(0, 10)),
  'date-time': day.map((date) => date.toISOString()),
  email: uuid.map((id) => `${id}@example.com`),
  'country-code': fc.constant('DE'),
  'currency-code': fc.constant('EUR'),
  'time-zone': fc.constantFrom('Europe/Berlin', 'UTC', 'Etc/GMT+12'),
  locale: fc.constantFrom('de-DE', 'x-private', 'zh-Hant-TW'),
};

/** Where easy, a valid value, so that it reaches the handler. */
function shaped(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(shaped));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const { minimum = -1000, maximum = 1_000_000, minLength = 0, maxLength = 40 } = schema;
  switch (schema.type) {
    case 'string':
      return (
        byFormat[schema.format ?? ''] ??
        fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) })
      );
    case 'integer':
      return fc.integer({ min: Math.trunc(minimum), max: Math.trunc(maximum) });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(nearly(schema.items ?? {}), { maxLength: 3 });
    case 'object':
      return schema.properties ? record(schema) : fc.dictionary(fc.string(), anything, { maxKeys: 4 });
    default:
      return anything;
  }
}

const nearly = (schema: JsonSchema) =>
  fc.oneof({ weight: 12, arbitrary: shaped(schema) }, { weight: 1, arbitrary: anything });

function record({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const values = Object.entries(properties).map(([name, property]) => [name, nearly(property)] as const);
  const wanted = fc.record(Object.fromEntries(values), { requiredKeys: required });
  return fc.oneof(
    { weight: 8, arbitrary: wanted },
    { weight: 1, arbitrary: fc.record(Object.fromEntries(values), { requiredKeys: [] }) },
  );
}

const asText = (value: unknown) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.toWellFormed();
};

/** Valid and invalid requests. `known` are ids of existing rows. */
export function requestsOf(
  operation: Operation,
  known: Readonly<Record<string, string>>,
): fc.Arbitrary<RandomRequest> {
  const { params, query, body } = operation as unknown as Record<string, JsonSchema | undefined>;
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const param = (name: string): fc.Arbitrary<string> => {
    const row = known[name];
    const value = nearly(params?.properties?.[name] ?? {}).map(asText);
    return row === undefined ? value : fc.oneof({ weight: 3, arbitrary: fc.constant(row) }, value);
  };
  return fc.record({
    params: fc.record(Object.fromEntries(names.map((name) => [name, param(name)]))),
    query: (query ? record(query) : fc.constant({})).map((values) =>
      Object.entries(values).map(([name, value]): [string, string] => [name, asText(value)]),
    ),
    body: body
      ? withKnown(fc.oneof({ weight: 10, arbitrary: shaped(body) }, anything), known)
      : fc.constant(undefined),
  });
}

/** Half of the ids in a body are of existing rows. */
const withKnown = (body: fc.Arbitrary<unknown>, known: Readonly<Record<string, string>>) =>
  fc.tuple(body, fc.boolean()).map(([value, replace]) => {
    if (!replace || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const names = Object.keys(value).filter((name) => Object.hasOwn(known, name));
    return { ...value, ...Object.fromEntries(names.map((name) => [name, known[name]])) };
  });
