import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';

/** One line of the log for each request that was answered, and its time in the metrics. */
export function noteRequests(app: FastifyInstance, logger: FastifyBaseLogger, metrics: Metrics): void {
  // Looking for secrets where there can be none is a good part of the cost of a line.
  const requestLog = logger.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operation?.id ?? 'unknown';
    metrics.observeRequest(operation, reply.statusCode, reply.elapsedTime);
    requestLog.info(
      {
        reqId: request.id,
        operation,
        method: request.method,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        tenant_id: request.actor && 'tenant_id' in request.actor ? request.actor.tenant_id : undefined,
      },
      'request',
    );
    done();
  });
}
