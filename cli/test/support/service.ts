import { randomUUID } from 'node:crypto';
import { startTestService, type TestService, type TestTenant } from '../../../server/test/support/service.ts';
import { Workplace } from './agentctl.ts';

export interface CliBench {
  service: TestService;
  tenant: TestTenant;
  /** Its environment has an admin key with scope *. */
  work: Workplace;
  tier_id: string;
  stop(): Promise<void>;
}

export async function startCliBench(options: Parameters<typeof startTestService>[0] = {}): Promise<CliBench> {
  const service = await startTestService(options);
  const tenant = await service.createTenant();
  const tier_id = randomUUID();
  await service.operations.put(`/internal/v1/tiers/${tier_id}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu', { name: 'Europe' });
  const work = await Workplace.open({ ACP_URL: service.base_url, ACP_API_KEY: tenant.key });
  return {
    service,
    tenant,
    work,
    tier_id,
    stop: async () => {
      await work.close();
      await service.stop();
    },
  };
}
