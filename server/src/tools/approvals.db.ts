import { namedActor } from '../access/actor-names.db.ts';
import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';
import { enqueueAll, INTO_JOBS, OR_AGAIN } from '../platform/queue/jobs.db.ts';

import type { ApprovalSort } from './approvals.contract.ts';

/** Kind of the jobs that process approvals; the key is the approval's id. */
export const SETTLE_APPROVAL = 'settle_approval';

export type ApprovalStatus = 'waiting' | 'approved' | 'rejected' | 'expired' | 'failed';

interface Rule {
  tool: string;
  expires_minutes: number;
}

interface Decider {
  kind: 'user' | 'api_key';
  id: string;
}

export interface ApprovalRow {
  id: string;
  instance_id: string;
  customer_id: string;
  conversation_id: string | null;
  tool: string;
  /** null once it was erased. */
  sealed_content: Buffer | null;
  status: ApprovalStatus;
  requested_at: Date;
  expires_at: Date;
  decided_by: Decider | null;
  decided_at: Date | null;
  claimed_at: Date | null;
  finished_at: Date | null;
  told_at: Date | null;
  /** null: from an earlier version of the service. */
  rule: (Rule & { recipe_revision: number }) | null;
}

/** As its tenant sees it. */
export interface NamedApproval extends Omit<ApprovalRow, 'decided_by'> {
  hostname: string;
  customer_name: string | null;
  decided_by: (Decider & { name: string | null }) | null;
}

const COLUMNS = `a.id, a.instance_id, a.customer_id, a.conversation_id, a.tool, a.sealed_content, a.status,
  a.requested_at, a.expires_at, a.decided_at, a.claimed_at, a.finished_at, a.told_at, a.rule`;
const columns = fragment(`${COLUMNS}, a.decided_by`);

/** For NamedApproval, without the customer's name. */
const namedColumns = fragment(`${COLUMNS}, ${namedActor('a.decided_by').text} as decided_by,
  (select hostname from instances i where i.id = a.instance_id) as hostname`);

interface NewApproval {
  id: string;
  instance_id: string;
  customer_id: string;
  conversation_id: string | null;
  tool: string;
  call_hash: string;
  sealed_content: Buffer;
  rule: Rule;
}

/** Expiry of contents, `retention_days` after `time`, but at least a day. */
const keptFrom = (time: string) => `${time} + greatest(coalesce((
  select retention_days from served_deployments d
  where d.instance_id = a.instance_id and d.customer_id = a.customer_id
  order by d.created_at desc, d.id limit 1), 0), 1) * interval '1 day'`;

/**
 * Limits of waiting calls. The limit per conversation keeps one from using up its instance's. Calls of a customer without a
 * conversation count as one conversation.
 */
export const MOST_WAITING = { of_conversation: 100, of_instance: 500 };

/** Locks the instance until the transaction ends, so that the count of its waiting calls is exact. */
export const lockInstance = (id: string) => sql`select from instances where id = ${id} for no key update`;

/**
 * Adds a waiting approval and enqueues its expiry. A unique index makes equal calls of a conversation share one approval.
 * Requires lockInstance. @returns undefined when too many wait
 */
export const insertApproval = (approval: NewApproval) => {
  const { id, instance_id, customer_id, conversation_id, tool, call_hash, sealed_content, rule } = approval;
  const { expires_minutes } = rule;
  return sql<{ id: string }>`
    with added as (
      insert into approvals as a (id, tenant_id, instance_id, customer_id, conversation_id, tool, call_hash,
                                  sealed_content, requested_at, expires_at, erase_at, rule)
      select ${id}, i.tenant_id, i.id, ${customer_id}::uuid, ${conversation_id}::uuid, ${tool}, ${call_hash},
             ${sealed_content}, ${NOW}::timestamptz, ${NOW}::timestamptz + make_interval(mins => ${expires_minutes}),
             ${NOW}::timestamptz + make_interval(mins => ${expires_minutes}) + interval '1 day',
             ${json(rule)}::jsonb || jsonb_build_object('recipe_revision', coalesce((
               select recipe_revision from served_deployments d
               where d.instance_id = i.id and d.customer_id = ${customer_id}
               order by d.created_at desc, d.id limit 1), i.recipe_revision))
      from instances i where i.id = ${instance_id} and (
        select coalesce(bool_or(w.is_of_conversation and w.call_hash = ${call_hash}), false)
            or (count(*) < ${MOST_WAITING.of_instance}
                and count(*) filter (where w.is_of_conversation) < ${MOST_WAITING.of_conversation})
        from (select call_hash, customer_id = ${customer_id}
                     and conversation_id is not distinct from ${conversation_id} as is_of_conversation
              from approvals where instance_id = i.id and status = 'waiting' and expires_at > ${NOW}) w)
      on conflict (instance_id, customer_id, conversation_id, call_hash) where status = 'waiting'
        do update set call_hash = excluded.call_hash
      returning id, instance_id, tenant_id, expires_at
    ), enqueued as (
      ${INTO_JOBS}
      select ${SETTLE_APPROVAL}, id::text, tenant_id, instance_id::text, expires_at, greatest(expires_at, now()) from added
      ${OR_AGAIN}
    )
    select id from added`.first();
};

