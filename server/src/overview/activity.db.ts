import type { Static } from 'typebox';
import { fragment, NOW, sql, wireTime } from '../platform/db/sql.ts';
import type { Activity } from './activity.contract.ts';

const QUARTERS_UP_TO_HOURS = 48;

/** In `recent`: an answer is the first message of an agent or person after one or several of the sender. */
const medianSeconds = fragment(`
  select round(percentile_cont(0.5) within group (order by extract(epoch from answered_at - received_at))
               filter (where is_sender)::numeric, 1)::float8
  from (
    select is_sender, received_at, lead(received_at) over (partition by conversation_id order by number) as answered_at
    from (
      select conversation_id, number, received_at, author = 'sender' as is_sender,
             lag(author = 'sender', 1, false) over (partition by conversation_id order by number) as is_after_sender
      from recent where not is_failed) m
    where is_sender <> is_after_sender) turns`);

/** @param instance_id null: of all instances */
export const readActivity = (instance_id: string | null, hours: number) => {
  const minutes = hours > QUARTERS_UP_TO_HOURS ? 60 : 15;
  const last = (hours * 60) / minutes - 1;
  return sql<Static<typeof Activity>>`
    with recent as materialized (
      select conversation_id, number, author, status = 'failed' as is_failed, received_at,
             date_bin(make_interval(mins => ${minutes}::int), received_at, timestamptz 'epoch') as at
      from channel_messages
      where received_at >= date_bin(make_interval(mins => ${minutes}::int), ${NOW}::timestamptz, timestamptz 'epoch')
                           - ${last}::int * make_interval(mins => ${minutes}::int)
        and author in ('sender', 'agent', 'person') and (${instance_id}::uuid is null or instance_id = ${instance_id})
    ), counts as (
      select at, count(*) filter (where author = 'sender') as received, count(*) filter (where author = 'agent') as by_agent,
             count(*) filter (where author = 'person') as by_person,
             count(*) filter (where is_failed and author <> 'sender') as failed
      from recent group by at
    )
    select json_agg(json_build_object(
             'at', ${fragment(wireTime('t.at'))}, 'received', coalesce(c.received, 0), 'by_agent', coalesce(c.by_agent, 0),
             'by_person', coalesce(c.by_person, 0), 'failed', coalesce(c.failed, 0)) order by t.at) as items,
           (${medianSeconds}) as answer_seconds_p50
    from generate_series(0, ${last}::int) n
    cross join lateral (
      select date_bin(make_interval(mins => ${minutes}::int), ${NOW}::timestamptz, timestamptz 'epoch')
             - n * make_interval(mins => ${minutes}::int) as at) t
    left join counts c using (at)`.one();
};
