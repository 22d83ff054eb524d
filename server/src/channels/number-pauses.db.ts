import { SEND_MESSAGES } from '../conversations/messages.db.ts';
import { sql } from '../platform/db/sql.ts';
import { INTO_JOBS, OR_AGAIN } from '../platform/queue/jobs.db.ts';

/** Where the channel does not say how long. */
const FIRST_SECONDS = 30;
const MOST_SECONDS = 300;
/** Longer than a request to the send API may take. */
const TRY_SECONDS = 90;

/**
 * Pauses a number that the channel limits. All times are the database's. Each try after a pause without a given length
 * doubles the next one; further limits of requests that were under way prolong nothing.
 * @param pause_ms as the channel says; null when it does not
 * @returns the end
 */
export const pauseNumber = (endpoint_id: string, pause_ms: number | null, isTry: boolean) =>
  sql<{ until: Date }>`
    insert into number_pauses as p (tenant_id, endpoint_id, until, next_seconds)
    values (current_tenant(), ${endpoint_id},
            now() + coalesce(${pause_ms}::float8 / 1000, ${FIRST_SECONDS}::int) * interval '1 second',
            case when ${pause_ms}::float8 is null then 2 else 1 end * ${FIRST_SECONDS}::int)
    on conflict (endpoint_id) do update set
      until = case
        when ${pause_ms}::float8 is not null and (${isTry} or excluded.until > p.until) then excluded.until
        when ${pause_ms}::float8 is null and (${isTry} or p.until <= now()) then now() + p.next_seconds * interval '1 second'
        else p.until end,
      next_seconds = case
        when ${pause_ms}::float8 is null and (${isTry} or p.until <= now()) then least(2 * p.next_seconds, ${MOST_SECONDS}::int)
        else p.next_seconds end
    returning until`
    .one()
    .map(({ until }) => until);

/** After a pause, one request at a time. False while another one is under way. */
export const claimTry = (endpoint_id: string) =>
  sql`update number_pauses set until = now() + ${TRY_SECONDS}::int * interval '1 second'
      where endpoint_id = ${endpoint_id} and until <= now() returning endpoint_id`.exists();

/** After a try that told nothing of the limit. The pause goes on with the next try. */
export const endTry = (endpoint_id: string) =>
  sql`update number_pauses set until = now() where endpoint_id = ${endpoint_id} and until > now()`;

/** Ends a pause, and wakes what waits for it, oldest first. */
export const endPause = (endpoint_id: string) =>
  sql`with ended as (
        delete from number_pauses where endpoint_id = ${endpoint_id} returning endpoint_id
      )
      ${INTO_JOBS}
      select ${SEND_MESSAGES}, c.id::text, c.tenant_id, c.instance_id::text, '-infinity'::timestamptz, min(m.received_at)
      from ended e join channel_messages m on m.endpoint_id = e.endpoint_id and m.status = 'queued'
      join conversations c on c.id = m.conversation_id
      group by c.id order by 2
      ${OR_AGAIN}`;
