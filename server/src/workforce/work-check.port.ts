import type { Queryable } from '../platform/db/queryable.ts';
import type { WorkEligibility } from './work-check.contract.ts';

export interface WorkToCheck {
  customer_id: string;
  person_id: string;
  site: string | null;
  job_id: string | null;
  title: string | null;
  starts_at: Date | null;
  ends_at: Date | null;
}

/** Tells if the person may do work that is stored already, by the records that the transaction sees. */
export type WorkCheck = (tx: Queryable, work: WorkToCheck) => Promise<WorkEligibility>;
