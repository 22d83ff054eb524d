import type { BlockList } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Operation } from '../contract/operation.ts';
import { notFound } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { Tracing } from '../tracing.ts';
import type { Guards } from './admission.ts';
import { bind } from './bind.ts';
import { dropTypeOfEmptyBody, parseJsonBodies, readRawBodies } from './bodies.ts';
import { addClientAddresses } from './client-addresses.ts';
import type { CompiledRoute } from './compiled-route.ts';
import { docsPages, registerDocs } from './docs.ts';
import { sendError } from './errors.ts';
import type { Listener } from './listener.ts';
import { unservedCheck } from './not-found.ts';
import { type Pages, pagesServed, registerPages } from './pages.ts';
import { answerClientError, ignoreExpectations, refuseMissingHost } from './raw-http.ts';
import { requestIdOf } from './request-id.ts';
import { logRequests } from './request-log.ts';
import { traceRequests } from './request-trace.ts';
import { isOfRuntime } from './runtime-connections.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** Node's limit for a request's head. Long ids must reach validation, which reports them as malformed. */
const MAX_PARAM_LENGTH = 16 * 1024;

const isForRuntimes = ({ credential }: Operation) => credential === 'instance' || credential === 'enrollment';
const isForMonitoring = ({ tag }: Operation) => tag === 'Operations';

const isOfRuntimesRoute = ({ is404, routeOptions }: FastifyRequest) => {
  const { operation } = routeOptions.config;
  return !is404 && operation !== undefined && isForRuntimes(operation);
};

const isOfAnyType = ({ operation: { rawBody } }: CompiledRoute) => rawBody === 'any' || rawBody === 'file';

interface AppOptions {
  listener: Listener;
  guards: Guards;
  document: object;
  /** undefined: none are served. */
  pages: Pages | undefined;
  routes: readonly CompiledRoute[];
  metrics: Metrics;
  tracing: Tracing;
  logger: FastifyBaseLogger;
  /** false: only runtimes and monitoring. */
  servesClients: boolean;
  /** Adds properties that rooms need, such as the client certificate. */
  extend: (app: FastifyInstance) => void;
  /** Trusted for X-Forwarded-For. */
  forwardedForProxies: BlockList;
}

/** Ready to be handed the listener's requests. */
export async function buildApp({
  listener,
  guards,
  document,
  pages,
  routes,
  metrics,
  tracing,
  logger,
  servesClients,
  extend,
  forwardedForProxies,
}: AppOptions): Promise<FastifyInstance> {
  const served = routes.filter(
    ({ operation }) => servesClients || isForRuntimes(operation) || isForMonitoring(operation),
  );
  const operations = served.map(({ operation }) => operation);
  const refuseUnserved = unservedCheck([...operations, ...docsPages, ...pagesServed(pages)]);
  const refuseUnservedToRuntimes = unservedCheck(operations.filter(isForRuntimes), isOfRuntimesRoute);
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request is expensive; the few lines about a request contain its id.
    childLoggerFactory: (shared) => shared,
    serverFactory: () => listener.server,
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: false },
    genReqId: requestIdOf,
    // While stopping, open connections get one more response and are closed.
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
  closeWith(app, listener);
  ignoreExpectations(app.server);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    dropTypeOfEmptyBody(request.headers);
    const refuse = isOfRuntime(request) ? refuseUnservedToRuntimes : refuseUnserved;
    done(refuseMissingHost(request.raw) ?? refuse(request));
  });
  traceRequests(app, tracing);
  logRequests(app, logger, metrics);
  app.setErrorHandler(sendError);
  // Only for missing files of the documentation pages; other unknown routes are refused earlier.
  app.setNotFoundHandler((request, reply) => sendError(notFound('Route'), request, reply));
  parseJsonBodies(app);
  await registerDocs(app, document, operations);
  registerPages(app, pages);
  for (const route of served.filter((route) => !isOfAnyType(route))) bind(app, route, guards);
  await app.register(async (scope) => {
    readRawBodies(scope);
    for (const route of served.filter(isOfAnyType)) bind(scope, route, guards);
  });
  return app;
}

/** Fastify does not close a server that it did not make. */
function closeWith(app: FastifyInstance, listener: Listener): void {
  app.addHook('preClose', (done) => {
    listener.endKept();
    done();
  });
  app.addHook('onClose', () => listener.close());
}
