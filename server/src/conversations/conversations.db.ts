import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { INTO_JOBS, OR_AGAIN } from '../platform/queue/jobs.db.ts';
import type { MessageAuthor } from './messages.contract.ts';
import { TAKEOVER } from './messages.db.ts';

/** Kind of the jobs that deliver waiting messages to the agent; the key is the conversation's id. */
export const CONVERSE = 'converse';

export type Mode = 'agent' | 'human';
/** A group is read and answered by people alone. */
export type ConversationKind = 'direct' | 'group';

type TakerKind = 'user' | 'key' | 'channel';

/** Whoever takes a conversation with a credential. */
export interface Taker {
  kind: 'user' | 'key';
  id: string;
}

export interface ConversationRow {
  id: string;
  instance_id: string;
  hostname: string;
  customer_id: string;
  /** The company's. */
  customer_name: string | null;
  customer_email: string | null;
  channel: string;
  external_id: string;
  addresses: string[];
  identity_id: string | null;
  person_id: string | null;
  person_name: string | null;
  display_name: string | null;
  kind: ConversationKind;
  mode: Mode;
  human_since: Date | null;
  human_until: Date | null;
  taken_by_kind: TakerKind | null;
  taken_by_id: string | null;
  /** The e-mail of a user, the name of a key. */
  taken_by_name: string | null;
  /** Its content is the reason of a handover. */
  handover_id: string | null;
  handover_sealed_content: Buffer | null;
  unanswered: number;
  waiting_since: Date | null;
  reply_until: Date | null;
  retention_until: Date | null;
  sealed_attributes: Buffer | null;
  last_message_at: Date;
  created_at: Date;
  last_id: string | null;
  last_author: MessageAuthor | null;
  last_at: Date | null;
  last_sealed_content: Buffer | null;
}

/** The columns of a conversation `c`, with `ofConversation`. */
export const details = fragment(`
  c.id, c.instance_id, n.hostname, c.customer_id, k.customer_name, k.customer_email, c.channel, coalesce(c.began_with, c.external_id) as external_id,
  s.addresses, i.id as identity_id, b.person_id, b.person_name, coalesce(c.display_name, i.display_name, b.person_name) as display_name,
  c.kind, c.mode, case c.mode when 'human' then c.human_since end as human_since, c.human_until,
  c.taken_by_kind, c.taken_by_id, t.name as taken_by_name, h.id as handover_id, h.sealed_content as handover_sealed_content,
  u.unanswered, u.waiting_since, service_window_ends(c.channel, c.last_in_at, c.created_at) as reply_until, r.retention_until,
  c.sealed_attributes, c.last_message_at, c.created_at,
  l.id as last_id, l.author as last_author, l.at as last_at, l.sealed_content as last_sealed_content`);

export const ofConversation = fragment(`
  cross join lateral (select addresses_of(c.id) as addresses offset 0) s
  cross join lateral (
    select array_agg(spelling) as spellings from unnest(s.addresses) a (address) cross join unnest(address_spellings(address)) spelling) w
  join instances n on n.id = c.instance_id
  cross join lateral (
    select nullif(company_name, '') as customer_name, email as customer_email from customers where id = c.customer_id) k
  left join lateral (
    select id, display_name from identities where id = c.identity_id and customer_id = c.customer_id
    union all
    select n.id, n.display_name from identity_addresses a join identities n on n.id = a.identity_id
    where a.channel = c.channel and c.channel <> 'playground' and n.customer_id = c.customer_id
      and a.external_id = any (w.spellings)
    limit 1) i on true
  left join lateral (
    select d.person_id, p.name as person_name
    from staff_bindings d join staff p on p.id = d.person_id
    where d.channel_type = c.channel and d.customer_id = c.customer_id and d.state = 'verified'
      and (d.channel_address = any (w.spellings) or d.address_key = any (w.spellings)) limit 1) b on true
  left join lateral (
    select email as name from memberships where c.taken_by_kind = 'user' and user_id = c.taken_by_id
    union all
    select name from api_keys where c.taken_by_kind = 'key' and id = c.taken_by_id
    limit 1) t on true
  left join channel_messages h on h.id = c.handover_id and h.conversation_id = c.id and c.mode = 'human'
  left join lateral (
    select count(*)::int as unanswered, min(coalesce(sent_at, received_at)) as waiting_since from channel_messages
    where conversation_id = c.id and author = 'sender' and number > c.answered_number) u on true
  left join lateral (
    select erase_at as retention_until from (
      select number, erase_at, sealed_content is not null as is_kept from channel_messages
      where c.erased_at is null and conversation_id = c.id order by number desc limit 50) newest
    where is_kept and erase_at is not null order by number desc limit 1) r on true
  left join lateral (
    select id, author, coalesce(sent_at, received_at) as at, sealed_content from channel_messages
    where conversation_id = c.id and kind <> '${TAKEOVER}' order by number desc limit 1) l on true`);

