import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';
import { INTO_JOBS, type JobRequest, OR_AGAIN } from '../platform/queue/jobs.db.ts';
import type { DeliveryStatus } from './event-deliveries.contract.ts';
import { type HappenedEvent, PING } from './events.contract.ts';

/** Kind of the jobs that send an endpoint's events; the key is the endpoint's id. */
export const SEND_EVENTS = 'send_events';

/** An endpoint is a lane of its own, so that no other waits for its receiver. */
export const jobOf = (endpoint_id: string): JobRequest => ({
  kind: SEND_EVENTS,
  key: endpoint_id,
  lane: endpoint_id,
});

/** Beyond it the oldest deliveries of an endpoint fail. */
const MOST_WAITING = 10_000;
const KEPT_DAYS = 7;

export interface DeliveryRow {
  id: string;
  event_id: string;
  type: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  last_status: number | null;
  last_error: string | null;
  at: Date;
}

const columns =
  fragment(`d.id, d.event_id, (select type from events where id = d.event_id) as type, d.status, d.attempts,
  case d.status when 'pending' then greatest(d.next_attempt_at, d.at) end as next_attempt_at, d.last_status, d.last_error, d.at`);

export const listEventDeliveries = (
  { endpoint_id, status }: { endpoint_id: string; status: DeliveryStatus | undefined },
  limit: number,
  offset: number,
) =>
  sql<DeliveryRow & { total: number }>`
    select ${columns}, count(*) over () as total from event_deliveries d
    where d.endpoint_id = ${endpoint_id} and (${status}::text is null or d.status = ${status})
    order by d.number desc limit ${limit} offset ${offset}`;

/** Its turn was before, so later events do not wait for it again. undefined: unknown. */
export const redeliver = (endpoint_id: string, id: string) =>
  sql<DeliveryRow>`
    update event_deliveries d set status = 'pending', attempts = 0, next_attempt_at = '-infinity',
      give_up_at = ${NOW}::timestamptz + interval '24 hours',
      stream = case d.status when 'pending' then d.stream end
    where d.id = ${id} and d.endpoint_id = ${endpoint_id} returning ${columns}`.first();

export const insertPing = (endpoint_id: string) =>
  sql<DeliveryRow>`
    with event as (
      insert into events (tenant_id, type, at, data) values (current_tenant(), ${PING}, ${NOW}, '{}') returning *
    ), made as (
      insert into event_deliveries (tenant_id, endpoint_id, event_id, at)
      select tenant_id, ${endpoint_id}, id, at from event returning *
    )
    select d.id, d.event_id, ${PING}::text as type, d.status, d.attempts, d.at as next_attempt_at, d.last_status,
           d.last_error, d.at
    from made d`.one();

/** In the system scope: from now on each endpoint's deliveries are sent, by one run at a time. */
export const enqueueDeliveries = (endpoint_ids: readonly string[]) =>
  sql`${INTO_JOBS}
      select ${SEND_EVENTS}, id::text, tenant_id, id::text, '-infinity', now() from event_endpoints
      where id = any(${endpoint_ids}::uuid[]) order by id
      ${OR_AGAIN}`;

/** In the system scope: deliveries whose notification was lost. */
export const enqueueForgotten = () =>
  sql`${INTO_JOBS}
      select ${SEND_EVENTS}, e.id::text, e.tenant_id, e.id::text, '-infinity', now() from event_endpoints e
      where exists (select from event_deliveries where endpoint_id = e.id and status = 'pending')
        and not exists (select from jobs where kind = ${SEND_EVENTS} and key = e.id::text)
      order by e.id
      ${OR_AGAIN}`;

/** In the system scope: endpoints with too many waiting deliveries. */
export const listOverflowing = () =>
  sql<{ id: string }>`
    select e.id from event_endpoints e cross join lateral (
      select from event_deliveries where endpoint_id = e.id and status = 'pending'
      order by number desc offset ${MOST_WAITING} limit 1) o`.each(({ id }) => id);

