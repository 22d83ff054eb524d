import { bodyOf, type Entry, type Schema } from './document.ts';
import { HEADER } from './header.ts';

/** A form has to know these of a field of a request's body. */
const KEPT = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'maxItems'] as const;

/** Bounds, choices and words of the fields of each body, one constant an operation, so that bundlers drop the others. */
export function fieldsText(entries: readonly Entry[]): string {
  const constants = entries.flatMap(({ operation }) => {
    const body = bodyOf(operation);
    const fields = Object.entries(body?.properties ?? {}).map(
      ([name, schema]) =>
        `  ${name}: ${JSON.stringify(factsOf(schema, body?.required?.includes(name) ?? false))},`,
    );
    return fields.length === 0
      ? []
      : [`export const ${operation.operationId} = {\n${fields.join('\n')}\n} as const;\n`];
  });
  return `${HEADER}${constants.join('\n')}`;
}

type Described = Schema & { description?: string; enum?: unknown[]; anyOf?: Described[]; const?: unknown };

function factsOf(given: Schema, required: boolean): object {
  const schema = given as Described;
  // A field that null clears: its bounds are those of its value.
  const value = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  const kept = KEPT.flatMap((name) =>
    name in value ? [[name, (value as Record<string, unknown>)[name]]] : [],
  );
  const choices = value.enum ?? value.anyOf?.map((each) => each.const).filter((each) => each !== undefined);
  return {
    ...(required && { required }),
    ...Object.fromEntries(kept),
    ...(choices && choices.length > 0 && { choices }),
    ...(schema.description !== undefined && { hint: schema.description }),
  };
}
