import { NOW, sql } from '../platform/db/sql.ts';

/** The one job that deletes what has served its time; a start enqueues it, and it runs for ever. */
export const PURGE = { kind: 'purge', key: 'all' };

// The statements of this file run in the system scope unless they say otherwise, and return how many rows they deleted.

/** Sessions that ended so long ago. The first one of a family stays as long as others of it. */
export const deleteSessions = (days: number, limit: number) =>
  sql<{ count: number }>`
    with deleted as (
      delete from sessions where id in (
        select s.id from sessions s
        where least(s.expires_at, s.revoked_at) <= ${NOW}::timestamptz - ${days}::int * interval '1 day'
          and not exists (
            select from sessions other where other.family_id = s.id
              and least(other.expires_at, other.revoked_at) > ${NOW}::timestamptz - ${days}::int * interval '1 day')
        limit ${limit} for update skip locked)
      returning 1)
    select count(*)::int as count from deleted`
    .one()
    .map(({ count }) => count);

export const deletePinSessions = (days: number, limit: number) =>
  sql<{ count: number }>`
    with deleted as (
      delete from pin_sessions where token_hash in (
        select token_hash from pin_sessions where expires_at <= ${NOW}::timestamptz - ${days}::int * interval '1 day'
        limit ${limit})
      returning 1)
    select count(*)::int as count from deleted`
    .one()
    .map(({ count }) => count);

/** Messages that stopped waiting so long ago and whose content was erased. Kept content keeps its message. */
export const deleteMessages = (days: number, limit: number) =>
  sql<{ count: number }>`
    with deleted as (
      delete from channel_messages where id in (
        select id from channel_messages
        where erase_at is null and sealed_content is null
          and finished_at <= ${NOW}::timestamptz - ${days}::int * interval '1 day'
        limit ${limit} for update skip locked)
      returning 1)
    select count(*)::int as count from deleted`
    .one()
    .map(({ count }) => count);

export const deleteEvents = (days: number, limit: number) =>
  sql<{ count: number }>`
    with deleted as (
      delete from instance_events where id in (
        select id from instance_events where at <= ${NOW}::timestamptz - ${days}::int * interval '1 day'
        limit ${limit})
      returning 1)
    select count(*)::int as count from deleted`
    .one()
    .map(({ count }) => count);

/** Hosts that were not seen for a day, and whose runtimes others have taken over. */
export const deleteDeadHosts = () =>
  sql`delete from runtime_hosts h where seen_at < now() - interval '1 day'
        and not exists (select from instances where runtime_host = h.id)`;

/** Tenants whose oldest recorded call or change is older. */
export const listTenantsWithAuditBefore = (time: Date) =>
  sql<{ id: string }>`
    select id from tenants t
    where (select at from tool_calls where tenant_id = t.id order by seq limit 1) < ${time}
       or (select at from audit_changes where tenant_id = t.id order by seq limit 1) < ${time}`.each(
    ({ id }) => id,
  );

/** Instances that were terminated so long ago. */
export const listTerminated = (days: number, limit: number) =>
  sql<{ id: string; tenant_id: string }>`
    select id, tenant_id from instances
    where status = 'terminated' and updated_at <= ${NOW}::timestamptz - ${days}::int * interval '1 day'
    order by updated_at limit ${limit}`;

/** With everything that refers to it (in the tenant's scope). */
export const deleteTerminated = (id: string) => sql`select delete_terminated_instance(${id})`;
