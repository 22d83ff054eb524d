import type { DatabaseChecks } from './db/readiness.ts';
import { ServiceError } from './errors.ts';
import * as contract from './health.contract.ts';
import { ok, route } from './http/handler.ts';
import type { Metrics } from './metrics.ts';

export type ServiceState = 'starting' | 'open' | 'draining';

interface ReadinessServices {
  checkDatabase: () => Promise<DatabaseChecks>;
  serviceState: () => ServiceState;
  isolation: () => string;
}

const UNREADY = {
  starting: 'The service is starting',
  draining: 'The service is stopping',
  open: 'The database is not reachable, takes no writes, has no room or is not migrated',
} as const;

export const healthRoutes = [
  route(contract.getHealth, async () => ok({ status: 'ok' as const })),

  route(contract.getReadiness, async (_call, services: ReadinessServices) => {
    const database = await services.checkDatabase();
    const checks = { ...database, isolation: services.isolation() };
    const state = services.serviceState();
    if (state === 'open' && isReady(database)) return ok({ status: 'ready' as const, checks });
    throw new ServiceError('unavailable', UNREADY[state], {}, { status: 'unready', checks });
  }),

  route(contract.getMetrics, async ({ reply }, { metrics: { registry } }: { metrics: Metrics }) => {
    await reply.type(registry.contentType).send(await registry.metrics());
    return undefined;
  }),
];

/** A busy database is ready: other copies of the service have the same one. */
const isReady = ({ database, migrations }: DatabaseChecks): boolean =>
  (database === 'ok' || database === 'busy') && migrations !== 'incompatible';
