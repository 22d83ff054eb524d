import { listConversations } from '../conversations/conversations.contract.ts';
import { listCustomers } from '../customers/customers.contract.ts';
import { listInstances } from '../instances/instances.contract.ts';
import type { Actor } from '../platform/actor.ts';
import type { Operation } from '../platform/contract/operation.ts';
import { wordsIn } from '../platform/contract/shapes.ts';
import { refusal } from '../platform/http/authorize.ts';
import { ok, route } from '../platform/http/handler.ts';
import { listRecipes } from '../recipes/recipes.contract.ts';
import { getCustomerStaff } from '../workforce/staff.contract.ts';
import { getActivity } from './activity.contract.ts';
import { readActivity } from './activity.db.ts';
import { getOverview } from './overview.contract.ts';
import { kindOf, readOverview } from './overview.ts';
import { FOUND_KINDS, type FoundKind, searchTenant } from './search.contract.ts';
import { FINDS } from './search.db.ts';
import type { StoredOverviews } from './stored-overviews.ts';

/** Whoever may call the operation finds the kind. */
const READ_BY: Readonly<Record<FoundKind, Operation>> = {
  customer: listCustomers,
  person: getCustomerStaff,
  instance: listInstances,
  recipe: listRecipes,
  conversation: listConversations,
};

const callsOf = (actor: Actor) => (operation: Operation) => refusal(operation, actor) === undefined;

export const overviewRoutes = [
  route(getOverview, async ({ q, actor, tenant_id }, { overviews }: StoredOverviews) => {
    const mayCall = callsOf(actor);
    return ok(await overviews.get(tenant_id, kindOf(mayCall), () => readOverview(q, mayCall)));
  }),

  route(getActivity, async ({ q, tenant_id, query }, { activities }: StoredOverviews) => {
    const { instance_id = null, hours } = query;
    const read = () => q.run(readActivity(instance_id, hours));
    return ok(await activities.get(tenant_id, `${instance_id} ${hours}`, read));
  }),

  route(searchTenant, async ({ q, actor, query }) => {
    const mayCall = callsOf(actor);
    const kinds = (wordsIn(FOUND_KINDS, query.kinds) ?? FOUND_KINDS).filter((kind) => mayCall(READ_BY[kind]));
    return ok({ items: (await q.runAll(kinds.map((kind) => FINDS[kind](query.q)))).flat() });
  }),
];
