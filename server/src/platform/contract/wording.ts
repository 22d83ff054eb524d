import type { TSchema } from 'typebox';
import { formatPatterns } from './formats.ts';
import type { Operation } from './operation.ts';

type Json = Record<string, unknown>;

/** Texts and examples of a room's fields for the OpenAPI document. One line serves every operation. */
export interface FieldDocs {
  /** Descriptions of fields without one in their shape. The key `<shape>.<field>` has precedence over `<field>`. */
  texts?: Readonly<Record<string, string>>;
  /**
   * Example values, most specific key first: `<operation>.<field>`, `<object>.<field>` (the enclosing field; `query`
   * for a parameter), `<tag>.<field>`, `<field>`.
   */
  examples?: Readonly<Record<string, unknown>>;
  /** Examples of bodies without a shape: `<operation> request`, or `<operation> <content type>` for responses. */
  bodies?: Readonly<Record<string, unknown>>;
}

/** Keywords that examples need. */
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
  field?: string;
  /** The enclosing field; `path`, `query` or `header` for a parameter. */
  object?: string;
  /** Requests omit optional fields without an example. */
  isRequest: boolean;
}

/** Placeholder for a missing example, which a test finds. */
export const NO_EXAMPLE = 'no example';

/** From the docs of all rooms. */
export class Wording {
  readonly texts: Readonly<Record<string, string>>;
  readonly examples: Readonly<Record<string, unknown>>;
  readonly bodies: Readonly<Record<string, unknown>>;

  constructor(docs: readonly FieldDocs[]) {
    this.texts = merged(docs.map(({ texts = {} }) => texts));
    this.examples = merged(docs.map(({ examples = {} }) => examples));
    this.bodies = merged(docs.map(({ bodies = {} }) => bodies));
  }

  /** undefined: none. */
  textOf(field: string, owner: string | undefined): string | undefined {
    return this.texts[`${owner}.${field}`] ?? this.texts[field];
  }

  /**
   * Copies a schema with descriptions of all properties, and patterns besides our own formats. A property's own
   * description comes first, then that of its non-null variant, then a room's.
   * @param owner the shape's name, the enclosing field, or the operation's id
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

  /** Satisfies the schema. */
  requestExample(operation: Operation, body: TSchema): unknown {
    return this.bodies[`${operation.id} request`] ?? this.#example(body, { operation, isRequest: true });
  }

  /** JSON satisfies the schema. */
  answerExample(operation: Operation, type: string, schema: TSchema): unknown {
    return this.bodies[`${operation.id} ${type}`] ?? this.#example(schema, { operation, isRequest: false });
  }

  parameterExample(
    operation: Operation,
    place: 'path' | 'query' | 'header',
    field: string,
    schema: object,
  ): unknown {
    return this.#example(schema, { operation, field, object: place, isRequest: true });
  }

  #inside(value: unknown, owner: string | undefined): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#inside(one, owner));
    return typeof value === 'object' && value !== null ? this.described(value as Json, owner) : value;
  }

  #describedProperties(properties: Record<string, Json>, owner: string | undefined): Json {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]): [string, Json] => {
        const inherited = textBesidesNull(property) ?? this.textOf(name, owner);
        const { description = inherited, ...rest } = this.described(property, name);
        return [name, { ...rest, ...(description !== undefined && { description }) }];
      }),
    );
  }

  #example(schema: Schema, place: Place): unknown {
    if (schema.const !== undefined) return schema.const;
    const given = this.#givenExample(schema, place);
    if (given !== undefined) return given;
    const [first] = schema.anyOf ?? [];
    if (first) return this.#example(first, place);
    if (schema.enum) return schema.default ?? schema.enum[0];
    if (schema.items && schema.type === 'array') return [this.#example(schema.items, place)];
    return schema.properties ? this.#objectExample(schema, place) : (schema.default ?? plainExample(schema));
  }

  #objectExample({ properties = {}, required = [] }: Schema, { operation, field, isRequest }: Place): Json {
    const inside = { operation, isRequest, ...(field !== undefined && { object: field }) };
    const entries = Object.entries(properties)
      .map(([name, schema]): [string, unknown] => [name, this.#example(schema, { ...inside, field: name })])
      .filter(([name, value]) => !isRequest || required.includes(name) || isInformative(value));
    return Object.fromEntries(entries);
  }

  #givenExample(schema: Schema, { operation, field, object }: Place): unknown {
    if (field === undefined) return undefined;
    const keys = [`${operation.id}.${field}`, `${object}.${field}`, `${operation.tag}.${field}`, field];
    const values = keys.map((key) => this.examples[key]);
    return values.find((value) => value !== undefined && isAmong(schema, value));
  }
}

/** Throws when two rooms have the same key. */
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

/** null and [] are the values of absent fields. */
const isInformative = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);

/** Only enumerations are checked. */
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
