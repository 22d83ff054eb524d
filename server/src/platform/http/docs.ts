import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TITLE } from '../contract/about.ts';
import { sendError } from './errors.ts';

/** Pages that are no operations. */
export const docsPages = [
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/docs' },
] as const;

/** `GET /openapi.json`, and `GET /docs` that shows it. */
export async function registerDocs(app: FastifyInstance, document: object): Promise<void> {
  // Bytes are shared by all connections; a string would be copied for each.
  const bytes = Buffer.from(JSON.stringify(document));
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(bytes));
  await app.register(async (pages) => {
    pages.setErrorHandler(refuse);
    await pages.register(swagger, { mode: 'static', specification: { document: document as never } });
    await pages.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      // Over plain HTTP by a host name, browsers would upgrade the page's scripts to TLS and show nothing.
      transformStaticCSP: (policy) => policy.replace(' upgrade-insecure-requests;', ''),
      theme: { title: TITLE },
      // The credential and the scope are extensions of the document.
      uiConfig: { docExpansion: 'none', showExtensions: true },
    });
  });
}

/** Passes on the library's own refusals, such as a path outside of its folder. */
async function refuse(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { statusCode = 500, message } = error;
  if (statusCode >= 500) return sendError(error, request, reply);
  return reply.code(statusCode).type('application/json; charset=utf-8').send({ detail: message });
}
