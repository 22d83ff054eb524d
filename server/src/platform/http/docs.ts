import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TITLE } from '../contract/about.ts';
import { sendError } from './errors.ts';

/** What is served besides the operations that it describes. */
export const docsPages = [
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/docs' },
] as const;

/** `GET /openapi.json`, and `GET /docs` that shows it. */
export async function registerDocs(app: FastifyInstance, document: object): Promise<void> {
  // Bytes, for anybody may ask and take nothing: of a text each connection is held a copy of its own.
  const bytes = Buffer.from(JSON.stringify(document));
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(bytes));
  await app.register(async (pages) => {
    pages.setErrorHandler(refuse);
    await pages.register(swagger, { mode: 'static', specification: { document: document as never } });
    await pages.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      // Where the service is reached over plain HTTP by a name, browsers would fetch the page's scripts over TLS, and show nothing.
      transformStaticCSP: (policy) => policy.replace(' upgrade-insecure-requests;', ''),
      theme: { title: TITLE },
      // The credential and the scope are extensions of the document.
      uiConfig: { docExpansion: 'none', showExtensions: true },
    });
  });
}

/** What the library refuses by itself, such as a path out of its folder or a range past a file's end: no failure of ours. */
async function refuse(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { statusCode = 500, message } = error;
  if (statusCode >= 500) return sendError(error, request, reply);
  return reply.code(statusCode).type('application/json; charset=utf-8').send({ detail: message });
}
