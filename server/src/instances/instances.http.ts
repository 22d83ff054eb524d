import type { Notifications } from '../platform/db/notifications.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { type EventSource, streamEvents, wantsEventStream } from '../platform/http/event-stream.ts';
import { abortOnDisconnect, accepted, created, ok, route } from '../platform/http/handler.ts';
import { largeJson } from '../platform/http/large-json.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import { readDrift } from './drift.ts';
import * as contract from './instances.contract.ts';
import {
  getInstance,
  listInstanceEvents,
  listInstanceEventsAfter,
  listInstances,
  requestLifecycle,
  withInstanceDetail,
} from './instances.ts';
import type { LifecycleRequest } from './lifecycle.ts';
import { rotateProxyKey } from './proxy-keys.ts';

const lifecycleRoute = (operation: typeof contract.stopInstance, request: LifecycleRequest) =>
  route(operation, async ({ tenant_id, params }, services: Services) =>
    accepted(await requestLifecycle(services, tenant_id, params.instance_id, request)),
  );

/** The events of an instance, as a log to follow. */
const eventSource = (q: Queryable, notifications: Notifications, instance_id: string): EventSource => ({
  read: async (after, limit) => {
    const events = await listInstanceEventsAfter(q, instance_id, after, limit);
    return events.map((event) => ({ id: event.id, event: event.step ?? 'status', data: event }));
  },
  subscribe: (wake) =>
    notifications.subscribe('instance_events', (id) => {
      if (id === instance_id) wake();
    }),
});

export const instanceRoutes = [
  route(contract.listInstances, async ({ q, query }) => {
    const { status = null, customer_id = null, recipe_id = null } = query;
    const filter = { status, customer_id, recipe_id };
    return ok(await pageOf(query, (...window) => listInstances(q, filter, ...window)));
  }),

  route(contract.getInstance, ({ q, params, reply }, services: Services) =>
    withInstanceDetail(
      { q, services, signal: abortOnDisconnect(reply) },
      params.instance_id,
      async (instance) => ok(await largeJson(instance)),
    ),
  ),

  route(contract.listInstanceEvents, async (call, services: Services) => {
    const { q, params, query, request } = call;
    await getInstance(q, params.instance_id);
    if (wantsEventStream(request.headers.accept)) {
      const source = eventSource(q, services.notifications, params.instance_id);
      return streamEvents(call, source, services.onStopping);
    }
    return ok(await pageOf(query, (...window) => listInstanceEvents(q, params.instance_id, ...window)));
  }),

  route(contract.getInstanceDrift, ({ q, params, reply }, services: Services) =>
    readDrift({ q, services, signal: abortOnDisconnect(reply) }, params.instance_id, async (drift) =>
      ok(await largeJson(drift)),
    ),
  ),

  lifecycleRoute(contract.stopInstance, 'stop'),
  lifecycleRoute(contract.startInstance, 'start'),
  lifecycleRoute(contract.retryInstance, 'retry'),
  lifecycleRoute(contract.deleteInstance, 'terminate'),

  route(contract.createProxyKey, async ({ tenant_id, params }, services: Services) =>
    created({ proxy_key: await rotateProxyKey(services, tenant_id, params.instance_id) }),
  ),
];
