import type { InstanceStatus } from '../catalogue/hosting.contract.ts';
import { json, NOW, sql } from '../platform/db/sql.ts';
import type { ItemStatus } from './rollouts.contract.ts';
import type { Counted } from './rollouts.db.ts';

/** Another task may be at work on an instance for so long. */
const BUSY_MINUTES = 10;

export interface ItemRow {
  instance_id: string;
  hostname: string;
  from_revision: number;
  batch: number;
  status: ItemStatus;
  error: string | null;
}

/** In the order of their batches. */
export const listItems = (rollout_id: string, limit: number, offset: number) =>
  sql<ItemRow & { total: number }>`
    select i.instance_id, n.hostname, i.from_revision, i.batch, i.status, i.error, count(*) over () as total
    from rollout_items i join instances n on n.id = i.instance_id
    where i.rollout_id = ${rollout_id} order by i.position limit ${limit} offset ${offset}`;

export interface TargetRow {
  instance_id: string;
  hostname: string;
  status: InstanceStatus;
  from_revision: number;
}

/** Live instances of another revision, the oldest first. */
export const listTargets = (recipe_id: string, revision: number) =>
  sql<TargetRow>`
    select id as instance_id, hostname, status, recipe_revision as from_revision from instances
    where recipe_id = ${recipe_id} and recipe_revision <> ${revision} and status <> 'terminated'
    order by created_at, id`;

interface NewItem {
  instance_id: string;
  from_revision: number;
  batch: number;
}

/** In the order of the list. */
export const insertItems = (rollout_id: string, items: readonly NewItem[]) =>
  sql`insert into rollout_items (tenant_id, rollout_id, instance_id, position, batch, from_revision)
      select current_tenant(), ${rollout_id}, (item ->> 'instance_id')::uuid, position, (item ->> 'batch')::int,
             (item ->> 'from_revision')::int
      from jsonb_array_elements(${json(items)}::jsonb) with ordinality as given (item, position)`;

/** Takes over how ended tasks went. A canceled upgrade counts for nothing. */
export const settleItems = (rollout_id: string) =>
  sql`update rollout_items i set
        status = case when t.status = 'succeeded' then case when i.is_back then 'rolled_back' else 'upgraded' end
                      when t.status = 'canceled' and not i.is_back then 'skipped' else 'failed' end,
        error = case when t.status = 'canceled' then 'Canceled' when t.status = 'failed' then t.error end,
        upgraded_at = case when i.is_back then i.upgraded_at else t.finished_at end
      from tasks t
      where i.rollout_id = ${rollout_id} and i.status = 'upgrading' and t.finished_at is not null
        and t.id = case when i.is_back then i.back_task_id else i.task_id end`;

/** Notes since when other tasks have been at work on instances whose turn it is. */
export const noteBusy = (rollout_id: string, batch: number) => sql`
  with looked as (
    select i.instance_id, exists (
        select from tasks t where t.instance_id = i.instance_id and t.status in ('queued', 'running', 'canceling')
      ) as is_busy
    from rollout_items i
    where i.rollout_id = ${rollout_id} and i.status <> 'upgrading'
      and (i.is_to_go_back or i.status = 'waiting' and i.batch <= ${batch})
  )
  update rollout_items i set busy_since = case when is_busy then ${NOW}::timestamptz end
  from looked
  where i.rollout_id = ${rollout_id} and i.instance_id = looked.instance_id and is_busy <> (busy_since is not null)`;

export const giveUpBusy = (rollout_id: string) =>
  sql`update rollout_items set status = case when is_to_go_back then 'failed' else 'skipped' end,
        error = ${`Another task of the instance has been at work for ${BUSY_MINUTES} minutes`},
        is_back = is_to_go_back, is_to_go_back = false
      where rollout_id = ${rollout_id} and (is_to_go_back or status = 'waiting')
        and busy_since <= ${NOW}::timestamptz - ${BUSY_MINUTES}::int * interval '1 minute'`;

/** While the rollout rests, nobody looks. */
export const forgetBusy = (rollout_id: string) =>
  sql`update rollout_items set busy_since = null where rollout_id = ${rollout_id} and busy_since is not null`;

export interface Progress extends Counted {
  upgrading: number;
  /** In the batches so far. */
  waiting: number;
  /** The next batch with an instance that waits; null: none. */
  next_batch: number | null;
  to_go_back: number;
  /** Instances that could not go back. */
  left_behind: number;
}

