import { isDeepStrictEqual } from 'node:util';
import Type, { type TProperties, type TSchema } from 'typebox';

type Json = Record<string, unknown>;

/** A shape's name. Copies of the shape keep it; JSON, validation and the tools' schemas do not see a symbol. */
const NAME = Symbol('name');

/**
 * Gives a shape the name that it has in the OpenAPI document and in the client: a row as it is called in the product
 * (`Recipe`), what creates or changes it (`RecipeCreate`, `RecipeUpdate`), what another request takes and gives back
 * (`DeployRequest`, `DeployResult`). Where a field has a default, what is asked and what is answered are two shapes.
 */
export function named<T extends TSchema>(name: string, shape: T): T {
  const other = nameOf(shape);
  if (other !== undefined) throw new Error(`${name} is called ${other} already`);
  return Object.assign(shape, { [NAME]: name });
}

/** An object under a name: see `named`. */
export const NamedObject = <T extends TProperties>(name: string, properties: T) =>
  named(name, Type.Object(properties));

export const nameOf = (shape: object): string | undefined => (shape as { [NAME]?: string })[NAME];

/**
 * A document whose shapes that have a name are references to it, and those shapes, in the order of their names. Throws
 * where two shapes have one name.
 */
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
