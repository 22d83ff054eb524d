import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import type { Channel } from './channel-endpoints.contract.ts';
import type { MessageStatus } from './channel-messages.contract.ts';

export interface ChannelMessageRow {
  id: string;
  channel: Channel;
  message_id: string;
  external_id: string;
  instance_id: string;
  endpoint_id: string;
  status: MessageStatus;
  attempts: number;
  last_error: string | null;
  received_at: Date;
  finished_at: Date | null;
}

/** A message to be stored for an endpoint, as long as the secret that signed it is the endpoint's. */
export interface NewChannelMessage {
  /** Of the delivery that it came in, by which it is spoken of in the answer. */
  delivery: number;
  endpoint_id: string;
  /** Hex. */
  app_secret_hash: string;
  message_id: string;
  external_id: string;
  /** Where in `raw` its text stands. */
  text_path: readonly string[] | null;
  /** JSON. */
  raw: string;
}

const columns = fragment(
  'm.id, m.channel, m.message_id, m.external_id, m.instance_id, m.endpoint_id, m.status, m.attempts, m.last_error, m.received_at, m.finished_at',
);

export interface Stored {
  /** How many are new, and how many were there already. */
  stored: number;
  duplicates: number;
  /** The deliveries with a message whose endpoint is gone or has another secret by now; such a message is left out. */
  outdated: number[];
}

/**
 * Stores messages in their order, and leaves a job for each (left-jobs.ts); one that is there already is left as it is.
 * Numbered first and then sorted, so that two calls with the same messages lock them in the same order
 * (in the system scope: messages may be for several tenants).
 */
export async function insertMessages(
  q: Queryable,
  messages: readonly NewChannelMessage[],
  received_at: Date,
  give_up_at: Date,
): Promise<Stored> {
  const [row] = await q.rows(
    sql<Stored>`
      with incoming as materialized (
        select nextval('channel_message_numbers') as number, m.*
        from jsonb_to_recordset(${`[${messages.map(asJson).join(',')}]`}::jsonb)
          as m (delivery integer, endpoint_id uuid, app_secret_hash text, message_id text, external_id text,
                text_path text[], raw jsonb)
      ), addressed as materialized (
        select i.*, e.tenant_id, e.instance_id, e.channel
        from incoming i
        left join channel_endpoints e on e.id = i.endpoint_id and e.app_secret_hash = decode(i.app_secret_hash, 'hex')
      ), stored as (
        insert into channel_messages
          (number, tenant_id, endpoint_id, instance_id, channel, message_id, external_id, text, raw, received_at, give_up_at)
        select number, tenant_id, endpoint_id, instance_id, channel, message_id, external_id, raw #>> text_path, raw,
               ${received_at}::timestamptz, ${give_up_at}::timestamptz
        from addressed where tenant_id is not null
        order by endpoint_id, message_id, number
        on conflict (endpoint_id, message_id) do nothing
        returning id, number, tenant_id, endpoint_id, instance_id, external_id
      ), tenants as materialized (
        select tenant_id, (
          select count(*) from (
            select from channel_messages m where m.tenant_id = tenants.tenant_id and m.status = 'pending' limit 1000
          ) as waiting
        ) as waiting
        from (select distinct tenant_id from addressed where tenant_id is not null) as tenants
      ), jobs as (
        select count(*)::int as count, coalesce(json_agg(json_build_object(
          'data', json_build_object('tenant_id', tenant_id, 'instance_id', instance_id, 'channel_message_id', id),
          'singletonKey', endpoint_id || ':' || external_id,
          'priority', job_priority(waiting + nth))), '[]') as list
        from (select *, row_number() over (partition by tenant_id order by number) as nth from stored) as stored
        join tenants using (tenant_id)
      )
      select count as stored,
             (select count(*)::int from addressed where tenant_id is not null) - count as duplicates,
             array(select distinct delivery from addressed where tenant_id is null) as outdated,
             set_config('app.left_jobs', list::text, true) is not null as jobs_left
      from jobs`,
  );
  return row as Stored;
}

/** Most of it is JSON already, which nobody has to write once more. */
function asJson(message: NewChannelMessage): string {
  const { raw, ...rest } = message;
  return `${JSON.stringify(rest).slice(0, -1)},"raw":${raw}}`;
}

export const listChannelMessages = (
  q: Queryable,
  status: MessageStatus | null,
  limit: number,
  offset: number,
) =>
  q.rows(
    sql<ChannelMessageRow & { total: number }>`
      select ${columns}, count(*) over () as total from channel_messages m
      where (${status}::text is null or m.status = ${status})
      order by m.received_at desc, m.number desc limit ${limit} offset ${offset}`,
  );

export async function existsChannelMessage(q: Queryable, id: string): Promise<boolean> {
  return (await q.rows(sql`select id from channel_messages where id = ${id}`)).length > 0;
}

/** How soon a tenant's message that waits from now on has its turn. */
export async function getMessagePriority(q: Queryable): Promise<number> {
  const [row] = await q.rows(
    sql<{ priority: number }>`
      select job_priority(count(*)) as priority
      from (select from channel_messages where status = 'pending' limit 1001) as waiting`,
  );
  return (row as { priority: number }).priority;
}

/** A dead message waits again, for the instance that its endpoint names now. @returns undefined when it is not dead */
export async function reviveMessage(
  q: Queryable,
  id: string,
  give_up_at: Date,
): Promise<ChannelMessageRow | undefined> {
  const [row] = await q.rows(
    sql<ChannelMessageRow>`
      update channel_messages m set status = 'pending', give_up_at = ${give_up_at}, finished_at = null,
        last_error = null, instance_id = e.instance_id
      from channel_endpoints e
      where m.id = ${id} and m.status = 'dead' and e.id = m.endpoint_id returning ${columns}`,
  );
  return row;
}

/** What it said is forgotten then: nobody asks for it again, and people send their PINs in messages. */
export const markDelivered = (q: Queryable, id: string, instance_id: string, now: Date) =>
  q.rows(
    sql`update channel_messages set status = 'delivered', attempts = attempts + 1, last_error = null,
          instance_id = ${instance_id}, finished_at = ${now}, text = null, raw = '{}'
        where id = ${id} and status = 'pending'`,
  );

export const markDead = (q: Queryable, id: string, instance_id: string, last_error: string, now: Date) =>
  q.rows(
    sql`update channel_messages set status = 'dead', last_error = ${last_error}, instance_id = ${instance_id},
          finished_at = ${now}
        where id = ${id} and status = 'pending'`,
  );

export const recordFailedAttempt = (q: Queryable, id: string, last_error: string) =>
  q.rows(
    sql`update channel_messages set attempts = attempts + 1, last_error = ${last_error}
        where id = ${id} and status = 'pending'`,
  );
