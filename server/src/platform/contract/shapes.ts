import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { NamedObject, nameOf } from './named.ts';

const INT4_MAX = 2_147_483_647;

/**
 * Copies a shape with a description for the documentation, the client's types and tools. Not for named shapes, which
 * have one description everywhere.
 */
export const about = <T extends TSchema>(schema: T, description: string): T =>
  // A spread would lose the non-enumerable markers of optional fields.
  Object.create(null, {
    ...Object.getOwnPropertyDescriptors(schema),
    description: { value: description, enumerable: true },
  }) as T;

/** Marks a credential. Operations that accept or return one are for people, not for language models. */
export const secret = <T extends TSchema>(schema: T): T =>
  Object.create(null, {
    ...Object.getOwnPropertyDescriptors(schema),
    'x-secret': { value: true, enumerable: true },
  }) as T;

/** Copies a shape with a bound in bytes: of a text in UTF-8, of anything else as compact JSON. */
export const within = <T extends TSchema>(bytes: number, schema: T): T =>
  Object.create(null, {
    ...Object.getOwnPropertyDescriptors(schema),
    'x-max-bytes': { value: bytes, enumerable: true },
  }) as T;

export const Uuid = Type.String({ format: 'uuid' });

/** ISO 8601 in UTC with milliseconds: 2026-01-31T09:30:00.000Z. */
export const Timestamp = Type.Unsafe<Date | string>({ type: 'string', format: 'date-time' });

/** 2026-01-31. */
export const Day = Type.String({ format: 'date' });

/** 2026-01-31, or a time; in UTC without an offset. */
export const DayOrTime = Type.String({ format: 'day-or-time' });

export const OpenObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
});

/** Any JSON, stored and returned unchanged. */
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

/** A parameter with one or several of these words, with commas between them. See `wordsIn`. */
export const Several = (words: readonly string[]) =>
  Type.Unsafe<string>({ type: 'string', 'x-words': [...words] });

/** The words of a validated parameter; null for an absent one. @param text of the shape Several(words) */
export const wordsIn = <const T extends readonly string[]>(
  words: T,
  text: string | undefined,
): T[number][] | null => {
  const named = text?.split(',');
  return named ? words.filter((word) => named.includes(word)) : null;
};

/** Within the range of a column. */
export const Int = (options: { minimum?: number; maximum?: number; default?: number } = {}) =>
  Type.Integer({ minimum: -INT4_MAX, maximum: INT4_MAX, ...options });

/** For lists (contract, section 9). See requestSchema for defaults. */
export const PageQuery = {
  page: about(Int({ minimum: 1, default: 1 }), 'Which page, from 1'),
  per_page: about(Int({ minimum: 1, maximum: 100, default: 20 }), 'Rows of a page'),
};

/** Case-insensitive substring filter of a list. @param where the searched fields, for the description */
export const Search = (where: string) =>
  Type.String({ maxLength: 1000, default: '', description: `A part of the ${where}, in any case` });

export interface Page<T> {
  items: T[];
  page: number;
  per_page: number;
  total: number;
}

/** A list, newest first (contract, section 9). The page of `Recipe` is named `RecipePage`. */
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

export const Fault = NamedObject('Fault', {
  loc: Type.Array(Type.String()),
  msg: Type.String(),
  type: Type.String(),
});

/** For people. */
export const Detail = NamedObject('Detail', { detail: Type.String() });

/** The body of a 422. */
export const ValidationError = NamedObject('ValidationError', { detail: Type.Array(Fault) });
