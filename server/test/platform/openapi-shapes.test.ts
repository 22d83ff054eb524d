import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { operations, wording } from '../../src/areas.ts';
import { NamedObject, named } from '../../src/platform/contract/named.ts';
import { openApiDocument } from '../../src/platform/contract/openapi.ts';
import { operation } from '../../src/platform/contract/operation.ts';
import { Int, PageOf } from '../../src/platform/contract/shapes.ts';

interface Schema {
  $ref?: string;
  items?: Schema;
  properties?: object;
  anyOf?: Schema[];
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface Described {
  operationId: string;
  requestBody?: Content;
  responses: Record<string, Content>;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

const SRC = join(import.meta.dirname, '../../src');
const document = openApiDocument(operations, wording) as unknown as Document;
const names = Object.keys(document.components.schemas);

/** Names in the sources; a page is named after its rows. */
const declared = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => (file.endsWith('.ts') ? readFileSync(join(SRC, file), 'utf8') : ''))
  .flatMap((text) => [...text.matchAll(/\b(?:named|NamedObject)\(\s*'(\w+)'/g)].map(([, name = '']) => name));
const isPage = (name: string) => declared.includes(name.replace(/Page$/, ''));

/** Its request and response have different shapes. */
const asking = (body: TSchema, answer: TSchema) =>
  operation({
    id: 'change_thing',
    method: 'POST',
    path: '/v1/things',
    tag: 'Operations',
    summary: 'Change a thing',
    credential: 'none',
    scope: null,
    body,
    responses: { 200: answer },
  });
const documentOf = (body: TSchema, answer: TSchema) =>
  openApiDocument([asking(body, answer)], wording) as unknown as Document;

describe('the names of shapes', () => {
  it('are CamelCase names of no built-in types', () => {
    expect(names.filter((name) => !/^[A-Z][a-z]+([A-Z][a-z]+)*$/.test(name))).toEqual([]);
    expect(
      names.filter((name) => name in globalThis),
      'A type of this name would hide the global one from whoever imports it',
    ).toEqual([]);
  });

  it('are declared once each', () => {
    expect(declared.length).toBeGreaterThan(100);
    expect(declared.filter((name, index) => declared.indexOf(name) !== index)).toEqual([]);
  });

  it('are all used, each by an operation', () => {
    expect(
      declared.filter((name) => !names.includes(name)),
      'No operation reaches these: take the names away',
    ).toEqual([]);
    expect(names.filter((name) => !declared.includes(name) && !isPage(name))).toEqual([]);
  });

  it('exist for all requests and responses', () => {
    const isNamed = ({ $ref, items }: Schema): boolean =>
      $ref !== undefined || (items !== undefined && isNamed(items));
    const entries = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const without = entries.filter(({ requestBody = {}, responses }) =>
      [requestBody, ...Object.values(responses)]
        .flatMap(({ content = {} }) => Object.values(content))
        .some(({ schema }) => (schema.properties ?? schema.items ?? schema.anyOf) && !isNamed(schema)),
    );
    expect(
      without.map(({ operationId }) => operationId),
      'Name the shape: NamedObject, or named',
    ).toEqual(['receive_webhook']);
  });
});

describe('a shape', () => {
  it('is in the document once', () => {
    const Thing = NamedObject('Thing', { id: Type.String() });
    const { paths, components } = documentOf(NamedObject('ThingUpdate', { thing: Thing }), PageOf(Thing));
    const reference = { $ref: '#/components/schemas/Thing' };
    expect(components.schemas).toMatchObject({
      Thing: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      ThingPage: { properties: { items: { type: 'array', items: reference } } },
      ThingUpdate: { properties: { thing: reference } },
    });
    expect(JSON.stringify(paths)).not.toContain('"properties"');
  });

  it('has a unique name', () => {
    const one = NamedObject('Thing', { id: Type.String() });
    const other = NamedObject('Thing', { id: Type.Integer() });
    expect(() => documentOf(one, other)).toThrow('Two shapes are called Thing');
    expect(() => documentOf(one, NamedObject('Thing', { id: Type.String() }))).not.toThrow();
    expect(() => named('Object', one)).toThrow('Object is called Thing already');
  });

  it('with a default is two shapes', () => {
    const Size = NamedObject('Size', { width: Int({ default: 1 }) });
    expect(() => documentOf(Size, Size)).toThrow('Two shapes are called Size');
  });
});
