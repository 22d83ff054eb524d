import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type OpenSpan, readTraceparent, type Trace, type Tracing } from '../tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Only while spans are exported. */
    span?: OpenSpan;
  }
}

/** For later work on behalf of the request. */
export const traceOf = ({ id, span, headers }: FastifyRequest): Trace => ({
  request_id: id,
  traceparent: span?.traceparent ?? readTraceparent(headers.traceparent),
});

/** Only while spans are exported. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  if (!tracing.isOn) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config;
    const name = operation ? `${operation.method} ${operation.path}` : request.method;
    const parent = readTraceparent(request.headers.traceparent);
    const attributes = { 'http.request.method': request.method, 'acp.request_id': request.id };
    request.span = tracing.begin({ name, kind: 'server', parent, attributes });
    done();
  });
  app.addHook('onResponse', (request, { statusCode }, done) => {
    request.span?.end({
      error: statusCode >= 500 ? String(statusCode) : undefined,
      attributes: { 'http.response.status_code': statusCode },
    });
    done();
  });
}
