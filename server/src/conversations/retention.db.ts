import { NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';
import { SERVED_BY } from './served-by.db.ts';

/**
 * Erases expired contents of up to `limit` messages, in the system scope. Messages that still wait become dead, or handled
 * while a person has the conversation. @returns how many
 */
export const eraseDueContents = (limit: number) =>
  sql<{ count: number }>`
    with ended as (
      select id, conversation_id from channel_messages where erase_at <= ${NOW} order by erase_at limit ${limit}
    ), held as (
      select id, mode from conversations where id in (select conversation_id from ended) order by id
      for no key update skip locked
    ), due as (
      select ended.id, held.mode from ended left join held on held.id = ended.conversation_id
      where ended.conversation_id is null or held.id is not null
    ), erased as (
      update channel_messages m set sealed_content = null, erase_at = null,
        change = nextval('message_changes'),
        status = case when m.status <> 'pending' then m.status when due.mode = 'human' then 'handled' else 'dead' end,
        last_error = case m.status when 'pending' then 'Its content was erased' else m.last_error end,
        finished_at = case m.status when 'pending' then ${NOW}::timestamptz else m.finished_at end
      from due where m.id = due.id and m.erase_at <= ${NOW}
      returning m.conversation_id
    ), emptied as (
      update conversations c set erased_at = ${NOW}, sealed_attributes = null
      from held where c.id = held.id and not exists (
        select from channel_messages where conversation_id = c.id and erase_at > ${NOW})
    )
    select count(*)::int from erased`
    .one()
    .map(({ count }) => count);

/** Deletes conversations without content for 30 days (contract, section 13). */
export const emptyConversations = (): Deletion =>
  expiredRows({
    table: 'conversations',
    where: sql`erased_at <= ${NOW}::timestamptz - interval '30 days'
      and not exists (
        select from channel_messages where conversation_id = conversations.id and erase_at is not null)`,
    orderBy: 'erased_at',
    limit: 200,
    everyMinutes: 5,
  });

/** Without retention, erases the contents of answered messages at once. */
export const eraseAnswered = (conversation_id: string) =>
  sql`update channel_messages m set sealed_content = null, erase_at = null, change = nextval('message_changes')
      from conversations c ${SERVED_BY}
      where c.id = ${conversation_id} and m.conversation_id = c.id and m.direction = 'in' and m.status = 'handled'
        and m.erase_at is not null and coalesce(d.retention_days, 0) = 0
        and case m.author when 'sender' then m.number <= c.answered_number else exists (
          select from channel_messages where conversation_id = c.id and in_reply_to = m.message_id) end`;

/** How many conversations a tenant has above its limit. */
interface Surplus {
  tenant_id: string;
  count: number;
}

/** In the system scope. */
export const listSurplus = () =>
  sql<Surplus>`
    select t.id as tenant_id, (c.stored - limit_of(t.id, 'conversations_stored'))::int as count
    from tenants t
    cross join lateral (select count(*) as stored from conversations where tenant_id = t.id) c
    where c.stored > limit_of(t.id, 'conversations_stored')
    order by t.id`;

/** Deletes the conversations with the oldest last message, in the system scope. @returns how many */
export const deleteLongestSilent = ({ tenant_id, count }: Surplus) =>
  sql<{ count: number }>`
    with silent as materialized (
      select id from conversations where tenant_id = ${tenant_id} order by last_message_at, id desc limit ${count}
    ), due as (
      -- Locked only here: SKIP LOCKED in the first CTE would select a more recent conversation in place of a locked one.
      select id from conversations where id in (select id from silent) for update skip locked
    ), deleted as (
      delete from conversations c using due where c.id = due.id returning c.id
    )
    select count(*)::int from deleted`
    .one()
    .map(({ count: deleted }) => deleted);

/** Deletes messages whose content is erased, `days` after they were finished. */
export const emptyMessages = (days: number): Deletion =>
  expiredRows({
    table: 'channel_messages',
    where: sql`erase_at is null and sealed_content is null
      and finished_at <= ${NOW}::timestamptz - ${days}::int * interval '1 day'`,
    orderBy: 'finished_at',
  });
