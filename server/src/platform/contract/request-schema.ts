import type { TSchema } from 'typebox';

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema & { default?: unknown }>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

const made = new WeakMap<object, TSchema>();

/**
 * The schema of a request: properties with a default are optional, although their type says required, because validation
 * fills them in.
 */
export function requestSchema(schema: TSchema): TSchema {
  let result = made.get(schema);
  if (!result) {
    result = relax(schema);
    made.set(schema, result);
  }
  return result;
}

/** True for a body without required fields: it may be left out, like an empty object. */
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
