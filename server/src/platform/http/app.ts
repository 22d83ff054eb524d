import { randomUUID } from 'node:crypto';
import type { BlockList } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
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
import { unservedCheck } from './not-found.ts';
import {
  answerClientError,
  dropSilentConnections,
  ignoreExpectations,
  refuseMissingHost,
  serverOptions,
} from './raw-http.ts';
import { logRequests } from './request-log.ts';
import { traceRequests } from './request-trace.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** Fastify has no default, so a slow body could take forever. */
const ARRIVES_WITHIN_MS = 60_000;
/** Node's limit for a request's head. Long ids must reach validation, which reports them as malformed. */
const MAX_PARAM_LENGTH = 16 * 1024;
const REQUEST_ID = /^[\w-]{1,64}$/;

const isForRuntimes = ({ credential, tag }: Operation) =>
  credential === 'instance' || credential === 'enrollment' || tag === 'Operations';

const isOfAnyType = ({ operation }: CompiledRoute) => operation.rawBody === 'any';

interface AppOptions {
  guards: Guards;
  document: object;
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

/** Ready to listen. */
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
  const refuseUnserved = unservedCheck([...served.map(({ operation }) => operation), ...docsPages]);
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request is expensive; the few lines about a request contain its id.
    childLoggerFactory: (shared) => shared,
    http: serverOptions,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: ARRIVES_WITHIN_MS,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: false },
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
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
  dropSilentConnections(app);
  ignoreExpectations(app.server);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    dropTypeOfEmptyBody(request.headers);
    done(refuseMissingHost(request.raw) ?? refuseUnserved(request));
  });
  traceRequests(app, tracing);
  logRequests(app, logger, metrics);
  app.setErrorHandler(sendError);
  // Only for missing files of the documentation pages; other unknown routes are refused earlier.
  app.setNotFoundHandler((request, reply) => sendError(notFound('Route'), request, reply));
  parseJsonBodies(app);
  await registerDocs(app, document);
  for (const route of served.filter((route) => !isOfAnyType(route))) bind(app, route, guards);
  await app.register(async (scope) => {
    readRawBodies(scope);
    for (const route of served.filter(isOfAnyType)) bind(scope, route, guards);
  });
  return app;
}
