import * as contract from '../contract/enrollment.ts';
import { enroll } from '../domain/enrollment.ts';
import { requestEnrollmentToken } from '../domain/enrollment-tokens.ts';
import { created, ok, route } from './handler.ts';

export const enrollmentRoutes = [
  route(contract.enrollInstance, async ({ services, tenant_id, params, body }) =>
    ok(await enroll(services, tenant_id, params.instance_id, body)),
  ),

  route(contract.createEnrollmentToken, async ({ services, tenant_id, params }) =>
    created(await requestEnrollmentToken(services, tenant_id, params.instance_id)),
  ),
];
