import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { Channel } from './channel-endpoints.contract.ts';
import type { MessageStatus } from './channel-messages.contract.ts';

interface ChannelMessageRow {
  id: string;
  channel: Channel;
  message_id: string;
  external_id: string;
  instance_id: string;
  hostname: string | null;
  endpoint_id: string;
  conversation_id: string | null;
  status: MessageStatus;
  attempts: number;
  last_error: string | null;
  received_at: Date;
  finished_at: Date | null;
}

const columns = fragment(`m.id, m.channel, m.message_id, m.external_id, m.instance_id,
  (select hostname from instances where id = m.instance_id) as hostname, m.endpoint_id, m.conversation_id,
  case m.status when 'handled' then 'delivered' else m.status end as status, m.attempts, m.received_at,
  m.finished_at`);

interface MessageFilter {
  status?: MessageStatus | undefined;
  instance_id?: string | undefined;
  conversation_id?: string | undefined;
}

export const listChannelMessages = (
  { status, instance_id, conversation_id }: MessageFilter,
  limit: number,
  offset: number,
) =>
  sql<ChannelMessageRow & { total: number }>`
    select ${columns}, count(*) over () as total,
           case when m.status = 'pending' and c.mode = 'human' then 'A person has the conversation'
                when m.status = 'pending' and c.onboarding_flow_id is not null then 'Its sender is being asked the onboarding steps'
                when m.status = 'pending' and c.away_until > ${NOW} then 'It is outside business hours'
                else m.last_error end as last_error
    from channel_messages m left join conversations c on c.id = m.conversation_id
    where m.direction = 'in' and m.endpoint_id is not null
      and (${status}::text is null or m.status = ${status === 'delivered' ? 'handled' : status})
      and (${instance_id}::uuid is null or m.instance_id = ${instance_id})
      and (${conversation_id}::uuid is null or m.conversation_id = ${conversation_id})
    order by m.received_at desc, m.number desc limit ${limit} offset ${offset}`;

export const findChannelMessage = (id: string) =>
  sql<ChannelMessageRow>`select ${columns}, m.last_error from channel_messages m where m.id = ${id}`.first();

/** Raises 404, which stops the statements after it. */
export const channelMessageExists = (id: string) =>
  sql`select must_exist(exists (select from channel_messages where id = ${id}), 'Channel message')`;

/** Raises 409 for a dead message without content, which stops the statements after it. */
export const messageIsKept = (id: string) =>
  sql`select must_hold(not exists (
        select from channel_messages
        where id = ${id} and status = 'dead' and sealed_content is null),
        'The content of the message was erased')`;
