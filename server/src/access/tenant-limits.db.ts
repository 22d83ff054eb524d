import { sql } from '../platform/db/sql.ts';
import type { LimitName } from './tenants.contract.ts';

/** The effective limit of the current tenant (limits.sql); null: unlimited. */
export const findLimit = (name: LimitName) =>
  sql<{ maximum: number | null }>`select limit_of(current_tenant(), ${name})::float8 as maximum`
    .one()
    .map(({ maximum }) => maximum);

/** A text for people. */
export const limitRefusal = (name: LimitName) =>
  sql<{ refusal: string }>`select limit_refusal(current_tenant(), ${name}) as refusal`
    .one()
    .map(({ refusal }) => refusal);
