import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TITLE } from '../contract/about.ts';
import type { Operation } from '../contract/operation.ts';
import { DOCS_CSS, DOCS_ICON } from './docs-look.ts';
import { sendError } from './errors.ts';

/** Pages that are not operations. */
export const docsPages = [
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/docs' },
  { method: 'GET', path: '/docs/operations/{operation_id}' },
] as const;

/** `GET /docs` shows `GET /openapi.json`. */
export async function registerDocs(
  app: FastifyInstance,
  document: object,
  operations: readonly Pick<Operation, 'id' | 'tag'>[],
): Promise<void> {
  // Connections share bytes; a string would be copied for each.
  const bytes = Buffer.from(JSON.stringify(document));
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(bytes));
  const places = new Map(operations.map(({ id, tag }) => [id, `#/${encodeURIComponent(tag)}/${id}`]));
  app.get<{ Params: { operation_id: string } }>('/docs/operations/:operation_id', ({ params }, reply) =>
    reply.redirect(`/docs${places.get(params.operation_id) ?? ''}`),
  );
  await app.register(async (pages) => {
    pages.setErrorHandler(refuse);
    pages.addHook('onSend', (_request, reply, payload, done) => done(null, withViewport(reply, payload)));
    await pages.register(swagger, { mode: 'static', specification: { document: document as never } });
    await pages.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      // With this directive, browsers would load the scripts of an HTTP page over TLS and show nothing.
      transformStaticCSP: (policy) => policy.replace(' upgrade-insecure-requests;', ''),
      theme: {
        title: TITLE,
        css: [{ filename: 'phone.css', content: DOCS_CSS }],
        favicon: [
          { filename: 'icon.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml', content: DOCS_ICON },
        ],
      },
      // BaseLayout omits the logo and the address bar. Credential and scope are extensions.
      uiConfig: { layout: 'BaseLayout', docExpansion: 'none', showExtensions: true },
    });
  });
}

const CHARSET = '<meta charset="UTF-8">';

/** The library's page lacks a viewport, so phones would shrink a desktop layout. */
function withViewport(reply: FastifyReply, payload: unknown): unknown {
  const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
  if (!isPage || typeof payload !== 'string') return payload;
  return payload.replace(
    CHARSET,
    `${CHARSET}<meta name="viewport" content="width=device-width, initial-scale=1">`,
  );
}

/** For the library's own refusals, such as a path outside of its folder. */
async function refuse(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { statusCode = 500, message } = error;
  if (statusCode >= 500) return sendError(error, request, reply);
  return reply.code(statusCode).type('application/json; charset=utf-8').send({ detail: message });
}
