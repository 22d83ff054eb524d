import { INSTANCE_STATUSES } from '../catalogue/hosting.contract.ts';
import { readsCustomers } from '../customers/customer-names.ts';
import { wordsIn } from '../platform/contract/shapes.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { type EventSource, streamEvents, wantsEventStream } from '../platform/http/event-stream.ts';
import { accepted, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import type { PlanServices } from '../recipes/plans.ts';
import { listServedDeployments } from './deployments.db.ts';
import { readDrift } from './drift.ts';
import { readInstance } from './instance-budget.ts';
import { listInstanceEvents, listInstanceEventsAfter } from './instance-events.db.ts';
import { listInstances } from './instance-overviews.db.ts';
import * as contract from './instances.contract.ts';
import { instanceExists } from './instances.db.ts';
import { removeDeployment, requestLifecycle } from './instances.ts';
import type { LifecycleRequest } from './lifecycle.ts';
import { planUpgrade, upgrade } from './upgrades.ts';

interface EventServices {
  notifications: Notifications;
  onStopping: (listener: () => void) => () => void;
}

const lifecycleRoute = (operation: typeof contract.stopInstance, request: LifecycleRequest) =>
  route(operation, async ({ q, params }) => accepted(await requestLifecycle(q, params.instance_id, request)));

const eventSource = (q: Queryable, notifications: Notifications, instance_id: string): EventSource => ({
  read: async (after, limit) => {
    const events = await q.run(listInstanceEventsAfter(instance_id, after, limit));
    return events.map((event) => ({ id: event.id, event: event.step ?? 'status', data: event }));
  },
  subscribe: (wake) =>
    notifications.subscribe('instance_events', (id) => {
      if (id === instance_id) wake();
    }),
});

export const instanceRoutes = [
  route(contract.listInstances, async ({ q, actor, query }) => {
    const { search, live: isLive = false, customer_id = null, recipe_id = null } = query;
    const statuses = wordsIn(INSTANCE_STATUSES, query.status);
    const filter = { search, statuses, isLive, customer_id, recipe_id };
    const list = (limit: number, offset: number) =>
      listInstances(filter, readsCustomers(actor), limit, offset);
    return ok(await page(q, query, list));
  }),

  route(contract.getInstance, async ({ q, actor, params }) =>
    ok(await readInstance(q, params.instance_id, readsCustomers(actor))),
  ),

  route(contract.listInstanceEvents, async (call, { notifications, onStopping }: EventServices) => {
    const { q, query, request } = call;
    const { instance_id } = call.params;
    if (wantsEventStream(request.headers.accept)) {
      await q.run(instanceExists(instance_id));
      return streamEvents(call, eventSource(q, notifications, instance_id), onStopping);
    }
    const list = (limit: number, offset: number) => listInstanceEvents(instance_id, limit, offset);
    return ok(await page(q, query, list, instanceExists(instance_id)));
  }),

  route(contract.getInstanceDrift, async ({ q, params }) => ok(await readDrift(q, params.instance_id))),

  route(contract.upgradeInstance, async ({ q, params: { instance_id }, body }, services: PlanServices) => {
    const { revision = null, instance_overrides = null, plan_hash = null } = body;
    const request = { revision, instance_overrides, plan_hash };
    if (body.dry_run) return ok(await planUpgrade(services, q, instance_id, request));
    const outcome = await upgrade(services, q, instance_id, request);
    return outcome.task_id === null ? ok(outcome) : accepted(outcome);
  }),

  route(contract.listInstanceDeployments, async ({ q, actor, params: { instance_id }, query }) => {
    const list = (limit: number, offset: number) =>
      listServedDeployments(instance_id, readsCustomers(actor), limit, offset);
    return ok(await page(q, query, list, instanceExists(instance_id)));
  }),

  route(contract.deleteInstanceDeployment, async ({ q, params }) =>
    accepted(await removeDeployment(q, params.instance_id, params.deployment_id)),
  ),

  lifecycleRoute(contract.stopInstance, 'stop'),
  lifecycleRoute(contract.startInstance, 'start'),
  lifecycleRoute(contract.restartInstance, 'restart'),
  lifecycleRoute(contract.retryInstance, 'retry'),
  lifecycleRoute(contract.deleteInstance, 'terminate'),
];
