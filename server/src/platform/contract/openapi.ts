import type { TSchema } from 'typebox';
import { TITLE, VERSION } from './about.ts';
import { failureName, failureResponses, failuresOf, failureText } from './failures.ts';
import { INTRODUCTION } from './introduction.ts';
import { nameOf, withReferences } from './named.ts';
import type { Credential, DeclaredFailure, Operation } from './operation.ts';
import { isOptionalBody, requestSchema } from './request-schema.ts';
import { failureHeaders, headersOf, responseHeaders } from './response-headers.ts';
import { tagTexts } from './tags.ts';
import type { Wording } from './wording.ts';

type Json = Record<string, unknown>;

const securityOf: Readonly<Record<Credential, Json[]>> = {
  none: [],
  tenant: [{ apiKey: [] }, { bearer: [] }],
  admin: [{ apiKey: [] }, { bearer: [] }],
  admin_user: [{ bearer: [] }],
  user: [{ bearer: [] }],
  optional_user: [{ bearer: [] }, {}],
  instance: [{ proxyKey: [] }, { operations: [] }],
  enrollment: [{ proxyKey: [] }, { operations: [] }, {}],
  operations: [{ operations: [] }],
};

const PLACES = ['path', 'query', 'header'] as const;

/** The handler validates the bytes. */
const BytesAsTheyCame: TSchema = { description: 'JSON' };
const File: TSchema = { type: 'string', contentMediaType: 'application/octet-stream' };

/** As committed. */
export const openApiText = (document: Json): string => `${JSON.stringify(document, null, 2)}\n`;

/** OpenAPI 3.1. */
export function openApiDocument(operations: readonly Operation[], wording: Wording): Json {
  const { document, schemas } = withReferences({
    paths: pathsOf(operations, wording),
    failures: failureResponses(operations),
  });
  return {
    openapi: '3.1.0',
    info: {
      title: TITLE,
      version: VERSION,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tagTexts).map(([name, description]) => ({ name, description })),
    paths: document.paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'A key of one tenant, with scopes',
        },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A user’s access token' },
        proxyKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The proxy key of the instance in the path',
        },
        operations: { type: 'http', scheme: 'bearer', description: 'The operations token' },
      },
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, wording.described(schema as Json, name)]),
      ),
      responses: document.failures,
      headers: responseHeaders,
    },
  };
}

function pathsOf(operations: readonly Operation[], wording: Wording): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describe(operation, wording);
  }
  return paths;
}

function describe(operation: Operation, wording: Wording): Json {
  const { id, tag, summary, description, scope, credential, mintsCredential } = operation;
  const isFile = operation.rawBody === 'file';
  const raw = isFile ? File : (operation.rawShape ?? BytesAsTheyCame);
  const body = operation.body ?? (operation.rawBody && raw);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(scope && { 'x-scope': scope }),
    ...(mintsCredential && { 'x-mints-credential': true }),
    'x-credential': credential,
    security: securityOf[credential],
    parameters: PLACES.flatMap((place) => parameters(operation, place, wording)),
    ...(body && {
      requestBody: {
        required: !isOptionalBody(body),
        content: {
          [isFile ? 'application/octet-stream' : 'application/json']: {
            schema: withoutBareUnion(body),
            example: wording.requestExample(operation, body),
          },
        },
      },
    }),
    responses: responses(operation, wording),
  };
}

/** A union of one only marks a body as required, which `required` already says. */
function withoutBareUnion(body: TSchema): TSchema {
  const schema = requestSchema(body) as TSchema & { anyOf?: TSchema[] };
  const [only, ...others] = schema.anyOf ?? [];
  return only && others.length === 0 ? only : schema;
}

function parameters(operation: Operation, place: (typeof PLACES)[number], wording: Wording): Json[] {
  const schema = { path: operation.params, query: operation.query, header: operation.headers }[place];
  if (!schema) return [];
  const { properties, required = [] } = requestSchema(schema) as {
    properties: Record<string, Json>;
    required?: string[];
  };
  // Examples of optional parameters are in the schema: forms prefill parameters with their examples, and an unintended
  // filter would hide rows. Named shapes document their values.
  return Object.entries(properties).map(([name, { description: own, ...schema }]) => {
    const description = own ?? wording.textOf(name, operation.id);
    const isRequired = place === 'path' || required.includes(name);
    const example = wording.parameterExample(operation, place, name, schema);
    const isOwn = nameOf(schema) === undefined;
    const shape = isOwn ? wording.described(schema, name) : schema;
    return {
      name,
      in: place,
      ...(description !== undefined && { description }),
      required: isRequired,
      schema: isRequired ? shape : { ...shape, ...(isOwn && { examples: [example] }) },
      ...(isRequired && { example }),
    };
  });
}

/** Event streams are text. */
const answer = (operation: Operation, type: string, schema: TSchema, wording: Wording): Json => ({
  schema: type === 'text/event-stream' ? { type: 'string' } : schema,
  example: wording.answerExample(operation, type, schema),
});

function responses(operation: Operation, wording: Wording): Json {
  const result: Json = {};
  for (const [status, schema] of Object.entries(operation.responses)) {
    const types = status === '200' && operation.produces ? operation.produces : ['application/json'];
    result[status] = {
      description: status === '204' ? 'Done; no body' : 'Success',
      headers: headersOf(operation),
      ...(schema && {
        content: Object.fromEntries(types.map((type) => [type, answer(operation, type, schema, wording)])),
      }),
    };
  }
  for (const status of failuresOf(operation)) {
    const shape = operation.failureShapes?.[status as DeclaredFailure];
    result[status] = shape
      ? {
          description: failureText(status),
          headers: failureHeaders(status),
          content: { 'application/json': { schema: shape } },
        }
      : { $ref: `#/components/responses/${failureName(status)}` };
  }
  return result;
}
