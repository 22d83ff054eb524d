import { systemClock } from 'pg-boss';

/** For what pg-boss waits by this process's clock: one that is not set back. */
export const STEADY_CLOCK = { ...systemClock, now: () => performance.timeOrigin + performance.now() };

/**
 * What pg-boss noted lies ahead when the database's clock is set back. Until that has caught up, jobs would wait for their
 * next try, those of a killed process would seem to be at work, and nobody would look. That a look lies ahead tells of it:
 * looks are noted every two seconds, and copies of the service share the clock. (Without `exists` PostgreSQL reads all jobs
 * before it finds that no queue was set back.)
 */
export const BRING_BACK = `
  with set_back as (
    update pgboss.queue set
      monitor_on = least(monitor_on, now()), monitor_claim_on = least(monitor_claim_on, now()),
      maintain_on = least(maintain_on, now())
    where greatest(monitor_claim_on, maintain_on) > now() + interval '10 seconds'
    returning name
  )
  update pgboss.job set
    start_after = least(start_after, now()), started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
  where exists (select from set_back) and name in (select name from set_back) and state < 'completed'
    and greatest(start_after, started_on, heartbeat_on) > now()`;
