import * as contract from '../contract/secret-refresh.ts';
import { refreshSecrets } from '../domain/secret-refresh.ts';
import { ok, route } from './handler.ts';

export const secretRefreshRoutes = [
  route(contract.refreshSecrets, async ({ services, tenant_id, params, body, request }) => {
    const certificate = request.clientCertificate?.certificate;
    const claim = { ...body, certificate };
    return ok({ agent_secrets: await refreshSecrets(services, tenant_id, params.instance_id, claim) });
  }),
];
