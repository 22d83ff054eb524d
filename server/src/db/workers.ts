import type { BindingState } from '../contract/bindings.ts';
import type { Queryable } from './database.ts';
import { servedCustomers } from './deployments.ts';
import { sql } from './sql.ts';

/** The pair that names a worker, and the instance that asks (specification, section 4.6). */
export interface WorkerAddress {
  instance_id: string;
  channel_type: string;
  channel_address: string;
}

export interface WorkerRow {
  person_id: string;
  state: BindingState;
  name: string;
  certifications: unknown[];
  /** The customer's. */
  timezone: string;
}

export interface WorkRow {
  id: string;
  job_id: string | null;
  site: string | null;
  starts_at: Date;
  ends_at: Date;
  status: string;
}

/** @returns undefined unless the address is bound to staff of a customer that the instance serves */
export async function findWorker(q: Queryable, address: WorkerAddress): Promise<WorkerRow | undefined> {
  const [row] = await q.rows(
    sql<WorkerRow>`
      select b.person_id, b.state, s.name, s.certifications, c.timezone
      from staff_bindings b join staff s on s.id = b.person_id join customers c on c.id = b.customer_id
      where b.channel_type = ${address.channel_type} and b.channel_address = ${address.channel_address}
        and b.customer_id in (${servedCustomers} ${address.instance_id})`,
  );
  return row;
}

export interface WorkerResponse {
  means_yes: boolean;
  means_no: boolean;
  /** What the code's hash would be, were the response the code. */
  code_hash: Buffer;
  /** So many wrong codes reject the binding. */
  wrong_codes_limit: number;
}

/**
 * Takes a response to an unverified or verified binding; a rejected one stays. One statement, so that guesses that
 * arrive at once are counted one by one.
 * @returns the binding as it is then; undefined as with findWorker
 */
export async function answerBinding(
  q: Queryable,
  address: WorkerAddress,
  response: WorkerResponse,
  now: Date,
): Promise<Pick<WorkerRow, 'person_id' | 'state' | 'name'> | undefined> {
  const { means_yes, means_no, code_hash, wrong_codes_limit } = response;
  const [row] = await q.rows(
    sql<Pick<WorkerRow, 'person_id' | 'state' | 'name'>>`
      update staff_bindings b set
        state = case
          when b.state = 'rejected' then 'rejected'
          when b.code_hash = ${code_hash} then 'verified'
          when ${means_no}::boolean then 'rejected'
          when b.state = 'verified' then 'verified'
          when b.code_hash is null then case when ${means_yes}::boolean then 'verified' else 'unverified' end
          when ${means_yes}::boolean then 'unverified'
          when b.wrong_codes + 1 >= ${wrong_codes_limit}::integer then 'rejected'
          else 'unverified' end,
        wrong_codes = b.wrong_codes + case
          when b.state = 'unverified' and b.code_hash <> ${code_hash}
               and not ${means_no}::boolean and not ${means_yes}::boolean then 1
          else 0 end,
        updated_at = ${now}
      from staff s
      where s.id = b.person_id and b.channel_type = ${address.channel_type}
        and b.channel_address = ${address.channel_address}
        and b.customer_id in (${servedCustomers} ${address.instance_id})
      returning b.person_id, b.state, s.name`,
  );
  return row;
}

/** What has not ended in the order of time, then what has, the latest first. */
export const listShiftsOf = (q: Queryable, person_id: string, now: Date, limit: number) =>
  q.rows(
    sql<WorkRow>`
      select id, job_id, site, starts_at, ends_at, status from shifts where person_id = ${person_id}
      order by ends_at < ${now}, case when ends_at >= ${now} then starts_at end, ends_at desc, id limit ${limit}`,
  );

/** As listShiftsOf; one without an end has not ended. */
export const listAssignmentsOf = (q: Queryable, person_id: string, now: Date, limit: number) =>
  q.rows(
    sql<
      Omit<WorkRow, 'starts_at' | 'ends_at'> & {
        title: string | null;
        starts_at: Date | null;
        ends_at: Date | null;
      }
    >`
      select a.id, a.job_id, a.title, a.site, a.starts_at, a.ends_at, a.status from assignments a
      cross join lateral (select coalesce(a.ends_at < ${now}, false) as is_over) o
      where a.person_id = ${person_id}
      order by o.is_over, case when not o.is_over then a.starts_at end, a.ends_at desc, a.id limit ${limit}`,
  );
