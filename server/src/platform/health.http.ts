import { ServiceError } from './errors.ts';
import * as contract from './health.contract.ts';
import { ok, route } from './http/handler.ts';
import type { Metrics } from './metrics.ts';

interface ReadinessServices {
  checkReady: () => Promise<void>;
  isolation: () => string;
}

export const healthRoutes = [
  route(contract.getHealth, async () => ok({ status: 'ok' as const })),

  route(contract.getReadiness, async (_call, services: ReadinessServices) => {
    try {
      await services.checkReady();
    } catch {
      throw new ServiceError(
        'unavailable',
        'The service is starting, or the database is not reachable, takes no writes or is not migrated',
      );
    }
    return ok({ status: 'ready' as const, checks: { isolation: services.isolation() } });
  }),

  route(contract.getMetrics, async ({ reply }, { metrics: { registry } }: { metrics: Metrics }) => {
    await reply.type(registry.contentType).send(await registry.metrics());
    return undefined;
  }),
];
