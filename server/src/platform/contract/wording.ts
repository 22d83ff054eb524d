import type { TSchema } from 'typebox';
import { formatPatterns } from './formats.ts';
import type { Operation } from './operation.ts';

type Json = Record<string, unknown>;

/** Words for a room’s fields beyond their shapes, for the OpenAPI document. One line serves every operation. */
export interface FieldDocs {
  /** Descriptions of fields whose shapes do not say it themselves. Keys: `<shape>.<field>` counts before `<field>`. */
  texts?: Readonly<Record<string, string>>;
  /**
   * Example values. The most specific key counts: `<operation>.<field>`, `<object>.<field>` (the field that the object
   * stands in; `query` of a parameter), `<tag>.<field>`, `<field>`.
   */
  examples?: Readonly<Record<string, unknown>>;
  /** Examples of bodies without a shape: `<operation> request`, and answers as `<operation> <content type>`. */
  bodies?: Readonly<Record<string, unknown>>;
}

/** The keywords of JSON Schema that examples need. */
interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
}

interface Place {
  operation: Pick<Operation, 'id' | 'tag'>;
  /** The value's field. */
  field?: string;
  /** The field of the enclosing object; `path`, `query` or `header` for a parameter. */
  object?: string;
  /** True for a request, which omits optional fields without an example. */
  asked: boolean;
}

/** Placeholder for a text without an example. A test finds it. */
export const NO_EXAMPLE = 'no example';

/** Texts and examples of fields, from what all rooms say. */
export class Wording {
  readonly texts: Readonly<Record<string, string>>;
  readonly examples: Readonly<Record<string, unknown>>;
  readonly bodies: Readonly<Record<string, unknown>>;

  constructor(docs: readonly FieldDocs[]) {
    this.texts = merged(docs.map(({ texts = {} }) => texts));
    this.examples = merged(docs.map(({ examples = {} }) => examples));
    this.bodies = merged(docs.map(({ bodies = {} }) => bodies));
  }

  /** The description of a field of a shape or an operation; undefined where there is none. */
  textOf(field: string, owner: string | undefined): string | undefined {
    return this.texts[`${owner}.${field}`] ?? this.texts[field];
  }

  /**
   * A copy of a schema whose properties all have a description, and whose own formats have a pattern beside them. The
   * nearest description counts: the property's, that of what it may be besides null, or a room's.
   * @param owner the shape's name, the field that it stands in, or the operation's id
   */
  described(schema: Json, owner: string | undefined): Json {
    const copy = Object.fromEntries(
      Object.entries(schema).map(([key, value]): [string, unknown] => {
        if (key === 'properties')
          return [key, this.#describedProperties(value as Record<string, Json>, owner)];
        return [key, isKeyword(key) ? this.#inside(value, owner) : value];
      }),
    );
    const pattern = formatPatterns[String(schema.format)];
    return pattern === undefined || schema.pattern !== undefined ? copy : { ...copy, pattern };
  }

  /** An example of a request's body. It satisfies the schema. */
  requestExample(operation: Operation, body: TSchema): unknown {
    return this.bodies[`${operation.id} request`] ?? this.#example(body, { operation, asked: true });
  }

  /** An example of an answer in a content type. JSON satisfies the schema. */
  answerExample(operation: Operation, type: string, schema: TSchema): unknown {
    return this.bodies[`${operation.id} ${type}`] ?? this.#example(schema, { operation, asked: false });
  }

  /** An example of a parameter. */
  parameterExample(
    operation: Operation,
    place: 'path' | 'query' | 'header',
    field: string,
    schema: object,
  ): unknown {
    return this.#example(schema, { operation, field, object: place, asked: true });
  }

  #inside(value: unknown, owner: string | undefined): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#inside(one, owner));
    return typeof value === 'object' && value !== null ? this.described(value as Json, owner) : value;
  }

  #describedProperties(properties: Record<string, Json>, owner: string | undefined): Json {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]): [string, Json] => {
        const said = textBesidesNull(property) ?? this.textOf(name, owner);
        const { description = said, ...rest } = this.described(property, name);
        return [name, { ...rest, ...(description !== undefined && { description }) }];
      }),
    );
  }

  #example(schema: Schema, place: Place): unknown {
    if (schema.const !== undefined) return schema.const;
    const said = this.#saidOf(schema, place);
    if (said !== undefined) return said;
    const [first] = schema.anyOf ?? [];
    if (first) return this.#example(first, place);
    if (schema.enum) return schema.default ?? schema.enum[0];
    if (schema.items && schema.type === 'array') return [this.#example(schema.items, place)];
    return schema.properties ? this.#objectExample(schema, place) : (schema.default ?? plainExample(schema));
  }

  #objectExample({ properties = {}, required = [] }: Schema, { operation, field, asked }: Place): Json {
    const inside = { operation, asked, ...(field !== undefined && { object: field }) };
    const entries = Object.entries(properties)
      .map(([name, schema]): [string, unknown] => [name, this.#example(schema, { ...inside, field: name })])
      .filter(([name, value]) => !asked || required.includes(name) || saysSomething(value));
    return Object.fromEntries(entries);
  }

  #saidOf(schema: Schema, { operation, field, object }: Place): unknown {
    if (field === undefined) return undefined;
    const keys = [`${operation.id}.${field}`, `${object}.${field}`, `${operation.tag}.${field}`, field];
    const values = keys.map((key) => this.examples[key]);
    return values.find((value) => value !== undefined && isAmong(schema, value));
  }
}

/** Each key is one room's. */
function merged<T>(parts: readonly Readonly<Record<string, T>>[]): Record<string, T> {
  const all: Record<string, T> = {};
  for (const [key, value] of parts.flatMap((part) => Object.entries(part))) {
    if (key in all) throw new Error(`Two rooms say something of ${key}`);
    all[key] = value;
  }
  return all;
}

const isKeyword = (key: string) => ['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'].includes(key);

const textBesidesNull = ({ anyOf = [] }: { anyOf?: Json[] }) =>
  anyOf.find(({ description }) => description !== undefined)?.description;

/** null and [] are what a field that was left out holds anyway. */
const saysSomething = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);

/** False only for a value that an enumeration lacks. */
function isAmong(schema: Schema, value: unknown): boolean {
  const options = schema.enum ?? schema.anyOf?.find((one) => one.enum)?.enum;
  return options === undefined || options.includes(value) || (value === null && schema.anyOf !== undefined);
}

function plainExample({ type }: Schema): unknown {
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return false;
  if (type === 'object') return {};
  return NO_EXAMPLE;
}
