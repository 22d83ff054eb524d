import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { INTO_JOBS, OR_AGAIN } from '../platform/queue/jobs.db.ts';
import type { Channel } from './channel-endpoints.contract.ts';
import type { MessageStatus } from './channel-messages.contract.ts';
import { CONVERSATION, FORWARD_MESSAGES, TRIED_FOR } from './inbox.db.ts';

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

const columns = fragment(
  'm.id, m.channel, m.message_id, m.external_id, m.instance_id, m.endpoint_id, m.status, m.attempts, m.last_error, m.received_at, m.finished_at',
);

export const listChannelMessages = (status: MessageStatus | null, limit: number, offset: number) =>
  sql<ChannelMessageRow & { total: number }>`
    select ${columns}, count(*) over () as total from channel_messages m
    where (${status}::text is null or m.status = ${status})
    order by m.received_at desc, m.number desc limit ${limit} offset ${offset}`;

/** Stops the statements behind it with 404 unless the tenant has the message. */
export const channelMessageExists = (id: string) =>
  sql`select must_exist(exists (select from channel_messages where id = ${id}), 'Channel message')`;

/**
 * A dead message waits again, for the instance that its endpoint names now, and its conversation is enqueued.
 * @returns undefined when it is not dead
 */
export const reviveMessage = (id: string) =>
  sql<ChannelMessageRow>`
    with revived as (
      update channel_messages m set status = 'pending', give_up_at = ${NOW}::timestamptz + ${TRIED_FOR},
        finished_at = null, last_error = null, instance_id = e.instance_id
      from channel_endpoints e
      where m.id = ${id} and m.status = 'dead' and e.id = m.endpoint_id returning m.tenant_id, ${columns}
    ), enqueued as (
      ${INTO_JOBS}
      select ${FORWARD_MESSAGES}, ${CONVERSATION}, tenant_id, instance_id::text, '-infinity', now() from revived
      ${OR_AGAIN}
    )
    select ${columns} from revived m`.first();
