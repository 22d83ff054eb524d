import { fragment, NOW, type Query, sql, wireTime } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';
import type { EventKind } from './events.contract.ts';

/** One run tells so many of a kind; the next one goes on. */
const MOST_AT_ONCE = 500;
const WAITS_MINUTES = 5;
const CERTIFICATION_DAYS = { early: 42, late: 7 };
/** Longer than a mark is needed. */
const MARKS_KEPT_DAYS = 100;

const MARKED = fragment('on conflict do nothing returning mark');

/** Conversations that a person has, and whose sender has waited: once until somebody answers. */
const tellWaitingConversations = () => sql`
  with waiting as (
    select c.*, format('waiting:%s:%s', c.id, c.answered_number) as mark
    from conversations c cross join lateral (
      select min(coalesce(sent_at, received_at)) as since from channel_messages
      where conversation_id = c.id and author = 'sender' and number > c.answered_number) m
    where c.mode = 'human' and c.is_unanswered
      and m.since <= ${NOW}::timestamptz - ${WAITS_MINUTES}::int * interval '1 minute'
      and not exists (select from told_events t where t.mark = format('waiting:%s:%s', c.id, c.answered_number))
    limit ${MOST_AT_ONCE}
  ), told as (
    insert into told_events (tenant_id, mark, conversation_id) select tenant_id, mark, id from waiting ${MARKED}
  )
  select emit_event(w.tenant_id, 'conversation.waiting', jsonb_build_object('instance_id', w.instance_id,
    'customer_id', w.customer_id, 'conversation_id', w.id, 'channel', w.channel))
  from waiting w join told using (mark)`;

/** The type and the end as they were given: of the certificate whose end it is. */
const CERTIFICATE = fragment(`
  select coalesce(element ->> 'type', element ->> 'name') as type, element ->> 'expires_at' as expires_at
  from jsonb_array_elements(e.certifications) element
  cross join lateral staff_terms_of('', 1, '[]', jsonb_build_array(element), '[]') t
  where t.term = e.term and t.ends_at < 'infinity'
    and t.ends_at at time zone case when t.is_local then k.timezone else 'UTC' end = e.until
  limit 1`);

/** Each certificate twice, early and late; once where it is late already. */
const tellExpiringCertifications = () => sql`
  with late as (
    select person_id, term, until from expiring_certifications(${NOW}, ${CERTIFICATION_DAYS.late}::int)
  ), expiring as (
    select e.*, k.tenant_id, c.type, c.expires_at, md5(concat_ws(':', e.term, e.until, late.person_id is not null)) as hash
    from expiring_certifications(${NOW}, ${CERTIFICATION_DAYS.early}::int) e
    join customers k on k.id = e.customer_id
    left join late using (person_id, term, until)
    cross join lateral (${CERTIFICATE}) c
  ), due as (
    select *, format('certification:%s:%s', person_id, hash) as mark from expiring e
    where not exists (select from told_events t where t.mark = format('certification:%s:%s', e.person_id, e.hash))
    order by until limit ${MOST_AT_ONCE}
  ), told as (
    insert into told_events (tenant_id, mark, customer_id, person_id)
    select distinct on (mark) tenant_id, mark, customer_id, person_id from due ${MARKED}
  )
  select emit_event(d.tenant_id, 'certification.expiring', jsonb_build_object('customer_id', d.customer_id,
    'person_id', d.person_id, 'certification_type', d.type, 'expires_at', d.expires_at))
  from due d join told using (mark)`;

/** Those whose time is over. The channel's refusal is told when it happens. */
const tellExpiredConnections = () => sql`
  with expired as (
    select c.*, format('connection:%s:%s', c.id, c.expires_at) as mark from connections c
    where c.revoked_at is null and c.refused_at is null and c.expires_at <= ${NOW}
      and not exists (select from told_events t where t.mark = format('connection:%s:%s', c.id, c.expires_at))
    limit ${MOST_AT_ONCE}
  ), told as (
    insert into told_events (tenant_id, mark, customer_id) select tenant_id, mark, customer_id from expired ${MARKED}
  )
  select emit_event(x.tenant_id, 'connection.expired', jsonb_build_object('customer_id', x.customer_id,
    'connection_id', x.id, 'provider', x.provider, 'reason', 'expired',
    'expires_at', ${fragment(wireTime('x.expires_at'))}))
  from expired x join told using (mark)`;

/** Kinds that nothing but time causes. */
const DUE_EVENTS = {
  'conversation.waiting': tellWaitingConversations,
  'certification.expiring': tellExpiringCertifications,
  'connection.expired': tellExpiredConnections,
} as const satisfies Partial<Record<EventKind, () => Query<unknown>>>;

export type DueKind = keyof typeof DUE_EVENTS;

export const tellDue = (kinds: readonly DueKind[]): Query<unknown>[] =>
  kinds.map((kind) => DUE_EVENTS[kind]());

/** In the system scope: tenants that want such events, with the kinds. */
export const listTenantsOfDueEvents = () =>
  sql<{ tenant_id: string; kinds: DueKind[] }>`
    select e.tenant_id, array_agg(distinct k.kind) as kinds
    from event_endpoints e join tenants t on t.id = e.tenant_id
    cross join unnest(${Object.keys(DUE_EVENTS)}::text[]) k (kind)
    where e.is_active and t.is_active and e.events && array['*', k.kind]
    group by e.tenant_id order by e.tenant_id`;

export const oldMarks = (): Deletion =>
  expiredRows({
    table: 'told_events',
    where: sql`at <= ${NOW}::timestamptz - ${MARKS_KEPT_DAYS}::int * interval '1 day'`,
    orderBy: 'at',
    skipsLocked: false,
  });
