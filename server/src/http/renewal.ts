import * as contract from '../contract/renewal.ts';
import { renew } from '../domain/renewal.ts';
import { ok, route } from './handler.ts';

export const renewalRoutes = [
  route(contract.renewCertificate, async ({ services, tenant_id, params, body, request }) => {
    const certificate = request.clientCertificate?.certificate;
    return ok(await renew(services, tenant_id, params.instance_id, { ...body, certificate }));
  }),
];
