import type { TSchema } from 'typebox';
import { answerExample, parameterExample, requestExample } from './examples/example-of.ts';
import type { Credential, DeclaredFailure, Operation } from './operation.ts';
import { requestSchema } from './request-schema.ts';
import { Detail, ValidationDetail } from './shapes.ts';
import { tagTexts } from './tags.ts';

type Json = Record<string, unknown>;

const securityOf: Readonly<Record<Credential, Json[]>> = {
  none: [],
  tenant: [{ apiKey: [] }, { bearer: [] }],
  admin: [{ apiKey: [] }, { bearer: [] }],
  admin_user: [{ bearer: [] }],
  user: [{ bearer: [] }],
  instance: [{ proxyKey: [] }, { operations: [] }],
  enrollment: [{ proxyKey: [] }, { operations: [] }, {}],
  operations: [{ operations: [] }],
};

const failureTexts: Readonly<Record<DeclaredFailure | 415 | 422, string>> = {
  400: 'The request cannot be carried out as it stands',
  401: 'No valid credential',
  403: 'The role or the scope is missing; the message names it',
  404: 'Not there, or not yours',
  406: 'Accept does not name the content types that are answered with',
  409: 'The state does not allow it',
  412: 'The state has moved on',
  413: 'Too large',
  415: 'The body is not application/json',
  422: 'The request is not valid; every fault is listed',
  429: 'Rate limit exceeded; see Retry-After',
  500: 'Internal error',
  502: 'A service behind this one failed',
  503: 'Not available at the moment',
};

/** What is judged by its handler, from the first byte. */
const BytesAsTheyCame: TSchema = { description: 'JSON' };

/** A document as the file that is kept of it. */
export const openApiText = (document: Json): string => `${JSON.stringify(document, null, 2)}\n`;

/** The failures that an operation can answer: the ones it declares, and those that follow from what it is. */
export function failuresOf(operation: Operation): (DeclaredFailure | 415 | 422)[] {
  const failures = new Set<DeclaredFailure | 415 | 422>(operation.failures);
  if (operation.credential !== 'none') failures.add(401);
  if (['tenant', 'admin', 'admin_user', 'user'].includes(operation.credential)) failures.add(403);
  if (operation.credential === 'tenant' || operation.credential === 'admin') failures.add(429);
  if (operation.params) failures.add(404);
  if (operation.params || operation.query || operation.body) failures.add(422);
  if (operation.body || operation.rawBody) failures.add(413).add(415);
  // What is no HTTP is refused, whatever it was meant to ask.
  if ([...failures].every((status) => status >= 500)) failures.add(400);
  return [...failures].toSorted((a, b) => a - b);
}

/** The OpenAPI 3.1 document of the operations. */
export function openApiDocument(operations: readonly Operation[]): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describe(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Control Plane',
      version: '0.1.0',
      description: 'Manages AI-agent instances for tenants and their customers.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tagTexts).map(([name, description]) => ({ name, description })),
    paths,
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
      schemas: { Error: Detail, ValidationError: ValidationDetail },
    },
  };
}

function describe(operation: Operation): Json {
  const { id, tag, summary, description, scope, credential } = operation;
  const body = operation.body ?? (operation.rawBody && BytesAsTheyCame);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(scope && { 'x-scope': scope }),
    'x-credential': credential,
    security: securityOf[credential],
    parameters: [...parameters(operation, 'path'), ...parameters(operation, 'query')],
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: withoutBareUnion(body), example: requestExample(operation, body) },
        },
      },
    }),
    responses: responses(operation),
  };
}

/** A union of one, which says that a body may not be left out, as the one: `required` says the same here. */
function withoutBareUnion(body: TSchema): TSchema {
  const schema = requestSchema(body) as TSchema & { anyOf?: TSchema[] };
  const [only, ...others] = schema.anyOf ?? [];
  return only && others.length === 0 ? only : schema;
}

function parameters(operation: Operation, place: 'path' | 'query'): Json[] {
  const schema = place === 'path' ? operation.params : operation.query;
  if (!schema) return [];
  const { properties, required = [] } = requestSchema(schema) as {
    properties: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
    example: parameterExample(operation, place, name, property),
  }));
}

/** A page of the log is JSON; followed live, it is text. */
const answer = (operation: Operation, type: string, schema: TSchema): Json => ({
  schema: type === 'text/event-stream' ? { type: 'string' } : schema,
  example: answerExample(operation, type, schema),
});

function responses(operation: Operation): Json {
  const result: Json = {};
  for (const [status, schema] of Object.entries(operation.responses)) {
    const types = status === '200' && operation.produces ? operation.produces : ['application/json'];
    result[status] = {
      description: status === '204' ? 'Done; no body' : 'Success',
      ...(schema && {
        content: Object.fromEntries(types.map((type) => [type, answer(operation, type, schema)])),
      }),
    };
  }
  for (const status of failuresOf(operation)) {
    const name = status === 422 ? 'ValidationError' : 'Error';
    result[status] = {
      description: failureTexts[status],
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    };
  }
  return result;
}
