import { namedActor } from '../access/actor-names.db.ts';
import { fragment, json, NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';
import { enqueue } from '../platform/queue/jobs.db.ts';
import type { ItemStatus, RolloutStatus, StopReason } from './rollouts.contract.ts';

/** The key is the rollout's id. */
export const ROLL_OUT = 'roll_out';

const KEPT_DAYS = 365;
/** For each recipe. */
const MOST_ENDED = 200;

export interface StopWhen {
  failed_upgrades: number;
  /** null: not watched. */
  refused_messages: number | null;
  llm_failures: number | null;
}

/** As the API shows it. */
export interface RolloutRow {
  id: string;
  recipe_id: string;
  recipe_name: string | null;
  revision: number;
  status: RolloutStatus;
  batch: number;
  batches: number[];
  pause_seconds: number;
  stop_when: StopWhen;
  next_batch_at: Date | null;
  stopped_because: StopReason | null;
  created_by: { kind: 'user' | 'api_key' | 'operations'; id: string | null; name: string | null } | null;
  created_at: Date;
  ended_at: Date | null;
  counts: Record<ItemStatus, number>;
}

const count = (status: ItemStatus) => `'${status}', count(*) filter (where i.status = '${status}')`;

const columns =
  fragment(`r.id, r.recipe_id, (select name from recipes where id = r.recipe_id) as recipe_name, r.revision,
  r.status, r.batch, r.batches, r.pause_seconds,
  jsonb_build_object('failed_upgrades', r.failed_upgrades, 'refused_messages', r.refused_messages,
                     'llm_failures', r.llm_failures) as stop_when,
  case when r.status = 'running' then r.next_batch_at end as next_batch_at, r.stopped_because,
  ${namedActor('r.created_by').text} as created_by, r.created_at, r.ended_at,
  (select jsonb_build_object(${count('waiting')}, ${count('upgrading')}, ${count('upgraded')}, ${count('failed')},
                             ${count('skipped')}, ${count('rolled_back')})
   from rollout_items i where i.rollout_id = r.id) as counts`);

export const listRollouts = (recipe_id: string, limit: number, offset: number) =>
  sql<RolloutRow & { total: number }>`
    select ${columns}, count(*) over () as total from rollouts r where r.recipe_id = ${recipe_id}
    order by r.created_at desc, r.id limit ${limit} offset ${offset}`;

export const findRollout = (recipe_id: string, id: string) =>
  sql<RolloutRow>`select ${columns} from rollouts r where r.recipe_id = ${recipe_id} and r.id = ${id}`.first();

export interface NewRollout extends StopWhen {
  id: string;
  recipe_id: string;
  revision: number;
  batches: readonly number[];
  pause_seconds: number;
}

/** With its job. Violates `rollouts_one_at_a_time` where another one of the recipe is under way. */
export const insertRollout = (r: NewRollout) =>
  sql`insert into rollouts (id, tenant_id, recipe_id, revision, batches, pause_seconds, failed_upgrades, refused_messages,
        llm_failures, created_at)
      values (${r.id}, current_tenant(), ${r.recipe_id}, ${r.revision}, ${json(r.batches)}, ${r.pause_seconds},
        ${r.failed_upgrades}, ${r.refused_messages}, ${r.llm_failures}, ${NOW})`;

/** The oldest go. */
export const deleteSurplus = (recipe_id: string) =>
  sql`delete from rollouts where id in (
        select id from rollouts where recipe_id = ${recipe_id} and ended_at is not null
        order by created_at desc, id offset ${MOST_ENDED})`;

export const enqueueRollout = (id: string) => enqueue({ kind: ROLL_OUT, key: id });

/** Decides its next step. */
export interface RolloutState extends StopWhen {
  id: string;
  recipe_id: string;
  revision: number;
  status: RolloutStatus;
  batch: number;
  pause_seconds: number;
  failed_before: number;
  refused_before: number;
  llm_before: number;
  next_batch_at: Date | null;
  watched_until: Date | null;
  has_gone_back: boolean;
  ended_at: Date | null;
}

/** Until the transaction ends. */
export const lockRollout = (id: string) =>
  sql<RolloutState>`
    select id, recipe_id, revision, status, batch, pause_seconds, failed_upgrades, refused_messages, llm_failures,
           failed_before, refused_before, llm_before, next_batch_at, watched_until, has_gone_back, ended_at
    from rollouts where id = ${id} for no key update`.first();

/** Keeps its status until the transaction ends. False: it has another one. */
export const holdStatus = (id: string, status: RolloutStatus) =>
  sql`select from rollouts where id = ${id} and status = ${status} for share`.exists();

export const pauseRollout = (id: string) =>
  sql`update rollouts set status = 'paused', next_batch_at = null, watched_until = null where id = ${id}`;

export interface Counted {
  failed: number;
  refused: number;
  llm_failed: number;
}

/** @param before counts that shall not stop it @param isBetween nothing of its batch waits, so the next one needs no pause */
export const resumeRollout = (id: string, before: Counted, isBetween: boolean) =>
  sql`update rollouts set status = 'running', stopped_because = null, ended_at = null, watched_until = null,
        next_batch_at = case when ${isBetween} then ${NOW}::timestamptz end,
        failed_before = ${before.failed}, refused_before = ${before.refused}, llm_before = ${before.llm_failed}
      where id = ${id}`;

export const stopRollout = (id: string, because: StopReason) =>
  sql`update rollouts set status = 'stopped', stopped_because = ${because}, next_batch_at = null, watched_until = null,
        ended_at = ${NOW} where id = ${id}`;

export const endRollout = (id: string, status: 'succeeded' | 'rolled_back') =>
  sql`update rollouts set status = ${status}, next_batch_at = null, watched_until = null, ended_at = ${NOW}
      where id = ${id}`;

export const rollBackRollout = (id: string) =>
  sql`update rollouts set status = 'rolling_back', stopped_because = null, has_gone_back = true, next_batch_at = null,
        watched_until = null, ended_at = null where id = ${id}`;

export const enterBatch = (id: string, batch: number) =>
  sql`update rollouts set batch = ${batch}, next_batch_at = null where id = ${id}`;

export const restUntil = (id: string, at: Date) =>
  sql`update rollouts set next_batch_at = ${at} where id = ${id}`;

export const watchUntil = (id: string, at: Date) =>
  sql`update rollouts set watched_until = ${at} where id = ${id}`;

/** In all tenants, with their items. */
export const oldRollouts = (): Deletion =>
  expiredRows({
    table: 'rollouts',
    where: sql`ended_at <= ${NOW}::timestamptz - ${KEPT_DAYS}::int * interval '1 day'`,
    orderBy: 'ended_at',
    skipsLocked: false,
  });
