import { fragment, json, sql } from '../db/sql.ts';

/** A unit of work to be done later. */
export interface JobRequest {
  kind: string;
  /** Names the unit: there is one job per kind and key. */
  key: string;
  /** The resource that the work waits for, such as a runtime. Limits hold per lane as well as per tenant. */
  lane?: string;
  /** The earliest time; as soon as possible where it is left out. */
  run_at?: Date;
}

/** A job in the hands of one run. */
export interface ClaimedJob {
  kind: string;
  key: string;
  /** The nil UUID for work of the service itself. */
  tenant_id: string;
  lane: string;
  /** Failed tries in a row before this one. */
  attempts: number;
  /** Names the run. */
  claim: string;
}

/** A process that ends without giving its jobs back leaves them to others after this time. */
const LEASE = fragment(`interval '15 seconds'`);

/** Begins a statement that enqueues the rows of a select; `OR_AGAIN` has to end it. */
export const INTO_JOBS = fragment('insert into jobs as j (kind, key, tenant_id, lane, run_at, due_at)');

/**
 * Enqueues a job that is already there: one that runs will run once more; one that waits keeps the earlier time; one that
 * failed keeps its pause. The update locks the row in every case, so nobody claims the job before the enqueuing
 * transaction has committed the work that it is about.
 */
export const OR_AGAIN = fragment(`
  on conflict (kind, key) do update set
    lane = excluded.lane,
    again_at = case when j.claim is null then null else least(j.again_at, excluded.run_at) end,
    run_at = case when j.claim is null and j.attempts = 0 then least(j.run_at, excluded.run_at) else j.run_at end,
    due_at = case when j.claim is null and j.attempts = 0 then least(j.due_at, excluded.due_at) else j.due_at end
  returning case when due_at <= now() then pg_notify('jobs', kind) end`);

/**
 * A statement that enqueues a job for each row, as soon as possible.
 * @param rows a select of the jobs' keys, tenants and lanes, without parameters
 */
export const enqueueAll = (kind: string, rows: string) =>
  fragment(`
    ${INTO_JOBS.text}
    select distinct '${kind}', key::text, tenant_id, lane::text, '-infinity'::timestamptz, now()
    from (${rows}) as w (key, tenant_id, lane) order by 2
    ${OR_AGAIN.text}`);

/** Adds a job of the current tenant, or of the service itself, in the caller's transaction. */
export const enqueue = ({ kind, key, lane = 'default', run_at }: JobRequest) => sql`
  ${INTO_JOBS}
  values (${kind}, ${key}, coalesce(current_tenant(), '00000000-0000-0000-0000-000000000000'), ${lane},
          coalesce(${run_at}::timestamptz, '-infinity'), greatest(${run_at}::timestamptz, now()))
  ${OR_AGAIN}`;

/** A place in the order of lanes. */
export type Lane = Pick<ClaimedJob, 'tenant_id' | 'lane'>;

export interface Claim {
  kind: string;
  wanted: number;
  /** The walk begins behind this lane. */
  after: Lane;
  /** Limits for jobs at once in this process. */
  perTenant: number;
  perLane: number;
  /** How many run in this process now, by tenant and by `tenant/lane`. */
  running: Readonly<Record<string, number>>;
}

/** Claims due jobs in the order of lanes (jobs.sql). It does not begin with `select`, because it is no read. */
export const claimJobs = ({ kind, wanted, after, perTenant, perLane, running }: Claim) => sql<ClaimedJob>`
  with claimed as (
    select * from claim_jobs(${kind}, ${wanted}, ${LEASE}, ${after.tenant_id}, ${after.lane},
                             ${perTenant}, ${perLane}, ${json(running)})
  )
  select kind, key, tenant_id, lane, attempts, claim from claimed`;

type Held = Pick<ClaimedJob, 'kind' | 'key' | 'claim'>;

const keysOf = (jobs: readonly Held[]) => jobs.map(({ key }) => key);
const claimsOf = (jobs: readonly Held[]) => jobs.map(({ claim }) => claim);

/**
 * Prolongs leases. A row that is locked is left for the next time: nobody else can claim it meanwhile.
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

export type Again = Date | 'now';

/** Deletes a job whose work is done, unless it was enqueued meanwhile. */
export const deleteJob = ({ kind, key, claim }: Held) => sql`
  delete from jobs where kind = ${kind} and key = ${key} and claim = ${claim} and again_at is null`;

/** Lets a job run again that asked for it, or was enqueued meanwhile. */
export const repeatJob = ({ kind, key, claim }: Held, again?: Again) => {
  const run_at = again === 'now' ? '-infinity' : again;
  return sql`
    update jobs set claim = null, attempts = 0, run_at = least(again_at, ${run_at}),
      due_at = greatest(least(again_at, ${run_at}), now()), again_at = null
    where kind = ${kind} and key = ${key} and claim = ${claim}`;
};

/** Has a failed job wait: the first pause, and twice as long after each further failure. */
export const backOff = ({ kind, key, claim }: Held, firstMs: number, maxSeconds: number) => sql`
  update jobs set claim = null, attempts = attempts + 1, again_at = null,
    due_at = now() + least(${maxSeconds}, ${firstMs / 1000}::float8 * 2 ^ least(attempts, 20)) * interval '1 second'
  where kind = ${kind} and key = ${key} and claim = ${claim}`;

/** Gives jobs back that this process will not finish; others can claim them at once. */
export const giveBack = (kind: string, jobs: readonly Held[]) => sql`
  update jobs set claim = null, due_at = now(), again_at = null
  where kind = ${kind} and key = any(${keysOf(jobs)}::text[]) and claim = any(${claimsOf(jobs)}::uuid[])
  returning pg_notify('jobs', kind)`;

/**
 * After the database's clock was set back, the times that it gave before lie ahead: leases, pauses and times of enqueuing.
 * A job that waits longer than those explain is brought back to now.
 */
export const bringBack = () => sql`
  update jobs set due_at = greatest(run_at, now()) + case when claim is null then interval '0' else ${LEASE} end
  where due_at > greatest(run_at, now()) + ${LEASE}
    + case when claim is null then least(300, 2 ^ least(attempts, 20)) * interval '1 second' else interval '0' end`;
