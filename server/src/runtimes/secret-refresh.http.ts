import { ok, route } from '../platform/http/handler.ts';
import * as contract from './secret-refresh.contract.ts';
import { type RefreshServices, refreshSecrets } from './secret-refresh.ts';

export const secretRefreshRoutes = [
  route(contract.refreshSecrets, async ({ q, params, body, request }, services: RefreshServices) => {
    const claim = { ...body, certificate: request.clientCertificate?.certificate };
    return ok({ agent_secrets: await refreshSecrets(services, q, params.instance_id, claim) });
  }),
];
