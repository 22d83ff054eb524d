import { ok, route } from '../platform/http/handler.ts';
import * as contract from './renewal.contract.ts';
import { type RenewalServices, renew } from './renewal.ts';

export const renewalRoutes = [
  route(contract.renewCertificate, async ({ q, params, body, request }, services: RenewalServices) => {
    const certificate = request.clientCertificate?.certificate;
    return ok(await renew(services, q, params.instance_id, { ...body, certificate }));
  }),
];
