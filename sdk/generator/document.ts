/** The parts of a JSON Schema that the generator reads. */
export interface Schema {
  /** Its name in the document; an inline shape has none. */
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

/** One operation of the OpenAPI document (server/src/contract/openapi.ts writes them). */
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

/** Excludes the channel's webhook and MCP, which have clients of their own. */
const isForClients = (path: string) => !path.startsWith('/hooks/') && !path.endsWith('/mcp');

/** The client's operations, with references resolved. */
export const entriesOf = ({ paths, components }: Document): Entry[] =>
  Object.entries(paths)
    .filter(([path]) => isForClients(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation: withShapes(operation, components.schemas) as Described,
      })),
    );

function withShapes(value: unknown, schemas: Document['components']['schemas']): unknown {
  if (Array.isArray(value)) return value.map((each) => withShapes(each, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const name = '$ref' in value ? referred(value) : undefined;
  const fields = Object.entries(name === undefined ? value : (schemas[name] ?? {}));
  return {
    ...Object.fromEntries(fields.map(([key, inside]) => [key, withShapes(inside, schemas)])),
    ...(name !== undefined && { name }),
  };
}

const referred = ({ $ref }: { $ref?: unknown }) => /^#\/components\/schemas\/(\w+)$/.exec(String($ref))?.[1];

/** The contents of a successful response by content type; empty without a body. */
export const successOf = ({ responses }: Described): Record<string, { schema: Schema }> =>
  Object.assign(
    {},
    ...Object.entries(responses).map(([status, { content }]) => (isSuccess(status) ? content : {})),
  );

export const isSuccess = (status: string): boolean => status.startsWith('2');

export const bodyOf = ({ requestBody }: Described): Schema | undefined =>
  requestBody?.content?.['application/json']?.schema;
