import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { NamedObject, nameOf } from './named.ts';

/** The largest value of an integer column. */
const INT4_MAX = 2_147_483_647;

/**
 * A copy of a shape with a description for the documentation, the client's types and the tools. Named shapes have the same
 * description everywhere, so they take none here.
 */
export const about = <T extends TSchema>(schema: T, description: string): T =>
  // Markers of optional fields are not enumerable, so a spread would lose them.
  Object.create(null, {
    ...Object.getOwnPropertyDescriptors(schema),
    description: { value: description, enumerable: true },
  }) as T;

/**
 * Marks a PIN, key, token, password or other credential. Operations that take or give one are for people, so language
 * models cannot call them.
 */
export const secret = <T extends TSchema>(schema: T): T =>
  Object.create(null, {
    ...Object.getOwnPropertyDescriptors(schema),
    'x-secret': { value: true, enumerable: true },
  }) as T;

export const Uuid = Type.String({ format: 'uuid' });

/** ISO 8601 in UTC with milliseconds: 2026-01-31T09:30:00.000Z. */
export const Timestamp = Type.Unsafe<Date | string>({ type: 'string', format: 'date-time' });

/** A day: 2026-01-31. */
export const Day = Type.String({ format: 'date' });

/** An object with free content. */
export const OpenObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
});

/** An array element of open shape, stored and returned unchanged. */
export const OpenElement = Type.Unsafe<unknown>({ description: 'A string or an object' });

export const Nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] });

/** An optional field that `null` clears (contract, section 1). */
export const Clearable = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema));

export const Literals = <const T extends readonly string[]>(
  values: T,
  options: { default?: T[number] } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

export const Text = (maxLength = 10_000, minLength = 0) => Type.String({ minLength, maxLength });

export const Name = Text(200, 1);

/** A request's integer, limited to the range of a column. */
export const Int = (options: { minimum?: number; maximum?: number; default?: number } = {}) =>
  Type.Integer({ minimum: -INT4_MAX, maximum: INT4_MAX, ...options });

/** Query parameters of a list (contract, section 9). Parameters with a default may be absent: see requestSchema. */
export const PageQuery = {
  page: about(Int({ minimum: 1, default: 1 }), 'Which page, from 1'),
  per_page: about(Int({ minimum: 1, maximum: 100, default: 20 }), 'Rows of a page'),
};

/** Query parameter of a list: only rows that have these words in the texts that `where` names, whatever the case. */
export const Search = (where: string) =>
  Type.String({ maxLength: 1000, default: '', description: `A part of the ${where}, in any case` });

export interface Page<T> {
  items: T[];
  page: number;
  per_page: number;
  total: number;
}

/** A list of the contract, section 9, newest first. The page of `Recipe` is named `RecipePage`. */
export const PageOf = <T extends TSchema>(item: T) =>
  NamedObject(`${nameOf(item)}Page`, {
    items: Type.Array(item),
    page: Type.Integer(),
    per_page: Type.Integer(),
    total: Type.Integer(),
  });

export const params = <T extends TProperties>(properties: T) => Type.Object(properties);
export const query = <T extends TProperties>(properties: T) => Type.Object(properties);

export const InstanceParams = params({ instance_id: about(Uuid, 'The instance’s id') });
export const CustomerParams = params({ customer_id: about(Uuid, 'The customer’s id') });

/** One fault of an invalid request. */
export const Fault = NamedObject('Fault', {
  loc: Type.Array(Type.String()),
  msg: Type.String(),
  type: Type.String(),
});

/** A refusal in words for people. */
export const Detail = NamedObject('Detail', { detail: Type.String() });

/** The answer to an invalid request. */
export const ValidationError = NamedObject('ValidationError', { detail: Type.Array(Fault) });
