import { fragment, json, sql } from '../db/sql.ts';

export interface JobRequest {
  kind: string;
  /** Unique per kind. */
  key: string;
  /** The resource that the work waits for, such as a runtime. Limits apply per lane and per tenant. */
  lane?: string;
  /** The earliest time; default: now. */
  run_at?: Date;
}

export interface ClaimedJob {
  kind: string;
  key: string;
  /** The nil UUID: of the service itself. */
  tenant_id: string;
  lane: string;
  /** Consecutive failures before this attempt. */
  attempts: number;
  /** Identifies the run. */
  claim: string;
}

/** After this time, others can claim the jobs of a crashed process. */
const LEASE = fragment(`interval '15 seconds'`);

/** Followed by a select or values; `OR_AGAIN` must end the statement. */
export const INTO_JOBS = fragment('insert into jobs as j (kind, key, tenant_id, lane, run_at, due_at)');

/**
 * For an existing job: a running one will run again, a waiting one keeps the earlier time, and a failed one keeps its
 * pause. The update always locks the row, so the job is not claimed before the enqueuing transaction has committed its
 * work.
 */
export const OR_AGAIN = fragment(`
  on conflict (kind, key) do update set
    lane = excluded.lane,
    again_at = case when j.claim is null then null else least(j.again_at, excluded.run_at) end,
    run_at = case when j.claim is null and j.attempts = 0 then least(j.run_at, excluded.run_at) else j.run_at end,
    due_at = case when j.claim is null and j.attempts = 0 then least(j.due_at, excluded.due_at) else j.due_at end
  returning case when due_at <= now() then pg_notify('jobs', kind) end`);

/**
 * Enqueues a job per row, as soon as possible.
 * @param rows a select of keys, tenants and lanes without parameters
 */
export const enqueueAll = (kind: string, rows: string) =>
  fragment(`
    ${INTO_JOBS.text}
    select distinct '${kind}', key::text, tenant_id, lane::text, '-infinity'::timestamptz, now()
    from (${rows}) as w (key, tenant_id, lane) order by 2
    ${OR_AGAIN.text}`);

/** For the current tenant or the service itself, in the caller's transaction. */
export const enqueue = ({ kind, key, lane = 'default', run_at }: JobRequest) => sql`
  ${INTO_JOBS}
  values (${kind}, ${key}, coalesce(current_tenant(), '00000000-0000-0000-0000-000000000000'), ${lane},
          coalesce(${run_at}::timestamptz, '-infinity'), greatest(${run_at}::timestamptz, now()))
  ${OR_AGAIN}`;

/** Sort key of lanes. */
export type Lane = Pick<ClaimedJob, 'tenant_id' | 'lane'>;

export interface Claim {
  /** The host that claims. */
  holder: string;
  kind: string;
  wanted: number;
  /** Starts after this lane. */
  after: Lane;
  /** Concurrent jobs of this process. */
  perTenant: number;
  perLane: number;
  /** Running in this process, by tenant and by `tenant/lane`. */
  running: Readonly<Record<string, number>>;
}

/** In the order of lanes (jobs.sql). Begins with `with`, not `select`, because it writes. */
export const claimJobs = ({
  holder,
  kind,
  wanted,
  after,
  perTenant,
  perLane,
  running,
}: Claim) => sql<ClaimedJob>`
  with claimed as (
    select * from claim_jobs(${kind}, ${wanted}, ${LEASE}, ${after.tenant_id}, ${after.lane},
                             ${perTenant}, ${perLane}, ${json(running)}, ${holder})
  )
  select kind, key, tenant_id, lane, attempts, claim from claimed`;

type Held = Pick<ClaimedJob, 'kind' | 'key' | 'claim'>;

const keysOf = (jobs: readonly Held[]) => jobs.map(({ key }) => key);
const claimsOf = (jobs: readonly Held[]) => jobs.map(({ claim }) => claim);

/**
 * Skips locked rows until the next renewal; no other process can claim them meanwhile.
 * @returns the claims that still hold their job
 */
export const renewLeases = (kind: string, jobs: readonly Held[]) => sql<{ claim: string }>`
  with held as (
    select key, claim from jobs
    where kind = ${kind} and key = any(${keysOf(jobs)}::text[]) and claim = any(${claimsOf(jobs)}::uuid[])
  ), renewed as (
    update jobs set due_at = now() + ${LEASE}
    where kind = ${kind} and key in (
      select key from jobs
      where kind = ${kind} and key = any(${keysOf(jobs)}::text[]) and claim = any(${claimsOf(jobs)}::uuid[])
      for update skip locked)
  )
  select claim from held`;

/** A pause is measured by the database's clock. */
export type Again = Date | 'now' | { afterMs: number };

/** Unless it was enqueued meanwhile. */
export const deleteJob = ({ kind, key, claim }: Held) => sql`
  delete from jobs where kind = ${kind} and key = ${key} and claim = ${claim} and again_at is null`;

/** Lets a job run again that asked for it, or was enqueued meanwhile. */
export const repeatJob = ({ kind, key, claim }: Held, again?: Again) => {
  const isPause = typeof again === 'object' && 'afterMs' in again;
  const run_at = again === 'now' ? '-infinity' : isPause ? null : again;
  const after_ms = isPause ? again.afterMs : null;
  return sql`
    update jobs set claim = null, holder = null, attempts = 0, again_at = null,
      run_at = least(again_at, ${run_at}, now() + ${after_ms}::float8 * interval '1 millisecond'),
      due_at = greatest(least(again_at, ${run_at}, now() + ${after_ms}::float8 * interval '1 millisecond'), now())
    where kind = ${kind} and key = ${key} and claim = ${claim}`;
};

/** Exponential backoff. */
export const backOff = ({ kind, key, claim }: Held, firstMs: number, maxSeconds: number) => sql`
  update jobs set claim = null, holder = null, attempts = attempts + 1, again_at = null,
    due_at = now() + least(${maxSeconds}, ${firstMs / 1000}::float8 * 2 ^ least(attempts, 20)) * interval '1 second'
  where kind = ${kind} and key = ${key} and claim = ${claim}`;

/** Other processes can claim the jobs immediately. */
export const returnJobs = (kind: string, jobs: readonly Held[]) => sql`
  update jobs set claim = null, holder = null, due_at = now(), again_at = null
  where kind = ${kind} and key = any(${keysOf(jobs)}::text[]) and claim = any(${claimsOf(jobs)}::uuid[])
  returning pg_notify('jobs', kind)`;

/** Expires the leases of a host's former process, when the host starts. They count as failed attempts, like others. */
export const expireLeasesOf = (holder: string) => sql`
  update jobs set due_at = now() where holder = ${holder} and claim is not null and due_at > now()`;

/**
 * After the database's clock was set back, earlier leases, pauses and times of enqueuing are in the future. Resets jobs
 * that wait longer than those can explain.
 */
export const resetFutureJobs = () => sql`
  update jobs set due_at = greatest(run_at, now()) + case when claim is null then interval '0' else ${LEASE} end
  where due_at > greatest(run_at, now()) + ${LEASE}
    + case when claim is null then least(300, 2 ^ least(attempts, 20)) * interval '1 second' else interval '0' end`;
