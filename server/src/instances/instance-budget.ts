import type { Static } from 'typebox';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { readModelPolicy } from '../recipes/fields/model-policy.ts';
import type { InstanceBudget } from './instance-budget.contract.ts';
import { findInstanceDetail, type InstanceSpending } from './instance-overviews.db.ts';

/** With what its recipe lets it spend in a month. Not found for an unknown instance. */
export async function readInstance(q: TenantQueryable, id: string, readsCustomers: boolean) {
  const { spending, ...instance } = found('Instance', await q.run(findInstanceDetail(id, readsCustomers)));
  return { ...instance, budget: budgetOf(instance.resolved_config, spending) };
}

function budgetOf(config: JsonObject, spending: InstanceSpending): Static<typeof InstanceBudget> {
  const {
    monthly_cost = null,
    monthly_tokens = null,
    per = 'instance',
  } = readModelPolicy(config).budget ?? {};
  const { resets_at } = spending;
  const { cost, tokens } = spending[per];
  return { monthly_cost, monthly_tokens, per, spent_cost: cost, spent_tokens: tokens, resets_at };
}
