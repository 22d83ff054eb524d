import { instanceExists } from '../instances/instances.db.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { type EventSource, streamEvents, wantsEventStream } from '../platform/http/event-stream.ts';
import { created, ok, route } from '../platform/http/handler.ts';
import * as contract from './instance-logs.contract.ts';
import { type LogLineRow, listLastLines, listLinesAfter } from './instance-logs.db.ts';
import { type LogServices, storeLines } from './instance-logs.ts';

interface StreamServices {
  notifications: Notifications;
  onStopping: (listener: () => void) => () => void;
}

function logSource(
  q: Queryable,
  notifications: Notifications,
  instance_id: string,
  first: LogLineRow | undefined,
): EventSource {
  const before = first ? first.id - 1 : 0;
  return {
    read: async (after, limit) => {
      const lines = await q.run(listLinesAfter(instance_id, Math.max(after, before), limit));
      return lines.map((line) => ({ id: line.id, event: 'line', data: line }));
    },
    subscribe: (wake) =>
      notifications.subscribe('instance_logs', (id) => {
        if (id === instance_id) wake();
      }),
  };
}

export const instanceLogRoutes = [
  route(contract.listInstanceLogs, async (call, { notifications, onStopping }: StreamServices) => {
    const { q, params, query, request } = call;
    const { items } = await q.run({
      instance: instanceExists(params.instance_id),
      items: listLastLines(params.instance_id, query.tail),
    });
    if (!wantsEventStream(request.headers.accept)) return ok({ items });
    const source = logSource(q, notifications, params.instance_id, items[0]);
    return streamEvents(call, source, onStopping);
  }),

  route(contract.sendInstanceLogs, async ({ q, params, body }, services: LogServices) =>
    created({ kept: await storeLines(services, q, params.instance_id, body.lines) }),
  ),
];
