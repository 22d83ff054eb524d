import { fieldsOf } from '../platform/db/rows.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './onboarding-flows.contract.ts';
import {
  deleteOnboardingFlow,
  findOnboardingFlow,
  insertOnboardingFlow,
  listOnboardingFlows,
  updateOnboardingFlow,
} from './onboarding-flows.db.ts';

export const onboardingFlowRoutes = [
  route(contract.listOnboardingFlows, async ({ q, query }) => ok(await page(q, query, listOnboardingFlows))),

  route(contract.createOnboardingFlow, async ({ q, body }) =>
    created(await q.run(insertOnboardingFlow(body))),
  ),

  route(contract.getOnboardingFlow, async ({ q, params }) =>
    ok(found('Onboarding flow', await q.run(findOnboardingFlow(params.onboarding_flow_id)))),
  ),

  route(contract.updateOnboardingFlow, async ({ q, params, body }) => {
    const changes = fieldsOf(contract.OnboardingFlowUpdate, body);
    return ok(
      found('Onboarding flow', await q.run(updateOnboardingFlow(params.onboarding_flow_id, changes))),
    );
  }),

  route(contract.deleteOnboardingFlow, async ({ q, params }) => {
    found('Onboarding flow', await q.run(deleteOnboardingFlow(params.onboarding_flow_id)));
    return noContent();
  }),
];
