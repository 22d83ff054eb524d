import { servedCustomers } from '../customers/served-customers.db.ts';
import { NOW, sql } from '../platform/db/sql.ts';
import type { BindingState } from './bindings.contract.ts';

/** The preferred spelling comes first. */
export interface SpelledAddress {
  instance_id: string;
  channel_type: string;
  channel_addresses: readonly string[];
  /** null for any customer. */
  customer_id: string | null;
}

export interface WorkerRow {
  binding_id: string;
  customer_id: string;
  person_id: string;
  state: BindingState;
  name: string;
  certifications: unknown[];
  /** The address, perhaps a former one, for which the code was hashed. */
  code_address: string;
  /** Another sender has the number now. */
  is_handed_over: boolean;
  timezone: string;
}

interface WorkRow {
  id: string;
  job_id: string | null;
  site: string | null;
  starts_at: Date;
  ends_at: Date;
  status: string;
}

/** At most one per served customer, not terminated, by any address of the sender. */
export const listWorkers = (address: SpelledAddress) => {
  const { instance_id, channel_type, channel_addresses, customer_id } = address;
  return sql<WorkerRow>`
    select distinct on (b.customer_id) b.id as binding_id, b.customer_id, b.person_id, b.state, s.name, s.certifications,
           coalesce(b.code_address, b.channel_address) as code_address, b.handed_over_at is not null as is_handed_over, c.timezone
    from addresses_beside(${instance_id}, ${channel_type}, ${channel_addresses}::text[]) a
    join staff_bindings b on b.channel_type = ${channel_type} and (b.channel_address = a.address or b.address_key = a.address)
      and b.customer_id = coalesce(a.customer_id, b.customer_id)
    join staff s on s.id = b.person_id join customers c on c.id = b.customer_id
    where b.customer_id in (${servedCustomers} ${instance_id}) and s.status <> 'terminated'
      and (${customer_id}::uuid is null or b.customer_id = ${customer_id})
    order by b.customer_id, b.state = 'rejected', a.place`;
};

interface WorkerResponse {
  means_yes: boolean;
  means_no: boolean;
  code_hash: Buffer;
  wrong_codes_limit: number;
}

/** Rejection is final. A single statement, so concurrent guesses are all counted. */
export const applyWorkerResponse = (
  binding_id: string,
  { means_yes, means_no, code_hash, wrong_codes_limit }: WorkerResponse,
) =>
  sql<Pick<WorkerRow, 'person_id' | 'state' | 'name'>>`
    update staff_bindings b set
      state = case
        when b.state = 'rejected' then 'rejected'
        when b.code_hash = ${code_hash}::bytea then 'verified'
        when ${means_no}::boolean then 'rejected'
        when b.state = 'verified' then 'verified'
        when b.code_hash is null then case when ${means_yes}::boolean and b.handed_over_at is null then 'verified' else 'unverified' end
        when ${means_yes}::boolean then 'unverified'
        when b.wrong_codes + 1 >= ${wrong_codes_limit}::integer then 'rejected'
        else 'unverified' end,
      wrong_codes = b.wrong_codes + case
        when b.state = 'unverified' and b.code_hash <> ${code_hash}::bytea
             and not ${means_no}::boolean and not ${means_yes}::boolean then 1
        else 0 end,
      updated_at = greatest(b.updated_at, ${NOW})
    from staff s
    where s.id = b.person_id and b.id = ${binding_id}
    returning b.person_id, b.state, s.name`.first();

/** Current and coming shifts by their start, then past ones, the latest first. */
export const listShiftsOf = (person_id: string, limit: number) =>
  sql<WorkRow>`
    select id, job_id, site, starts_at, ends_at, status from shifts where person_id = ${person_id}
    order by ends_at < ${NOW}, case when ends_at >= ${NOW} then starts_at end, ends_at desc, id limit ${limit}`;

/** In the order of listShiftsOf; an assignment without an end is not past. */
export const listAssignmentsOf = (person_id: string, limit: number) =>
  sql<
    Omit<WorkRow, 'starts_at' | 'ends_at'> & {
      title: string | null;
      starts_at: Date | null;
      ends_at: Date | null;
    }
  >`
    select a.id, a.job_id, a.title, a.site, a.starts_at, a.ends_at, a.status from assignments a
    cross join lateral (select coalesce(a.ends_at < ${NOW}, false) as is_over) o
    where a.person_id = ${person_id}
    order by o.is_over, case when not o.is_over then a.starts_at end, a.ends_at desc, a.id limit ${limit}`;
