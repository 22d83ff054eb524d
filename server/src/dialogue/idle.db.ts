import { CONVERSE } from '../conversations/conversations.db.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import { SETTLE_APPROVAL } from '../tools/approvals.db.ts';

// The statements of this file run in the system scope.

/** The same words as the index `instances_sleepers`. */
const MAY_SLEEP = fragment(
  `i.status = 'running' and jsonb_typeof(i.resolved_config -> 'idle_minutes') = 'number'`,
);

/** Stored by an earlier version, it could be any number. */
const IDLE_SINCE = fragment(`lateral (select now() - least(greatest(case
    when jsonb_typeof(i.resolved_config -> 'idle_minutes') = 'number' then (i.resolved_config ->> 'idle_minutes')::numeric
  end, 5), 43200)::int * interval '1 minute') as idle (since)`);

/**
 * The instance `i` with the runtime `r` has had nothing to do since `idle.since`: no start, message, answer or task, nothing
 * waits for the runtime or for an approval, and no person has a conversation.
 */
const IS_IDLE = fragment(`r.up_at <= idle.since
  and not exists (select from conversations c
    where c.tenant_id = i.tenant_id and c.instance_id = i.id and c.last_message_at > idle.since)
  and not exists (select from conversations c
    where c.instance_id = i.id and c.mode = 'human' and (c.human_until is null or c.human_until > now()))
  and not exists (select from jobs j
    where j.kind in ('${CONVERSE}', '${SETTLE_APPROVAL}') and j.tenant_id = i.tenant_id and j.lane = i.id::text)
  and not exists (select from approvals a where a.instance_id = i.id and a.status = 'waiting')
  and not exists (select from llm_calls l where l.status = 'running' and l.instance_id = i.id)
  and not exists (select from tasks k
    where k.tenant_id = i.tenant_id and k.instance_id = i.id
      and (k.status in ('queued', 'running', 'canceling') or k.finished_at > idle.since))`);

export const listIdle = (limit: number) =>
  sql<{ id: string }>`
    select i.id from instances i join runtime_states r on r.instance_id = i.id cross join ${IDLE_SINCE}
    where ${MAY_SLEEP} and r.wanted and not r.needs_waking and r.state = 'up' and ${IS_IDLE}
    limit ${limit}`.each(({ id }) => id);

/** Those of the given ones. */
export const listStillIdle = (ids: readonly string[]) =>
  sql<{ id: string }>`
    select i.id from instances i join runtime_states r on r.instance_id = i.id cross join ${IDLE_SINCE}
    where i.id = any (${ids}::uuid[]) and ${MAY_SLEEP} and ${IS_IDLE}`.each(({ id }) => id);
