import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { EVENT_FORMATS } from './event-endpoints.contract.ts';

export type EventFormat = (typeof EVENT_FORMATS)[number];

export interface EventEndpointRow {
  id: string;
  sealed_url: Buffer;
  hides_url: boolean;
  events: string[];
  description: string | null;
  format: EventFormat;
  is_active: boolean;
  last_delivered_at: Date | null;
  last_error: string | null;
  created_at: Date;
  updated_at: Date;
}

interface NewEventEndpoint extends Pick<EventEndpointRow, 'id' | 'sealed_url' | 'events' | 'description'> {
  format: EventFormat;
  is_active: boolean;
  sealed_secret: Buffer;
}

/** undefined leaves a field, null clears it. */
interface EventEndpointChange {
  sealed_url?: Buffer | undefined;
  events?: readonly string[] | undefined;
  description?: string | null | undefined;
  format?: EventFormat | undefined;
  is_active?: boolean | undefined;
}

const columns = fragment(
  'id, sealed_url, hides_url, events, description, format, is_active, last_delivered_at, last_error, created_at, updated_at',
);

export const listEventEndpoints = (limit: number, offset: number) =>
  sql<EventEndpointRow & { total: number }>`
    select ${columns}, count(*) over () as total from event_endpoints
    order by created_at desc, id limit ${limit} offset ${offset}`;

export const findEventEndpoint = (id: string) =>
  sql<EventEndpointRow>`select ${columns} from event_endpoints where id = ${id}`.first();

/** Raises 404, which stops the statements after it. */
export const eventEndpointExists = (id: string) =>
  sql`select must_exist(exists (select from event_endpoints where id = ${id}), 'Event endpoint')`;

/** Raises 404 or 409, which stops the statements after it. Until the commit it is not switched off. */
export const holdActiveEndpoint = (id: string) =>
  sql`with held as (select is_active from event_endpoints where id = ${id} for no key update)
      select must_exist(exists (select from held), 'Event endpoint'),
             must_hold(coalesce((select is_active from held), true), 'The event endpoint is switched off')`;

export const insertEventEndpoint = (endpoint: NewEventEndpoint) => {
  const { id, sealed_url, events, description, format, is_active, sealed_secret } = endpoint;
  return sql<EventEndpointRow>`
    insert into event_endpoints (id, tenant_id, sealed_url, hides_url, events, description, format, is_active, sealed_secret)
    values (${id}, current_tenant(), ${sealed_url}, ${format !== 'standard'}, ${events}, ${description}, ${format}, ${is_active},
            ${sealed_secret})
    returning ${columns}`.one();
};

/** An address or a switch that is given begins anew. The address of a chat stays hidden when the format changes. */
export const patchEventEndpoint = (
  id: string,
  { sealed_url, events, description, format, is_active }: EventEndpointChange,
) =>
  sql<EventEndpointRow>`
    update event_endpoints set
      sealed_url = coalesce(${sealed_url}, sealed_url),
      hides_url = coalesce(${format}, format) <> 'standard' or hides_url and ${sealed_url === undefined},
      events = coalesce(${events}, events),
      description = case when ${description !== undefined} then ${description}::text else description end,
      format = coalesce(${format}, format),
      is_active = coalesce(${is_active}, is_active),
      last_error = case when ${is_active === true} and not is_active then null else last_error end,
      failing_since = case when ${sealed_url !== undefined || is_active === true} then null else failing_since end,
      paused_until = case when ${sealed_url !== undefined || is_active === true} then null else paused_until end,
      updated_at = greatest(updated_at, ${NOW})
    where id = ${id} returning ${columns}`.first();

/** The former secret signs as well for so many seconds; one that it had replaced itself signs no more. */
export const rotateEventSecret = (id: string, sealed_secret: Buffer, overlap_seconds: number) =>
  sql<EventEndpointRow>`
    update event_endpoints set sealed_secret = ${sealed_secret}, sealed_former_secret = sealed_secret,
      former_until = ${NOW}::timestamptz + ${overlap_seconds}::int * interval '1 second',
      updated_at = greatest(updated_at, ${NOW})
    where id = ${id} returning ${columns}`.first();

export const deleteEventEndpoint = (id: string) =>
  sql`delete from event_endpoints where id = ${id} returning id`.exists();

/** The part that sending needs. */
export interface Receiver {
  id: string;
  sealed_url: Buffer;
  sealed_secret: Buffer;
  /** null once its overlap is over. */
  sealed_former_secret: Buffer | null;
  format: EventFormat;
  is_active: boolean;
  /** null once it is over. */
  paused_until: Date | null;
}

export const findReceiver = (id: string) =>
  sql<Receiver>`
    select id, sealed_url, sealed_secret, case when former_until > ${NOW} then sealed_former_secret end as sealed_former_secret,
           format, is_active, case when paused_until > ${NOW} then paused_until end as paused_until
    from event_endpoints where id = ${id}`.first();

export const noteTaken = (id: string) =>
  sql`update event_endpoints set last_delivered_at = greatest(last_delivered_at, ${NOW}), last_error = null,
        failing_since = null
      where id = ${id}`;

interface NotTaken {
  last_error: string;
  /** The receiver asked to be called no earlier. */
  paused_until: Date | null;
  /** It will never take anything again. */
  is_gone: boolean;
}

/** After 5 days in which nothing was taken it is switched off, as one that is gone. */
export const noteNotTaken = (id: string, { last_error, paused_until, is_gone }: NotTaken) =>
  sql`update event_endpoints set failing_since = coalesce(failing_since, ${NOW}),
        paused_until = greatest(paused_until, ${paused_until}),
        is_active = is_active and not ${is_gone} and coalesce(failing_since > ${NOW}::timestamptz - interval '5 days', true),
        last_error = case when failing_since <= ${NOW}::timestamptz - interval '5 days' and not ${is_gone}
          then 'nothing taken for 5 days' else ${last_error} end
      where id = ${id} and is_active`;
