/** The part of JSON Schema that the generator reads. */
export interface Schema {
  /** Only shapes that the document names have one. */
  name?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  maximum?: number;
  examples?: unknown[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: Schema;
  example?: unknown;
}

export interface Content {
  headers?: object;
  content?: Record<string, { schema: Schema; example?: unknown }>;
}

/** See server/src/platform/contract/openapi.ts. */
export interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  'x-scope'?: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: Content & { required: boolean };
  responses: Record<string, Content>;
}

export interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

export interface Entry {
  method: string;
  path: string;
  operation: Described;
}

/** The channel's webhook and MCP have clients of their own. */
const isForClients = (path: string) => !path.startsWith('/hooks/') && !path.endsWith('/mcp');

export const entriesOf = ({ paths, components }: Document): Entry[] =>
  Object.entries(paths)
    .filter(([path]) => isForClients(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation: resolveReferences(operation, components.schemas) as Described,
      })),
    );

function resolveReferences(value: unknown, schemas: Document['components']['schemas']): unknown {
  if (Array.isArray(value)) return value.map((each) => resolveReferences(each, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const name = '$ref' in value ? referencedName(value) : undefined;
  const fields = Object.entries(name === undefined ? value : (schemas[name] ?? {}));
  return {
    ...Object.fromEntries(fields.map(([key, inside]) => [key, resolveReferences(inside, schemas)])),
    ...(name !== undefined && { name }),
  };
}

const referencedName = ({ $ref }: { $ref?: unknown }) =>
  /^#\/components\/schemas\/(\w+)$/.exec(String($ref))?.[1];

/** By content type; empty without a body. */
export const successOf = ({ responses }: Described): Record<string, { schema: Schema }> =>
  Object.assign(
    {},
    ...Object.entries(responses).map(([status, { content }]) => (isSuccess(status) ? content : {})),
  );

export const isSuccess = (status: string): boolean => status.startsWith('2');

/** The body is the bytes of a file. */
export const takesFile = ({ requestBody }: Described): boolean =>
  requestBody?.content?.['application/octet-stream'] !== undefined;

export const bodyOf = ({ requestBody }: Described): Schema | undefined =>
  requestBody?.content?.['application/json']?.schema;
