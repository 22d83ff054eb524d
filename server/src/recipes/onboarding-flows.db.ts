import type { Static } from 'typebox';
import { PAGE_FITS } from '../platform/db/page-bytes.ts';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { json, NOW, sql } from '../platform/db/sql.ts';
import { OnboardingFlow, OnboardingFlowUpdate, type OnboardingStep } from './onboarding-flows.contract.ts';

type OnboardingFlowRow = RowOf<typeof OnboardingFlow>;

const columns = columnsOf(OnboardingFlow);

export const listOnboardingFlows = (limit: number, offset: number) =>
  sql<OnboardingFlowRow & { total: number }>`
    select ${columns}, total from (
      with page as materialized (
        select ${columns}, count(*) over () as total from onboarding_flows
        order by created_at desc, id limit ${limit} offset ${offset})
      select * from page where ${PAGE_FITS}) listed
    order by created_at desc, id`;

export const findOnboardingFlow = (id: string) =>
  sql<OnboardingFlowRow>`select ${columns} from onboarding_flows where id = ${id}`.first();

export const insertOnboardingFlow = ({ name, steps }: { name: string; steps: readonly OnboardingStep[] }) =>
  sql<OnboardingFlowRow>`
    insert into onboarding_flows (tenant_id, name, steps) values (current_tenant(), ${name}, ${json(steps)})
    returning ${columns}`.one();

const changeable = columnsOf(OnboardingFlowUpdate);
const changed = columnsOf(OnboardingFlowUpdate, 'changed.');

/** Absent fields stay. undefined: no such flow. */
export const updateOnboardingFlow = (id: string, changes: Static<typeof OnboardingFlowUpdate>) =>
  sql<OnboardingFlowRow>`
    update onboarding_flows f set
      (${changeable}) = (select ${changed} from jsonb_populate_record(f, ${json(changes)}::jsonb) changed),
      updated_at = greatest(f.updated_at, ${NOW})
    where f.id = ${id} returning ${columns}`.first();

/** False: no such flow. */
export const deleteOnboardingFlow = (id: string) =>
  sql`delete from onboarding_flows where id = ${id} returning id`.exists();