interface ApprovalFilter {
  /** null, as for the ids: all. */
  status: ApprovalStatus | null;
  instance_id: string | null;
  customer_id: string | null;
  conversation_id: string | null;
  sort_by: ApprovalSort;
}

/** @param readsCustomers shows the e-mail address of customers without a name */
export const listApprovals = (
  { status, instance_id, customer_id, conversation_id, sort_by }: ApprovalFilter,
  readsCustomers: boolean,
  limit: number,
  offset: number,
) =>
  sql<NamedApproval & { total: number }>`
    select ${namedColumns}, count(*) over () as total,
           customer_name_of(a.customer_id, ${readsCustomers}) as customer_name
    from approvals a
    where (${status}::text is null or a.status = ${status})
      and (${instance_id}::uuid is null or a.instance_id = ${instance_id})
      and (${customer_id}::uuid is null or a.customer_id = ${customer_id})
      and (${conversation_id}::uuid is null or a.conversation_id = ${conversation_id})
    order by case when ${sort_by} = 'expires_at' then a.expires_at end, a.requested_at desc, a.id
    limit ${limit} offset ${offset}`;

export const findApproval = (id: string) =>
  sql<ApprovalRow>`select ${columns} from approvals a where a.id = ${id}`.first();

/** @param readsCustomers shows the e-mail address of customers without a name */
export const findNamedApproval = (id: string, readsCustomers: boolean) =>
  sql<NamedApproval>`
    select ${namedColumns},
           customer_name_of(a.customer_id, ${readsCustomers}) as customer_name
    from approvals a where a.id = ${id}`.first();

/** @param of `conversation_id` null: of any conversation, or of none */
export const findInstanceApproval = (
  id: string,
  { instance_id, conversation_id }: { instance_id: string; conversation_id: string | null },
) =>
  sql<ApprovalRow>`
    select ${columns} from approvals a
    where a.id = ${id} and a.instance_id = ${instance_id}
      and (${conversation_id}::uuid is null or a.conversation_id = ${conversation_id})`.first();

export interface Decision {
  id: string;
  status: 'approved' | 'rejected';
  sealed_content: Buffer | null;
  decided_by: ApprovalRow['decided_by'];
}

/** Erased contents stay erased. False when the approval does not wait any more. */
export const decideApproval = ({ id, status, sealed_content, decided_by }: Decision) =>
  sql`
    with decided as (
      update approvals a set status = ${status}, decided_by = ${json(decided_by)}, decided_at = ${NOW},
        finished_at = case when ${status} = 'rejected' then ${NOW}::timestamptz end,
        sealed_content = case when a.sealed_content is not null then ${sealed_content}::bytea end,
        erase_at = case when a.sealed_content is not null then ${fragment(keptFrom('now()'))} end
      where a.id = ${id} and a.status = 'waiting' and a.expires_at > ${NOW}
      returning a.tenant_id, a.id, a.instance_id
    ), enqueued as (
      ${enqueueAll(SETTLE_APPROVAL, 'select id, tenant_id, instance_id from decided')}
    )
    select from decided`.exists();

export const expireApproval = (id: string) =>
  sql`update approvals a set status = 'expired', finished_at = ${NOW},
        erase_at = case when a.sealed_content is not null then ${fragment(keptFrom('now()'))} end
      where a.id = ${id} and a.status = 'waiting' and a.expires_at <= ${NOW}`;

/** Claims an approved call, so that it is made at most once. False when it was claimed before. */
export const claimApproval = (id: string) =>
  sql`update approvals set claimed_at = ${NOW}
      where id = ${id} and status = 'approved' and claimed_at is null and finished_at is null returning id`.exists();

/** Stores the outcome of an approved call. Erased contents stay erased. */
export const finishApproval = (id: string, status: 'approved' | 'failed', sealed_content: Buffer | null) =>
  sql`update approvals a set status = ${status}, finished_at = ${NOW},
        sealed_content = case when a.sealed_content is not null then ${sealed_content}::bytea end,
        erase_at = case when a.sealed_content is not null then ${fragment(keptFrom('now()'))} end
      where a.id = ${id} and a.status = 'approved' and a.finished_at is null`;

/** True once: the caller then queues the system message for the agent. */
export const markTold = (id: string) =>
  sql`update approvals set told_at = ${NOW} where id = ${id} and told_at is null and finished_at is not null
      returning id`.exists();

export const dueApprovals = (): Deletion =>
  expiredRows({
    table: 'approvals',
    where: sql`erase_at <= ${NOW}`,
    orderBy: 'erase_at',
    emptied: ['sealed_content', 'erase_at'],
    limit: 200,
    everyMinutes: 5,
  });

/** Deletes approvals, `days` after they were finished. */
export const oldApprovals = (days: number): Deletion =>
  expiredRows({
    table: 'approvals',
    where: sql`status <> 'waiting'
      and coalesce(finished_at, decided_at) < ${NOW}::timestamptz - ${days}::int * interval '1 day'`,
    orderBy: 'coalesce(finished_at, decided_at)',
    limit: 200,
    everyMinutes: 5,
  });
