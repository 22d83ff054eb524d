import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { TITLE } from '../contract/about.ts';
import { operations } from '../contract/index.ts';
import { openApiDocument } from '../contract/openapi.ts';

/** What is served besides the operations that it describes. */
export const docsPages = [
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/docs' },
] as const;

/** `GET /openapi.json`, and `GET /docs` that shows it. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  const document = openApiDocument(operations);
  const text = JSON.stringify(document);
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(text));
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // Where the service is reached over plain HTTP by a name, browsers would fetch the page's scripts over TLS, and show nothing.
    transformStaticCSP: (policy) => policy.replace(' upgrade-insecure-requests;', ''),
    theme: { title: TITLE },
    // The credential and the scope are extensions of the document.
    uiConfig: { docExpansion: 'none', showExtensions: true },
  });
}
