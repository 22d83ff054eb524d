import type { HostingMode, InstanceStatus } from '../catalogue/hosting.contract.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { INTO_JOBS, OR_AGAIN } from '../platform/queue/jobs.db.ts';

/** The kind of the jobs that forward the waiting messages of a conversation. */
export const FORWARD_MESSAGES = 'forward_messages';

/** A conversation is an endpoint and a sender. This is its name, and the key of its job. */
export const CONVERSATION = fragment(`endpoint_id || ':' || external_id`);

/** How long delivery of a message is tried (contract, section 7). */
export const TRIED_FOR = fragment(`interval '24 hours'`);

/** A message to be stored for an endpoint, as long as the secret that signed it is the endpoint's. */
export interface NewChannelMessage {
  /** Position of its delivery in the group, by which the result names it. */
  delivery: number;
  endpoint_id: string;
  /** Hex. */
  app_secret_hash: string;
  message_id: string;
  external_id: string;
  /** Where in `raw` its text stands. */
  text_path: readonly string[] | null;
  /** JSON. */
  raw: string;
}

export interface Stored {
  /** New messages. */
  stored: number;
  /** Messages that were there already. */
  duplicates: number;
  /** Deliveries with a message whose endpoint is gone or has another secret by now. Such a message is left out. */
  outdated: number[];
}

/**
 * Stores messages in their order and enqueues the conversations of the new ones, in one statement (in the system scope:
 * messages may be for several tenants). Messages are numbered first and sorted then, so that two calls with the same
 * messages lock them in the same order.
 */
export const insertMessages = (messages: readonly NewChannelMessage[]) =>
  sql<Stored>`
    with incoming as materialized (
      select nextval('channel_message_numbers') as number, m.*
      from jsonb_to_recordset(${`[${messages.map(asJson).join(',')}]`}::jsonb)
        as m (delivery integer, endpoint_id uuid, app_secret_hash text, message_id text, external_id text,
              text_path text[], raw jsonb)
    ), addressed as materialized (
      select i.*, e.tenant_id, e.instance_id, e.channel
      from incoming i
      left join channel_endpoints e on e.id = i.endpoint_id and e.app_secret_hash = decode(i.app_secret_hash, 'hex')
    ), stored as (
      insert into channel_messages
        (number, tenant_id, endpoint_id, instance_id, channel, message_id, external_id, text, raw, received_at, give_up_at)
      select number, tenant_id, endpoint_id, instance_id, channel, message_id, external_id, raw #>> text_path, raw,
             ${NOW}::timestamptz, ${NOW}::timestamptz + ${TRIED_FOR}
      from addressed where tenant_id is not null
      order by endpoint_id, message_id, number
      on conflict (endpoint_id, message_id) do nothing
      returning tenant_id, endpoint_id, instance_id, external_id
    ), enqueued as (
      ${INTO_JOBS}
      select distinct ${FORWARD_MESSAGES}, ${CONVERSATION}, tenant_id, instance_id::text, '-infinity'::timestamptz, now()
      from stored order by 2
      ${OR_AGAIN}
    )
    select count(*)::int as stored,
           (select count(*) from addressed where tenant_id is not null)::int - count(*)::int as duplicates,
           array(select distinct delivery from addressed where tenant_id is null) as outdated
    from stored`.one();

/** `raw` is JSON already and most of the message, so it is not parsed and written once more. */
function asJson({ raw, ...rest }: NewChannelMessage): string {
  const { delivery, endpoint_id, app_secret_hash, message_id, external_id, text_path } = rest;
  return `{"delivery":${delivery},"endpoint_id":"${endpoint_id}","app_secret_hash":"${app_secret_hash}",
    "message_id":${JSON.stringify(message_id)},"external_id":${JSON.stringify(external_id)},
    "text_path":${JSON.stringify(text_path)},"raw":${raw}}`;
}

/** A message that waits, and the instance that it is for. */
export interface WaitingMessage {
  id: string;
  message_id: string;
  channel: string;
  external_id: string;
  text: string | null;
  raw: { message: { from?: unknown } };
  received_at: Date;
  give_up_at: Date;
  last_error: string | null;
  instance_id: string;
  instance_status: InstanceStatus;
  instance_customer_id: string | null;
  hosting_mode: HostingMode;
  runtime_address: string | null;
  sealed_message_secret: Buffer | null;
}

/**
 * The oldest waiting message of a conversation. A subquery finds it: in a join, PostgreSQL would read all waiting messages
 * when many arrived since it last counted them.
 */
export const findOldestWaiting = (conversation: string) => {
  const [endpoint_id, external_id] = conversation.split(/:(.*)/s);
  return sql<WaitingMessage>`
    select m.id, m.message_id, m.channel, m.external_id, m.text, m.raw, m.received_at, m.give_up_at, m.last_error,
           i.id as instance_id, i.status as instance_status, i.customer_id as instance_customer_id, i.hosting_mode,
           i.runtime_address, i.sealed_message_secret
    from channel_messages m
    join channel_endpoints e on e.id = m.endpoint_id
    join instances i on i.id = e.instance_id
    where m.id = (
      select id from channel_messages
      where endpoint_id = ${endpoint_id} and external_id = ${external_id} and status = 'pending'
      order by number limit 1)`.first();
};

/** The only customer that an instance serves; undefined where it serves several, or none. */
export const findOnlyCustomer = (instance_id: string) =>
  sql<{ customer_id: string }>`
    select distinct customer_id from deployments where instance_id = ${instance_id} and released_at is null limit 2`.map(
    (rows) => (rows.length === 1 ? rows[0]?.customer_id : undefined),
  );

/** Clears the contents: nobody asks for them again, and people send their PINs in messages. */
export const markDelivered = ({ id, instance_id }: WaitingMessage) =>
  sql`update channel_messages set status = 'delivered', attempts = attempts + 1, last_error = null,
        instance_id = ${instance_id}, finished_at = ${NOW}, text = null, raw = '{}'
      where id = ${id} and status = 'pending'`;

export const markDead = ({ id, instance_id }: WaitingMessage, last_error: string) =>
  sql`update channel_messages set status = 'dead', last_error = ${last_error}, instance_id = ${instance_id},
        finished_at = ${NOW}
      where id = ${id} and status = 'pending'`;

export const recordFailedAttempt = ({ id }: WaitingMessage, last_error: string) =>
  sql`update channel_messages set attempts = attempts + 1, last_error = ${last_error}
      where id = ${id} and status = 'pending'`;
