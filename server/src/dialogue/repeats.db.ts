import { INTO_EVENTS } from '../instances/instance-events.db.ts';
import { NOW, sql } from '../platform/db/sql.ts';

/** The last text of a sender, and its repeats in a row. */
export interface Repeats {
  /** A keyed hash; null after a tap. */
  text_hash: Buffer | null;
  /** When it came: at first, and after each answer to it. The last five times. */
  times: readonly Date[];
  /** The number of the burst with the last text, which is that of its first message. */
  number: number;
  /** It is not forwarded, until another text comes. */
  is_loop: boolean;
}

export interface NotedRepeats extends Repeats {
  /** The number of the agent's first answer since that burst; null without one. */
  answer_number: number | null;
}

export const findRepeats = (conversation_id: string) =>
  sql<NotedRepeats>`
    select p.text_hash, p.times, p.number, p.is_loop, (
      select min(a.number)
      from channel_messages a join channel_messages r on r.conversation_id = a.conversation_id and r.message_id = a.in_reply_to
      where a.conversation_id = p.conversation_id and a.number > p.number and a.author = 'agent'
        and r.number >= p.number and r.author = 'sender') as answer_number
    from sender_repeats p where p.conversation_id = ${conversation_id}`.first();

/** A run that was overtaken by another one changes nothing. */
export const noteRepeats = (conversation_id: string, { text_hash, times, number, is_loop }: Repeats) =>
  sql`insert into sender_repeats as p (tenant_id, conversation_id, text_hash, times, number, is_loop)
      select tenant_id, id, ${text_hash}::bytea, ${times}::timestamptz[], ${number}::bigint, ${is_loop}::boolean
      from conversations where id = ${conversation_id}
      on conflict (conversation_id) do update set text_hash = excluded.text_hash, times = excluded.times,
        number = excluded.number, is_loop = excluded.is_loop
      where p.number < excluded.number`;

/** Adds an event to the instance. */
export const noteLoop = (instance_id: string, message: string) =>
  sql`${INTO_EVENTS}
      select i.tenant_id, i.id, ${NOW}, i.status, i.status, 'loop_suspected', ${message} from instances i
      where i.id = ${instance_id} for no key update of i`;
