import { isDeepStrictEqual } from 'node:util';
import Type, { type TProperties, type TSchema } from 'typebox';

type Json = Record<string, unknown>;

/** A symbol, so that copies keep the name while JSON, validation and tool schemas ignore it. */
const NAME = Symbol('name');

/**
 * Names a shape in the OpenAPI document and the client: a row (`Recipe`), the bodies that create or change it
 * (`RecipeCreate`, `RecipeUpdate`), other requests and results (`DeployRequest`, `DeployResult`). With a default,
 * request and response are two shapes.
 */
export function named<T extends TSchema>(name: string, shape: T): T {
  const other = nameOf(shape);
  if (other !== undefined) throw new Error(`${name} is called ${other} already`);
  return Object.assign(shape, { [NAME]: name });
}

/** See `named`. */
export const NamedObject = <T extends TProperties>(name: string, properties: T) =>
  named(name, Type.Object(properties));

export const nameOf = (shape: object): string | undefined => (shape as { [NAME]?: string })[NAME];

/** Replaces named shapes by references and returns them sorted by name. Throws when two shapes share a name. */
export function withReferences<T extends Json>(document: T): { document: T; schemas: Json } {
  const schemas = new Map<string, unknown>();
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer);
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, refer(inside)]));
    const name = nameOf(value);
    if (name === undefined) return copy;
    if (schemas.has(name) && !isDeepStrictEqual(schemas.get(name), copy))
      throw new Error(`Two shapes are called ${name}`);
    schemas.set(name, copy);
    return { $ref: `#/components/schemas/${name}` };
  };
  const referring = refer(document) as T;
  const sorted = [...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { document: referring, schemas: Object.fromEntries(sorted) };
}
