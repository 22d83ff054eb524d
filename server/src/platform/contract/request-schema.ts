import type { TSchema } from 'typebox';

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema & { default?: unknown }>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

const cache = new WeakMap<object, TSchema>();

/** Makes properties with a default optional, because validation fills them in although their type requires them. */
export function requestSchema(schema: TSchema): TSchema {
  let result = cache.get(schema);
  if (!result) {
    result = relax(schema);
    cache.set(schema, result);
  }
  return result;
}

/** A body without required fields may be omitted. */
export function isOptionalBody(schema: TSchema): boolean {
  const { type, required } = requestSchema(schema) as JsonSchema;
  return type === 'object' && required === undefined;
}

function relax(schema: JsonSchema): JsonSchema {
  const copy: JsonSchema = { ...schema };
  if (schema.items) copy.items = relax(schema.items);
  if (schema.anyOf) copy.anyOf = schema.anyOf.map(relax);
  if (schema.properties) {
    const entries = Object.entries(schema.properties);
    copy.properties = Object.fromEntries(entries.map(([name, property]) => [name, relax(property)]));
    const required = (schema.required ?? []).filter(
      (name) => schema.properties?.[name]?.default === undefined,
    );
    if (required.length > 0) copy.required = required;
    else delete copy.required;
  }
  return copy;
}
