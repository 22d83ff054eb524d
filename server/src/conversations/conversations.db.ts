import { LEAST_UUID } from '../platform/db/rows.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { INTO_JOBS, OR_AGAIN } from '../platform/queue/jobs.db.ts';
import type { MessageAuthor } from './messages.contract.ts';

/** Kind of the jobs that deliver waiting messages to the agent; the key is the conversation's id. */
export const CONVERSE = 'converse';

export type Mode = 'agent' | 'human';
/** A group is read and answered by people alone. */
export type ConversationKind = 'direct' | 'group';

export interface ConversationRow {
  id: string;
  instance_id: string;
  customer_id: string;
  channel: string;
  external_id: string;
  addresses: string[];
  identity_id: string | null;
  person_id: string | null;
  display_name: string | null;
  kind: ConversationKind;
  mode: Mode;
  human_until: Date | null;
  taken_by_kind: 'channel' | null;
  unanswered: number;
  sealed_attributes: Buffer | null;
  last_message_at: Date;
  created_at: Date;
  last_id: string | null;
  last_author: MessageAuthor | null;
  last_at: Date | null;
  last_sealed_content: Buffer | null;
}

const details = fragment(`
  c.id, c.instance_id, c.customer_id, c.channel, coalesce(c.began_with, c.external_id) as external_id, s.addresses,
  i.id as identity_id, b.person_id, c.display_name,
  c.kind, c.mode, c.human_until, c.taken_by_kind,
  u.unanswered, c.sealed_attributes, c.last_message_at, c.created_at,
  l.id as last_id, l.author as last_author, l.at as last_at, l.sealed_content as last_sealed_content`);

const ofConversation = fragment(`
  cross join lateral (select addresses_of(c.id) as addresses) s
  cross join lateral (
    select array_agg(spelling) as spellings from unnest(s.addresses) a (address) cross join unnest(address_spellings(address)) spelling) w
  left join lateral (
    select id from identities where id = c.identity_id and customer_id = c.customer_id
    union all
    select n.id from identity_addresses a join identities n on n.id = a.identity_id
    where a.channel = c.channel and c.channel <> 'playground' and n.customer_id = c.customer_id
      and a.external_id = any (w.spellings)
    limit 1) i on true
  left join lateral (
    select person_id from staff_bindings
    where channel_type = c.channel and customer_id = c.customer_id and state = 'verified'
      and (channel_address = any (w.spellings) or address_key = any (w.spellings)) limit 1) b on true
  left join lateral (
    select count(*)::int as unanswered from channel_messages
    where conversation_id = c.id and author = 'sender' and number > c.answered_number) u on true
  left join lateral (
    select id, author, coalesce(sent_at, received_at) as at, sealed_content from channel_messages
    where conversation_id = c.id order by number desc limit 1) l on true`);

const PLACE = fragment(`(extract(epoch from c.last_message_at) * 1000000)::bigint || '_' || c.id`);

const listed = fragment(`
  select ${details.text}, chosen.total, ${PLACE.text} as place from chosen join conversations c using (id) ${ofConversation.text}
  order by c.last_message_at desc, c.id`);

export type ListedConversation = ConversationRow & {
  total: number;
  /** Where a list goes on behind it, even if it moves meanwhile: microseconds since 1970, and its id. */
  place: string;
};

/** undefined for a missing conversation. */
export const findPlace = (id: string) =>
  sql<{ place: string }>`select ${PLACE} as place from conversations c where c.id = ${id}`
    .first()
    .map((row) => row?.place);

/** A place in the list. */
export interface Place {
  at: string;
  id: string;
}

const FIRST_PLACE: Place = { at: 'infinity', id: LEAST_UUID };

export interface ConversationFilter {
  instance_id: string | null;
  customer_id: string | null;
  mode: Mode | null;
  channel: string | null;
  unanswered: boolean;
}

/**
 * The page is selected before its details are joined, so that they are read for one page only.
 * @param behind the list begins there; the total is that of the whole list
 */
export const listConversations = (
  { instance_id, customer_id, mode, channel, unanswered }: ConversationFilter,
  behind: Place | undefined,
  limit: number,
  offset: number,
) => {
  const { at, id } = behind ?? FIRST_PLACE;
  if (!instance_id && !customer_id && !mode && !channel && !unanswered)
    return listAll({ at, id }, limit, offset);
  return sql<ListedConversation>`
    with matching as materialized (
      select c.id, c.last_message_at from conversations c
      where (${instance_id}::uuid is null or c.instance_id = ${instance_id})
        and (${customer_id}::uuid is null or c.customer_id = ${customer_id})
        and (${channel}::text is null or c.channel = ${channel})
        and (${mode}::text is null or c.mode = ${mode})
        and (not ${unanswered}::boolean or c.is_unanswered and exists (
          select from channel_messages where conversation_id = c.id and author = 'sender' and number > c.answered_number))
    ), chosen as materialized (
      select id, (select count(*) from matching) as total from matching
      where last_message_at <= ${at}::timestamptz and (last_message_at < ${at}::timestamptz or id > ${id}::uuid)
      order by last_message_at desc, id limit ${limit} offset ${offset}
    )
    ${listed}`;
};

/** The ORDER BY in the count makes the planner use the index instead of a sequential scan with an RLS check per row. */
const listAll = ({ at, id }: Place, limit: number, offset: number) =>
  sql<ListedConversation>`
    with chosen as materialized (
      select id, (select count(*) from (select from conversations order by last_message_at desc, id) c) as total
      from conversations
      where last_message_at <= ${at}::timestamptz and (last_message_at < ${at}::timestamptz or id > ${id}::uuid)
      order by last_message_at desc, id limit ${limit} offset ${offset}
    )
    ${listed}`;

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

/** @param minutes null: until a person ends it */
export const startHuman = (id: string, minutes: number | null) =>
  sql`update conversations set mode = 'human', joins_waiting = true, human_for = null, taken_by_kind = null,
        human_until = ${NOW}::timestamptz + ${minutes}::int * interval '1 minute'
      where id = ${id}`;

/** The agent hands over, until `minutes` after the person's last answer. Does not change a person's own takeover. */
export const handToPerson = (id: string, minutes: number) =>
  sql`update conversations set mode = 'human', joins_waiting = true, human_for = ${minutes}::int * interval '1 minute',
        human_until = ${NOW}::timestamptz + ${minutes}::int * interval '1 minute'
      where id = ${id} and (mode = 'agent' or human_for is not null)`;

/** Restarts the time of a handover, but not of a takeover. */
export const prolongHuman = (id: string) =>
  sql`update conversations set human_until = ${NOW}::timestamptz + human_for where id = ${id} and human_for is not null`;

/** Gives the conversation back to the agent. Messages that waited for the person are retried for another 24 hours. */
export const endHuman = (id: string) =>
  sql`with ended as (
        update conversations set mode = 'agent', human_until = null, human_for = null, taken_by_kind = null
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