export const findConversation = (id: string) =>
  sql<ConversationRow>`select ${details} from conversations c ${ofConversation} where c.id = ${id}`.first();

/** Raises 404, which stops the statements after it. */
export const conversationExists = (id: string) =>
  sql`select must_exist(exists (select from conversations where id = ${id}), 'Conversation')`;

/** For a runtime, to which no group exists. Raises 404, which stops the statements after it. */
export const conversationIsOf = (instance_id: string, id: string) =>
  sql`select must_exist(exists (
        select from conversations where id = ${id} and instance_id = ${instance_id} and kind = 'direct'), 'Conversation')`;

/** Raises 409, which stops the statements after it. A group has no agent. Requires holdConversation. */
export const expectMode = (id: string, mode: Mode, detail: string) =>
  sql`select must_hold((select mode = ${mode} or kind = 'group' from conversations where id = ${id}), ${detail})`;

/** Raises 409 once the channel takes only templates, which stops the statements after it. Requires holdConversation. */
export const takesText = (id: string, isTemplate: boolean) =>
  sql`select must_hold(${isTemplate} or (select is_service_window_open(channel, last_in_at, ${NOW}) from conversations where id = ${id}),
        'The channel takes no free text here any more (reply_until): send a template, see GET /v1/channel-endpoints/{id}/templates')`;

/** The id of its taker, for a comparison. Requires holdConversation. */
export const findTakerId = (id: string) =>
  sql<{ taken_by_id: string | null }>`select taken_by_id from conversations where id = ${id}`
    .first()
    .map((row) => row?.taken_by_id ?? null);

/** @param minutes null: until a person ends it */
export const startHuman = (id: string, taker: Taker, minutes: number | null) =>
  sql`update conversations set mode = 'human', joins_waiting = true, human_for = null,
        taken_by_kind = ${taker.kind}, taken_by_id = ${taker.id},
        human_since = case when mode = 'human' then coalesce(human_since, ${NOW}::timestamptz) else ${NOW} end,
        human_until = ${NOW}::timestamptz + ${minutes}::int * interval '1 minute'
      where id = ${id}`;

/** The first answer of a person in a conversation that nobody has taken. */
export const takeByAnswer = (id: string, taker: Taker) =>
  sql`update conversations set taken_by_kind = ${taker.kind}, taken_by_id = ${taker.id}
      where id = ${id} and mode = 'human' and taken_by_kind is null`;

/**
 * The agent hands over, until `minutes` after the person's last answer. Does not change a person's own takeover.
 * @param note_id the message with the reason
 */
export const handToPerson = (id: string, minutes: number, note_id: string) =>
  sql`update conversations set mode = 'human', joins_waiting = true, human_for = ${minutes}::int * interval '1 minute',
        human_since = case when mode = 'human' then coalesce(human_since, ${NOW}::timestamptz) else ${NOW} end,
        handover_id = case when mode = 'human' then handover_id else ${note_id}::uuid end,
        human_until = ${NOW}::timestamptz + ${minutes}::int * interval '1 minute'
      where id = ${id} and (mode = 'agent' or human_for is not null)`;

/** Restarts the time of a handover, but not of a takeover. */
export const prolongHuman = (id: string) =>
  sql`update conversations set human_until = ${NOW}::timestamptz + human_for where id = ${id} and human_for is not null`;

/** Gives the conversation back to the agent. Messages that waited for the person are retried for another 24 hours. */
export const endHuman = (id: string) =>
  sql`with ended as (
        update conversations set mode = 'agent', human_until = null, human_for = null, human_since = null,
          handover_id = null, taken_by_kind = null, taken_by_id = null
        where id = ${id} and mode = 'human'
        returning id
      )
      update channel_messages set give_up_at = greatest(give_up_at, ${NOW}::timestamptz + interval '24 hours')
      where status = 'pending' and conversation_id in (select id from ended)`;

/** Enqueues the conversation's job: now, or when the takeover ends, if it has an end. */
export const enqueueConverse = (id: string, when: 'now' | 'human_until') =>
  sql`${INTO_JOBS}
      select ${CONVERSE}, id::text, tenant_id, instance_id::text, coalesce(look_at, '-infinity'), greatest(look_at, now())
      from (select *, case when ${when === 'human_until'} then human_until end as look_at
            from conversations where id = ${id}) c
      ${OR_AGAIN}`;