/** In the system scope. @returns how many failed */
export const failOverflow = (endpoint_ids: readonly string[]) =>
  sql<{ failed: number }>`
    with surplus as (
      select o.id from unnest(${endpoint_ids}::uuid[]) e (id) cross join lateral (
        select id from event_deliveries where endpoint_id = e.id and status = 'pending'
        order by number desc offset ${MOST_WAITING}) o
    ), failed as (
      update event_deliveries set status = 'failed', last_error = 'overflow'
      where id in (select id from surplus) and status = 'pending' returning 1
    )
    select count(*)::int as failed from failed`
    .one()
    .map(({ failed }) => failed);

/** Does nothing unless the endpoint is switched off. @returns how many failed */
export const failWaiting = (endpoint_id: string) =>
  sql<{ failed: number }>`
    with failed as (
      update event_deliveries set status = 'failed', last_error = 'switched_off'
      where endpoint_id = ${endpoint_id} and status = 'pending'
        and exists (select from event_endpoints where id = ${endpoint_id} and not is_active)
      returning 1
    )
    select count(*)::int as failed from failed`
    .one()
    .map(({ failed }) => failed);

export interface DueDelivery {
  id: string;
  attempts: number;
  give_up_at: Date;
  event: HappenedEvent;
}

type DueRow = Pick<DueDelivery, 'id' | 'attempts' | 'give_up_at'> &
  Omit<HappenedEvent, 'id'> & { event_id: string };

/** Oldest first, and none whose stream has an earlier one. @param under_way their calls have not ended */
export const listDueDeliveries = (endpoint_id: string, under_way: readonly string[], limit: number) =>
  sql<DueRow>`
    select d.id, d.attempts, d.give_up_at, e.id as event_id, e.type, e.at, e.data
    from event_deliveries d join events e on e.id = d.event_id
    where d.endpoint_id = ${endpoint_id} and d.status = 'pending' and d.next_attempt_at <= ${NOW}
      and not d.id = any(${under_way}::uuid[])
      and not exists (
        select from event_deliveries before
        where before.endpoint_id = ${endpoint_id} and before.stream = d.stream and before.status = 'pending'
          and before.number < d.number)
    order by d.number limit ${limit}`.each(
    ({ id, attempts, give_up_at, event_id, type, at, data }): DueDelivery => ({
      id,
      attempts,
      give_up_at,
      event: { id: event_id, type, at, data },
    }),
  );

/** `next_at` null: none waits for a later time. */
export const findRest = (endpoint_id: string) =>
  sql<{ is_waiting: boolean; next_at: Date | null }>`
    select exists (select from event_deliveries where endpoint_id = ${endpoint_id} and status = 'pending') as is_waiting,
           (select min(next_attempt_at) from event_deliveries
            where endpoint_id = ${endpoint_id} and status = 'pending' and next_attempt_at > ${NOW}) as next_at`.one();

/** Whatever became of it meanwhile. */
export const noteDelivered = (id: string, last_status: number) =>
  sql`update event_deliveries set status = 'delivered', attempts = attempts + 1, last_status = ${last_status},
        last_error = null
      where id = ${id}`;

/** @param next_attempt_at null: given up */
export const noteRefused = (
  id: string,
  {
    last_status,
    last_error,
    next_attempt_at,
  }: { last_status: number | null; last_error: string; next_attempt_at: Date | null },
) =>
  sql`update event_deliveries set attempts = attempts + 1, last_status = ${last_status}, last_error = ${last_error},
        status = case when ${next_attempt_at === null} then 'failed' else status end,
        next_attempt_at = coalesce(${next_attempt_at}, next_attempt_at)
      where id = ${id} and status = 'pending'`;

/** With their deliveries, but for those that wait. */
export const oldEventsOut = (): Deletion =>
  expiredRows({
    table: 'events',
    where: sql`at <= ${NOW}::timestamptz - ${KEPT_DAYS}::int * interval '1 day'
      and not exists (select from event_deliveries d where d.event_id = events.id and d.status = 'pending')`,
    orderBy: 'at',
    skipsLocked: false,
  });