/** Counts what the next step depends on. */
export const findProgress = (rollout_id: string, batch: number) =>
  sql<Progress>`
    select count(*) filter (where i.status = 'upgrading')::int as upgrading,
           count(*) filter (where i.status = 'waiting' and i.batch <= ${batch})::int as waiting,
           min(i.batch) filter (where i.status = 'waiting' and i.batch > ${batch}) as next_batch,
           count(*) filter (where i.is_to_go_back and i.status <> 'upgrading')::int as to_go_back,
           count(*) filter (where i.status = 'failed' and i.is_back)::int as left_behind,
           count(*) filter (where i.status = 'failed' and not i.is_back)::int as failed,
           coalesce(sum(f.tries), 0)::int as refused,
           coalesce(sum(l.calls) filter (where i.status = 'upgraded'), 0)::int as llm_failed
    from rollout_items i join rollouts r on r.id = i.rollout_id
      left join rollout_refusals f on f.rollout_id = i.rollout_id and f.instance_id = i.instance_id
      left join lateral (
        select count(*) as calls from llm_calls c
        where r.llm_failures is not null and i.status = 'upgraded' and c.tenant_id = i.tenant_id
          and c.instance_id = i.instance_id and c.status = 'failed' and c.at >= i.upgraded_at
      ) l on true
    where i.rollout_id = ${rollout_id}`.one();

/** The next ones of the batches so far that no other task keeps from beginning. */
export const listReady = (rollout_id: string, batch: number, limit: number) =>
  sql<{ instance_id: string }>`
    select instance_id from rollout_items
    where rollout_id = ${rollout_id} and status = 'waiting' and batch <= ${batch} and busy_since is null
    order by position limit ${limit}`.each(({ instance_id }) => instance_id);

/** False: it has begun, or was skipped. */
export const claimItem = (rollout_id: string, instance_id: string) =>
  sql`update rollout_items set status = 'upgrading'
      where rollout_id = ${rollout_id} and instance_id = ${instance_id} and status = 'waiting'
      returning instance_id`.exists();

export const noteUpgrade = (
  rollout_id: string,
  instance_id: string,
  { task_id, from_revision }: { task_id: string; from_revision: number },
) =>
  sql`update rollout_items set task_id = ${task_id}, from_revision = ${from_revision}
      where rollout_id = ${rollout_id} and instance_id = ${instance_id}`;

/** Before it has begun. */
export const skipItem = (rollout_id: string, instance_id: string, error: string) =>
  sql`update rollout_items set status = 'skipped', error = ${error}
      where rollout_id = ${rollout_id} and instance_id = ${instance_id} and status = 'waiting'`;

/** Everything that has begun: some of it may still be under way, or have failed halfway. */
export const markToGoBack = (rollout_id: string) =>
  sql`update rollout_items set is_to_go_back = true, is_back = false
      where rollout_id = ${rollout_id} and status in ('upgrading', 'upgraded', 'failed')`;

export interface ReturningItem {
  instance_id: string;
  status: ItemStatus;
  from_revision: number;
  task_id: string;
}

/** Like listReady, for a rollback. */
export const listReturning = (rollout_id: string, limit: number) =>
  sql<ReturningItem>`
    select instance_id, status, from_revision, task_id from rollout_items
    where rollout_id = ${rollout_id} and is_to_go_back and status <> 'upgrading' and busy_since is null
    order by position limit ${limit}`;

export const claimReturn = (rollout_id: string, instance_id: string) =>
  sql`update rollout_items set status = 'upgrading', is_to_go_back = false, is_back = true, error = null
      where rollout_id = ${rollout_id} and instance_id = ${instance_id} and is_to_go_back and status <> 'upgrading'
      returning instance_id`.exists();

export const noteReturn = (rollout_id: string, instance_id: string, task_id: string) =>
  sql`update rollout_items set back_task_id = ${task_id}
      where rollout_id = ${rollout_id} and instance_id = ${instance_id}`;

/** It does not begin: `failed` could not go back, others need not. */
export const refuseReturn = (
  rollout_id: string,
  instance_id: string,
  status: 'failed' | 'skipped',
  error: string,
) =>
  sql`update rollout_items set status = ${status}, error = ${error}, is_to_go_back = false, is_back = true
      where rollout_id = ${rollout_id} and instance_id = ${instance_id} and is_to_go_back`;

/** It failed, and was undone then. */
export const leaveFailed = (rollout_id: string, instance_id: string) =>
  sql`update rollout_items set is_to_go_back = false
      where rollout_id = ${rollout_id} and instance_id = ${instance_id} and is_to_go_back`;

/** True while it runs with what the task gave it. Lock the instance first. */
export const hasItStill = ({ instance_id, task_id }: ReturningItem, revision: number) =>
  sql`select from instances i join tasks t on t.id = ${task_id}
      where i.id = ${instance_id} and i.recipe_revision = ${revision} and i.status not in ('terminating', 'terminated')
        and not exists (select from tasks later
          where later.instance_id = i.id and later.kind = 'upgrade' and later.status = 'succeeded'
            and later.id <> t.id and later.created_at > t.created_at)`.exists();