/** Marks everything up to the newest incoming message as answered, and as ended for the runtime. */
export const markAnswered = (id: string) =>
  sql`with newest as (
        select max(number) as number from channel_messages where conversation_id = ${id} and direction = 'in'
      )
      update conversations c set is_unanswered = false, answered_number = greatest(c.answered_number, n.number),
        ended_number = greatest(c.answered_number, c.ended_number, n.number)
      from newest n where c.id = ${id}`;

/**
 * Marks the burst of a message, given by its channel id, and everything before it as answered. Answers to system messages
 * or to nothing mark no message. @param ends the runtime does not get them again
 */
export const markAnsweredUpTo = (id: string, message_id: string | null, ends: boolean) =>
  sql`with answered as (
        select max(m.number) as number from channel_messages m join channel_messages r on r.conversation_id = m.conversation_id
          and (m.id = r.id or m.burst = r.burst)
        where r.conversation_id = ${id} and r.author = 'sender' and r.message_id = ${message_id}
      )
      update conversations c set answered_number = greatest(c.answered_number, a.number),
        ended_number = greatest(coalesce(c.ended_number, c.answered_number), case when ${ends} then a.number end),
        is_unanswered = exists (
        select from channel_messages
        where conversation_id = c.id and author = 'sender' and number > greatest(c.answered_number, a.number))
      from answered a where c.id = ${id} and a.number is not null`;

/** Raises 404, which stops the statements after it. @param message_id the channel's id; null passes */
export const incomingExists = (id: string, message_id: string | null) =>
  sql`select must_exist(${message_id}::text is null or exists (
        select from channel_messages where conversation_id = ${id} and direction = 'in' and message_id = ${message_id}), 'Message')`;

/** Marks a message and its burst as handled: a person took over before the agent's answer. */
export const handleLateAnswer = (id: string, message_id: string) =>
  sql`update channel_messages m set status = 'handled', finished_at = ${NOW}, change = nextval('message_changes')
      from channel_messages r
      where r.conversation_id = ${id} and r.direction = 'in' and r.message_id = ${message_id}
        and m.conversation_id = r.conversation_id and m.status = 'pending' and (m.id = r.id or m.burst = r.burst)`;

/** Deletes the messages too. False when there was no conversation. */
export const deleteConversation = (id: string) =>
  sql`delete from conversations where id = ${id} returning id`.exists();

export const setAwayUntil = (id: string, away_until: Date | null) =>
  sql`update conversations set away_until = coalesce(${away_until}::timestamptz, 'infinity') where id = ${id}`;

export const endJoining = (id: string) =>
  sql`update conversations set joins_waiting = false where id = ${id}`;

export const setIdentity = (id: string, identity_id: string | null) =>
  sql`update conversations set identity_id = ${identity_id}
      where id = ${id} and identity_id is distinct from ${identity_id}::uuid`;

export const keepInConversation = (id: string, sealed_attributes: Buffer) =>
  sql`update conversations set sealed_attributes = ${sealed_attributes} where id = ${id}`;

/** @param number the newest message's at the time of the question; replies have higher ones */
export const noteAsked = (id: string, flow_id: string, { step, number }: { step: number; number: number }) =>
  sql`update conversations set onboarding_flow_id = ${flow_id}, onboarding_step = ${step}, onboarding_number = ${number}
      where id = ${id}`;

/** `joins_waiting`: the agent gets all waiting messages as one burst. */
export const endOnboarding = (id: string) =>
  sql`update conversations set onboarding_flow_id = null, onboarded_at = ${NOW}, joins_waiting = true where id = ${id}`;

export interface ConversationPlace {
  instance_id: string;
  customer_id: string;
  channel: string;
}

/**
 * Begins a conversation in which the agent writes first, from the number that serves the customer.
 * @returns undefined when there is no such number
 */
export const beginConversation = (
  { instance_id, customer_id, channel }: ConversationPlace,
  { external_id, phone }: { external_id: string; phone: string | null },
) =>
  sql<{ id: string }>`
    select (hold_senders(jsonb_build_array(jsonb_build_object(
      'tenant_id', tenant_id, 'instance_id', instance_id, 'customer_id', ${customer_id}::uuid, 'endpoint_id', id,
      'channel', channel, 'external_id', ${external_id}::text, 'phone', ${phone}::text)), ${NOW}))[1] as id
    from (
      select * from channel_endpoints
      where instance_id = ${instance_id} and channel = ${channel} and (customer_id is null or customer_id = ${customer_id})
      order by customer_id is null, created_at, id limit 1) e`
    .first()
    .map((row) => row?.id);
