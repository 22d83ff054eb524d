import { ok, route } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import * as contract from './renewal.contract.ts';
import { renew } from './renewal.ts';

export const renewalRoutes = [
  route(contract.renewCertificate, async ({ tenant_id, params, body, request }, services: Services) => {
    const certificate = request.clientCertificate?.certificate;
    return ok(await renew(services, tenant_id, params.instance_id, { ...body, certificate }));
  }),
];
