import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { rateLimited, ServiceError, tryAgain } from '../errors.ts';
import { tooLong } from '../json/document-limit.ts';
import { figureOver, JSON_BOUNDS } from '../json/json-scan.ts';
import { isLarge, LargeBodies } from './large-bodies.ts';
import { InvalidJson } from './validation.ts';

/** RFC 9110, section 15.5.16. */
const encoded = new ServiceError('unsupported_media_type', 'The body has to come without an encoding', {
  'accept-encoding': 'identity',
});

/** Invalid JSON becomes an InvalidJson, which validation reports with the request's other errors. */
export function parseJsonBodies(app: FastifyInstance): void {
  const largeBodies = new LargeBodies((message) => rateLimited(1, message));
  app.decorateRequest('releasePermit');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, payload, done) => {
    const bytes = payload as Buffer;
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding.toLowerCase() !== 'identity') return done(encoded);
    const isRaw = request.routeOptions.config.operation?.rawBody !== undefined;
    const take = () => done(null, isRaw ? bytes : parse(bytes));
    if (!isLarge(bytes)) return take();
    largeBodies.acquire(request).then(take, done);
  });
}

const MEASURED_BYTES = 1024 * 1024;
const TOO_MUCH = {
  values: `Input has more than ${JSON_BOUNDS.values} values`,
  depth: `Input is nested deeper than ${JSON_BOUNDS.depth} levels`,
};

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) return new InvalidJson('not UTF-8');
  // Smaller ones are measured once they are parsed, which names the place.
  const figure = bytes.length > MEASURED_BYTES ? figureOver(bytes, JSON_BOUNDS) : undefined;
  if (figure !== undefined) return new InvalidJson(tooLong(['body'], TOO_MUCH[figure]));
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    return new InvalidJson((error as Error).message);
  }
}

/**
 * Reads bodies as bytes of any type and encoding, because signatures cover bytes. They have a semaphore of their own,
 * so a flood of unsigned payloads does not block the API; too many are 503, as the contract says for webhooks.
 */
export function readRawBodies(app: FastifyInstance): void {
  const largeBodies = new LargeBodies(tryAgain);
  app.removeAllContentTypeParsers();
  // Fastify refuses an invalid Content-Type before it selects a parser.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    delete headers['content-type'];
    done();
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const take = () => done(null, bytes);
    if (!isLarge(bytes as Buffer)) return take();
    largeBodies.acquire(request).then(take, done);
  });
}

/** `curl -d ''` and `fetch` send a Content-Type with an empty body. */
export function dropTypeOfEmptyBody(headers: IncomingHttpHeaders): void {
  if (headers['content-type'] === undefined || headers['transfer-encoding'] !== undefined) return;
  if (Number(headers['content-length'] ?? 0) === 0) delete headers['content-type'];
}
