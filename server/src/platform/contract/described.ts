import { textOfField } from './field-texts.ts';
import { formatPatterns } from './formats.ts';

type Json = Record<string, unknown>;

/**
 * A copy of a schema whose properties all have a description, and whose own formats have a pattern beside them. The
 * nearest description counts: the property's, that of what it may be besides null, or the one in field-texts.ts.
 * @param owner the shape's name, the field that it stands in, or the operation's id
 */
export function described(schema: Json, owner: string | undefined): Json {
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]): [string, unknown] => {
      if (key === 'properties') return [key, describedProperties(value as Record<string, Json>, owner)];
      return [key, isKeyword(key) ? inside(value, owner) : value];
    }),
  );
  const pattern = formatPatterns[String(schema.format)];
  return pattern === undefined || schema.pattern !== undefined ? copy : { ...copy, pattern };
}

const isKeyword = (key: string) => ['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'].includes(key);

function inside(value: unknown, owner: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((one) => inside(one, owner));
  return typeof value === 'object' && value !== null ? described(value as Json, owner) : value;
}

const describedProperties = (properties: Record<string, Json>, owner: string | undefined) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]): [string, Json] => {
      const { description = textOf(property) ?? textOfField(name, owner), ...rest } = described(
        property,
        name,
      );
      return [name, { ...rest, ...(description !== undefined && { description }) }];
    }),
  );

const textOf = ({ anyOf = [] }: { anyOf?: Json[] }) =>
  anyOf.find(({ description }) => description !== undefined)?.description;
