import { created, ok, route } from '../platform/http/handler.ts';
import * as contract from './enrollment.contract.ts';
import { enroll } from './enrollment.ts';
import { requestEnrollmentToken } from './enrollment-tokens.ts';

export const enrollmentRoutes = [
  route(contract.enrollInstance, async ({ services, tenant_id, params, body }) =>
    ok(await enroll(services, tenant_id, params.instance_id, body)),
  ),

  route(contract.createEnrollmentToken, async ({ services, tenant_id, params }) =>
    created(await requestEnrollmentToken(services, tenant_id, params.instance_id)),
  ),
];
