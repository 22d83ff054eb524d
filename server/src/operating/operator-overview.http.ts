import type { ProviderServices } from '../models/llm-providers.ts';
import type { DatabaseChecks } from '../platform/db/readiness.ts';
import { ok, route } from '../platform/http/handler.ts';
import { getOperatorOverview } from './operator-overview.contract.ts';
import { readOperatorOverview } from './operator-overview.ts';
import type { ProviderChecks } from './provider-checks.ts';

interface OverviewServices extends ProviderServices {
  providerChecks: ProviderChecks;
  checkDatabase: () => Promise<DatabaseChecks>;
  isolation: () => string;
}

export const operatorOverviewRoutes = [
  route(getOperatorOverview, async ({ system }, services: OverviewServices) => {
    const [overview, providers, { database }] = await Promise.all([
      readOperatorOverview(system),
      services.providerChecks.read(services, system),
      services.checkDatabase(),
    ]);
    return ok({ ...overview, providers, isolation: services.isolation(), database });
  }),
];
