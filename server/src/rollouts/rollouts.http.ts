import type { TenantDb } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { accepted, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import type { PlanServices } from '../recipes/plans.ts';
import { recipeExists } from '../recipes/recipes.db.ts';
import { listItems } from './rollout-items.db.ts';
import { planRollout } from './rollout-plans.ts';
import * as contract from './rollouts.contract.ts';
import { findRollout, listRollouts } from './rollouts.db.ts';
import { changeRollout, requestOf, startRollout } from './rollouts.ts';

const FIRST_PAGE = { page: 1, per_page: 20 };

interface Ids {
  template_id: string;
  rollout_id: string;
}

async function detailOf(q: TenantDb, { template_id, rollout_id }: Ids, query = FIRST_PAGE) {
  const { row } = await q.run({
    recipe: recipeExists(template_id),
    row: findRollout(template_id, rollout_id),
  });
  const list = (limit: number, offset: number) => listItems(rollout_id, limit, offset);
  return { ...found('Rollout', row), ...(await page(q, query, list)) };
}

async function changed(q: TenantDb, params: Ids, request: Parameters<typeof changeRollout>[3]) {
  await changeRollout(q, params.template_id, params.rollout_id, request);
  return detailOf(q, params);
}

export const rolloutRoutes = [
  route(contract.startRollout, async ({ q, params, query, body }, services: PlanServices) => {
    const request = requestOf(params.template_id, body);
    if (body.dry_run) return ok(await planRollout(services, q, request, query));
    const rollout_id = await startRollout(q, request);
    return accepted(await detailOf(q, { ...params, rollout_id }, query));
  }),

  route(contract.listRollouts, async ({ q, params: { template_id }, query }) => {
    const list = (limit: number, offset: number) => listRollouts(template_id, limit, offset);
    return ok(await page(q, query, list, recipeExists(template_id)));
  }),

  route(contract.getRollout, async ({ q, params, query }) => ok(await detailOf(q, params, query))),

  route(contract.pauseRollout, async ({ q, params }) => ok(await changed(q, params, 'pause'))),
  route(contract.resumeRollout, async ({ q, params }) => accepted(await changed(q, params, 'resume'))),
  route(contract.stopRollout, async ({ q, params }) => ok(await changed(q, params, 'stop'))),
  route(contract.rollBackRollout, async ({ q, params }) => accepted(await changed(q, params, 'rollback'))),
];
