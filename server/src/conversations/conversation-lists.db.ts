import { LEAST_UUID } from '../platform/db/rows.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import type { ConversationSort } from './conversations.contract.ts';
import { type ConversationRow, details, type Mode, ofConversation } from './conversations.db.ts';
import { TAKEOVER } from './messages.db.ts';

export type ListedConversation = ConversationRow & {
  total: number;
  /** Where a list goes on behind it, even if it moves meanwhile: microseconds since 1970, and its id. */
  place: string;
};

/** A place in a list. */
export interface Place {
  /** When the oldest unanswered message was written, where the list is sorted by it; else, and without one, `infinity`. */
  waiting: string;
  at: string;
  id: string;
}

const FIRST_PLACE: Place = { waiting: '-infinity', at: 'infinity', id: LEAST_UUID };

export interface ConversationFilter {
  instance_id: string | null;
  customer_id: string | null;
  mode: Mode | null;
  channel: string | null;
  unanswered: boolean;
  failed: boolean;
  /** The range of the last message’s time; `before` is excluded. */
  from: Date | null;
  before: Date | null;
  /** A part of a name or an address; empty: any. */
  search: string;
}

/** In a place, the end of time stands for a conversation that does not wait. */
const NEVER = '9999999999999999';

const microseconds = (time: string) => `(extract(epoch from ${time}) * 1000000)::bigint`;
const latestPlace = `${microseconds('c.last_message_at')} || '_' || c.id`;
/** The place of a conversation `c` with the time `q.waiting`. */
const waitingPlace = `
  case when q.waiting = 'infinity' then '${NEVER}' else ${microseconds('q.waiting')}::text end || '_' || ${latestPlace}`;
const latest = fragment(latestPlace);
const place = fragment(`case when q.is_by_waiting then ${waitingPlace} else ${latestPlace} end`);

/** When the oldest unanswered message of a conversation `c` was written; infinity without one. */
const waiting = fragment(`coalesce(case when c.is_unanswered then (
  select min(coalesce(sent_at, received_at)) from channel_messages
  where conversation_id = c.id and author = 'sender' and number > c.answered_number) end, 'infinity')`);

const columns = fragment(`${details.text}, q.total`);
const joined = fragment(`chosen q join conversations c using (id) ${ofConversation.text}
  order by q.waiting, c.last_message_at desc, c.id`);

/** undefined for a missing conversation. */
export const findPlace = (id: string, sort: ConversationSort) =>
  sql<{ place: string }>`
    select ${place} as place
    from conversations c cross join lateral (
      select ${waiting} as waiting, ${sort === 'waiting_since'}::boolean as is_by_waiting) q
    where c.id = ${id}`
    .first()
    .map((row) => row?.place);

/** @param place of a conversation; undefined where it is one of another sort */
export function readPlace(place: string, sort: ConversationSort): Place | undefined {
  const [id = '', last = '', waiting] = place.split('_').toReversed();
  if ((waiting !== undefined) !== (sort === 'waiting_since')) return undefined;
  return {
    waiting: waiting === undefined || waiting === NEVER ? 'infinity' : timeOf(waiting),
    at: timeOf(last),
    id,
  };
}

/** PostgreSQL counts microseconds, a Date milliseconds. */
function timeOf(micros: string): string {
  const at = new Date(Number(micros.slice(0, -3))).toISOString();
  return at.replace('Z', `${micros.slice(-3).padStart(3, '0')}Z`);
}

/** Newest last message first. @param behind the list begins there; the total is that of the whole list */
export const listConversations = (
  filter: ConversationFilter,
  sort: ConversationSort,
  behind: Place = FIRST_PLACE,
) => {
  const isWhole = Object.values(filter).every((value) => value === null || value === false || value === '');
  return (limit: number, offset: number) =>
    isWhole && sort === 'last_message_at'
      ? listAll(behind, limit, offset)
      : listMatching(filter, sort, behind, limit, offset);
};

/** The page is selected before its details are joined, so that they are read for one page only. */
const listMatching = (
  filter: ConversationFilter,
  sort: ConversationSort,
  behind: Place,
  limit: number,
  offset: number,
) => {
  const { instance_id, customer_id, mode, channel, unanswered, failed, from, before, search } = filter;
  const digits = digitsOf(search);
  return sql<ListedConversation>`
    with matching as materialized (
      select c.id, c.last_message_at, case when ${sort === 'waiting_since'}::boolean then ${waiting} else 'infinity' end as waiting
      from conversations c
      where (${instance_id}::uuid is null or c.instance_id = ${instance_id})
        and (${customer_id}::uuid is null or c.customer_id = ${customer_id})
        and (${channel}::text is null or c.channel = ${channel})
        and (${mode}::text is null or c.mode = ${mode})
        and (${from}::timestamptz is null or c.last_message_at >= ${from})
        and (${before}::timestamptz is null or c.last_message_at < ${before})
        and (not ${unanswered}::boolean or c.is_unanswered and exists (
          select from channel_messages where conversation_id = c.id and author = 'sender' and number > c.answered_number))
        and (not ${failed}::boolean or c.id in (
          select conversation_id from channel_messages where status = 'failed' and conversation_id is not null) and (
          select status = 'failed' from channel_messages
          where conversation_id = c.id and direction = 'out' and kind <> ${TAKEOVER} order by number desc limit 1))
        and (${search} = '' or c.id in (select conversations_named(${search}, ${digits})))
    ), chosen as materialized (
      select id, waiting, ${sort === 'waiting_since'}::boolean as is_by_waiting, (select count(*) from matching) as total
      from matching
      where waiting >= ${behind.waiting}::timestamptz and (waiting > ${behind.waiting}::timestamptz
        or last_message_at <= ${behind.at}::timestamptz and (last_message_at < ${behind.at}::timestamptz or id > ${behind.id}::uuid))
      order by waiting, last_message_at desc, id limit ${limit} offset ${offset}
    )
    select ${columns}, ${place} as place from ${joined}`;
};

/** The ORDER BY in the count makes the planner use the index instead of a sequential scan with an RLS check per row. */
const listAll = ({ at, id }: Place, limit: number, offset: number) =>
  sql<ListedConversation>`
    with chosen as materialized (
      select id, 'infinity'::timestamptz as waiting,
             (select count(*) from (select from conversations order by last_message_at desc, id) c) as total
      from conversations
      where last_message_at <= ${at}::timestamptz and (last_message_at < ${at}::timestamptz or id > ${id}::uuid)
      order by last_message_at desc, id limit ${limit} offset ${offset}
    )
    select ${columns}, ${latest} as place from ${joined}`;

/** The text, of a number without what people write between its digits. */
export const digitsOf = (search: string) =>
  /^[+\d\s().-]*$/.test(search) && /\d{3}/.test(search) ? search.replaceAll(/\D/g, '') : search;
