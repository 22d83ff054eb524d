import { sql } from '../platform/db/sql.ts';
import type { LimitName } from './tenants.contract.ts';

/** The effective value of one of the current tenant's limits (limits.sql); null for none. */
export const findLimit = (name: LimitName) =>
  sql<{ maximum: number | null }>`select limit_of(current_tenant(), ${name})::float8 as maximum`
    .one()
    .map(({ maximum }) => maximum);

/** The refusal at one of the current tenant's limits, in words for people. */
export const limitRefusal = (name: LimitName) =>
  sql<{ refusal: string }>`select limit_refusal(current_tenant(), ${name}) as refusal`
    .one()
    .map(({ refusal }) => refusal);
