import { EventEmitter, once } from 'node:events';
import type { Database } from '../platform/db/database.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import type { Again, JobRequest } from '../platform/queue/jobs.db.ts';
import { signalAfter } from '../platform/signal-after.ts';
import { enqueueDeliveries, enqueueForgotten, failOverflow, listOverflowing } from './event-deliveries.db.ts';
import type { EventMetrics } from './event-metrics.ts';

/** The channel of emit-event.sql. */
export const EVENT_NOTIFICATIONS = 'event_deliveries';
export const WAKE_DELIVERIES: JobRequest = { kind: 'wake_deliveries', key: 'all' };

/** How long a run listens. Then it looks for deliveries whose notification was lost. */
const LISTENS_FOR_MS = 20_000;

export interface WakingServices {
  db: Pick<Database, 'system'>;
  notifications: Pick<Notifications, 'subscribe'>;
  eventMetrics: EventMetrics;
}

/**
 * The job that enqueues endpoints for which something has happened, and fails what waits beyond their bound. Causes do not
 * do so themselves: until their commit, all of a tenant would wait for the row of one job.
 * @param stops ends the listening
 */
export async function wakeDeliveries(
  { db, notifications, eventMetrics }: WakingServices,
  ...stops: readonly AbortSignal[]
): Promise<Again> {
  const named = new Set<string>();
  const bell = new EventEmitter();
  const unsubscribe = notifications.subscribe(EVENT_NOTIFICATIONS, (endpoint_id) => {
    named.add(endpoint_id);
    bell.emit('ring');
  });
  const signal = AbortSignal.any([...stops, signalAfter(LISTENS_FOR_MS)]);
  try {
    const { overflowing } = await db.system.run({
      overflowing: listOverflowing(),
      forgotten: enqueueForgotten(),
    });
    for (const id of overflowing) named.add(id);
    while (!signal.aborted) {
      if (named.size === 0) await once(bell, 'ring', { signal }).catch(() => {});
      const ids = [...named];
      named.clear();
      if (ids.length === 0) continue;
      const { failed } = await db.system.run({ failed: failOverflow(ids), jobs: enqueueDeliveries(ids) });
      eventMetrics.deliveries.count('overflow', failed);
    }
  } finally {
    unsubscribe();
  }
  return 'now';
}
