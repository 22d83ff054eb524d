import { ok, route } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import * as contract from './secret-refresh.contract.ts';
import { refreshSecrets } from './secret-refresh.ts';

export const secretRefreshRoutes = [
  route(contract.refreshSecrets, async ({ tenant_id, params, body, request }, services: Services) => {
    const certificate = request.clientCertificate?.certificate;
    const claim = { ...body, certificate };
    return ok({ agent_secrets: await refreshSecrets(services, tenant_id, params.instance_id, claim) });
  }),
];
