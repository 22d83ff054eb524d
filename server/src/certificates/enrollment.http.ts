import { created, ok, route } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import * as contract from './enrollment.contract.ts';
import { enroll } from './enrollment.ts';
import { requestEnrollmentToken } from './enrollment-tokens.ts';

export const enrollmentRoutes = [
  route(contract.enrollInstance, async ({ tenant_id, params, body }, services: Services) =>
    ok(await enroll(services, tenant_id, params.instance_id, body)),
  ),

  route(contract.createEnrollmentToken, async ({ tenant_id, params }, services: Services) =>
    created(await requestEnrollmentToken(services, tenant_id, params.instance_id)),
  ),
];
