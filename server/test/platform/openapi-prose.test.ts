import { describe, expect, it } from 'vitest';
import { operations, wording } from '../../src/areas.ts';
import { openApiDocument } from '../../src/platform/contract/openapi.ts';

type Json = Record<string, unknown>;

interface Described {
  operationId: string;
  description?: string;
  parameters: { name: string; in: string; required: boolean; description?: string; example?: unknown }[];
  responses: Record<string, { $ref?: string; headers?: object; content?: Json }>;
}

const document = openApiDocument(operations, wording) as unknown as {
  info: { description: string };
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Json>; responses: Record<string, { headers: object }> };
};
const entries = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** At any depth, with its path. */
function* schemasIn(value: unknown, way: string): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [way, value as Json];
  for (const [key, inside] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') yield* schemasIn(inside, `${way}.${key}`);
  }
}

const all = [...schemasIn({ ...document.components.schemas, paths: document.paths }, '')];

describe('the document’s prose', () => {
  it('describes every operation and parameter', () => {
    expect(entries.filter(({ description }) => !description).map(({ operationId }) => operationId)).toEqual(
      [],
    );
    const without = entries.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${operationId}.${name}`),
    );
    expect(without, 'Describe it in the contract, or in docs.contract.ts of its room').toEqual([]);
  });

  it('describes every property', () => {
    const without = all.flatMap(([way, { properties }]) =>
      Object.entries((typeof properties === 'object' ? properties : {}) as Record<string, Json>)
        .filter(([, { description }]) => typeof description !== 'string' || description === '')
        .map(([name]) => `${way}.${name}`),
    );
    expect(without, 'Describe it in the contract, or in docs.contract.ts of its room').toEqual([]);
  });

  it('has no line for a missing field', () => {
    const texts = new Set(all.map(([, { description }]) => description));
    const parameters = new Set(
      entries.flatMap((entry) => entry.parameters.map(({ description }) => description)),
    );
    const stale = Object.entries(wording.texts).filter(
      ([, text]) => !texts.has(text) && !parameters.has(text),
    );
    expect(stale.map(([field]) => field)).toEqual([]);
  });

  it('explains credentials, errors, paging and idempotency first', () => {
    for (const subject of ['Credentials', 'Errors', 'Paging', 'Idempotency'])
      expect(document.info.description).toContain(`**${subject}.**`);
  });
});

describe('the document', () => {
  it('declares the headers of each response', () => {
    for (const { operationId, responses } of entries)
      for (const [status, response] of Object.entries(responses)) {
        const name = response.$ref?.replace('#/components/responses/', '');
        const { headers = {} } = name ? (document.components.responses[name] ?? {}) : response;
        expect(Object.keys(headers), `${operationId} ${status}`).toContain('X-Request-Id');
        if (status === '429') expect(Object.keys(headers)).toContain('Retry-After');
      }
    const { responses } =
      entries.find(({ operationId }) => operationId === 'list_recipes') ?? expect.unreachable();
    expect(Object.keys(responses['200']?.headers ?? {})).toEqual(
      expect.arrayContaining([
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'RateLimit',
      ]),
    );
  });

  it('has a pattern or an enumeration for each format that JSON Schema lacks', () => {
    const standard = ['uuid', 'date', 'date-time', 'email'];
    const bare = all.filter(
      ([, { format, pattern, enum: options }]) =>
        typeof format === 'string' && !standard.includes(format) && !pattern && !options,
    );
    expect(bare.map(([way]) => way)).toEqual([]);
  });

  it('prefills no filter: optional parameters have their example in the schema', () => {
    const filled = entries.flatMap(({ operationId, parameters }) =>
      parameters
        .filter(({ required, example }) => !required && example !== undefined)
        .map(({ name }) => `${operationId}.${name}`),
    );
    expect(filled).toEqual([]);
  });
});
