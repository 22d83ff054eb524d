import { randomUUID } from 'node:crypto';
import type { BlockList } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Operation } from '../contract/operation.ts';
import { notFound } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { Tracing } from '../tracing.ts';
import type { Guards } from './admission.ts';
import { bind } from './bind.ts';
import { forgetTypeOfNothing, takeBytes, takeJson } from './bodies.ts';
import { addClientAddresses } from './client-addresses.ts';
import type { CompiledRoute } from './compiled-route.ts';
import { docsPages, registerDocs } from './docs.ts';
import { sendError } from './errors.ts';
import { refusalOfUnserved } from './not-found.ts';
import {
  answerClientError,
  dropSilentConnections,
  ignoreExpectations,
  refuseMissingHost,
  serverOptions,
} from './raw-http.ts';
import { noteRequests } from './request-log.ts';
import { traceRequests } from './request-trace.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** Fastify's default is no limit, so a body that comes byte by byte would be waited for without end. */
const ARRIVES_WITHIN_MS = 60_000;
/** Node's limit for a request's head: a long id reaches validation, which calls it malformed. */
const MAX_PARAM_LENGTH = 16 * 1024;
const REQUEST_ID = /^[\w-]{1,64}$/;

const isForRuntimes = ({ credential, tag }: Operation) =>
  credential === 'instance' || credential === 'enrollment' || tag === 'Operations';

const isOfAnyType = ({ operation }: CompiledRoute) => operation.rawBody === 'any';

interface AppOptions {
  guards: Guards;
  /** The OpenAPI document that is served. */
  document: object;
  routes: readonly CompiledRoute[];
  metrics: Metrics;
  tracing: Tracing;
  logger: FastifyBaseLogger;
  /** false: serve runtimes and monitoring alone. */
  servesClients: boolean;
  /** Adds what the rooms need to know of each request, such as its client certificate. */
  extend: (app: FastifyInstance) => void;
  /** Proxies whose X-Forwarded-For is believed. */
  forwardedForProxies: BlockList;
}

/** The HTTP side of the service, ready to listen. */
export async function buildApp({
  guards,
  document,
  routes,
  metrics,
  tracing,
  logger,
  servesClients,
  extend,
  forwardedForProxies,
}: AppOptions): Promise<FastifyInstance> {
  const served = servesClients ? routes : routes.filter(({ operation }) => isForRuntimes(operation));
  const whyUnserved = refusalOfUnserved([...served.map(({ operation }) => operation), ...docsPages]);
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request is costly; the few lines about a request name its id themselves.
    childLoggerFactory: (shared) => shared,
    http: serverOptions,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: ARRIVES_WITHIN_MS,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: false },
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    // While stopping, open connections are served once more and then closed.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      void reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
      void sendError(error, request, reply);
    },
  });
  app.decorateRequest('actor');
  extend(app);
  addClientAddresses(app, forwardedForProxies);
  dropSilentConnections(app);
  ignoreExpectations(app.server);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    forgetTypeOfNothing(request.headers);
    done(refuseMissingHost(request.raw) ?? whyUnserved(request));
  });
  traceRequests(app, tracing);
  noteRequests(app, logger, metrics);
  app.setErrorHandler(sendError);
  // Unknown routes were refused before. This answers files that the documentation pages do not have.
  app.setNotFoundHandler((request, reply) => sendError(notFound('Route'), request, reply));
  takeJson(app);
  await registerDocs(app, document);
  for (const route of served.filter((route) => !isOfAnyType(route))) bind(app, route, guards);
  await app.register(async (scope) => {
    takeBytes(scope);
    for (const route of served.filter(isOfAnyType)) bind(scope, route, guards);
  });
  return app;
}
