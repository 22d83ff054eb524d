import type { Channel } from '../contract/channel-endpoints.ts';
import type { MessageStatus } from '../contract/channel-messages.ts';
import type { Queryable } from './database.ts';
import { fragment, json, sql } from './sql.ts';

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

export interface NewChannelMessage {
  endpoint_id: string;
  message_id: string;
  external_id: string;
  text: string | null;
  raw: object;
}

const columns = fragment(
  'm.id, m.channel, m.message_id, m.external_id, m.instance_id, m.endpoint_id, m.status, m.attempts, m.last_error, m.received_at, m.finished_at',
);

/**
 * Stores messages in their order; one that is there already is left as it is. @returns the new ones.
 * Numbered first and then sorted, so that two deliveries with the same messages lock them in the same order
 * (in the system scope: a payload may be for several tenants).
 */
export const insertMessages = (
  q: Queryable,
  messages: readonly NewChannelMessage[],
  received_at: Date,
  give_up_at: Date,
) =>
  q.rows(
    sql<{ id: string; tenant_id: string; endpoint_id: string; external_id: string }>`
      with incoming as materialized (
        select nextval('channel_message_numbers') as number, m.*
        from jsonb_to_recordset(${json(messages)}::jsonb)
          as m (endpoint_id uuid, message_id text, external_id text, text text, raw jsonb)
      )
      insert into channel_messages
        (number, tenant_id, endpoint_id, instance_id, channel, message_id, external_id, text, raw, received_at, give_up_at)
      select i.number, e.tenant_id, e.id, e.instance_id, e.channel, i.message_id, i.external_id, i.text, i.raw,
             ${received_at}::timestamptz, ${give_up_at}::timestamptz
      from incoming i join channel_endpoints e on e.id = i.endpoint_id
      order by e.id, i.message_id, i.number
      on conflict (endpoint_id, message_id) do nothing
      returning id, tenant_id, endpoint_id, external_id`,
  );

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

export const markDelivered = (q: Queryable, id: string, instance_id: string, now: Date) =>
  q.rows(
    sql`update channel_messages set status = 'delivered', attempts = attempts + 1, last_error = null,
          instance_id = ${instance_id}, finished_at = ${now}
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
