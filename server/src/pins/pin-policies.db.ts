import type { Queryable } from '../platform/db/queryable.ts';
import { json, sql } from '../platform/db/sql.ts';
import { notFound } from '../platform/errors.ts';
import type { PinAudience } from './pin-policies.contract.ts';

export interface PinPolicyRow {
  instance_id: string;
  pin_applies_to: PinAudience;
  pin_required_skills: string[];
  pin_session_ttl_minutes: number;
}

/** What is absent stays as it is. */
export type PinPolicyChange = {
  [K in keyof Omit<PinPolicyRow, 'instance_id'>]?: PinPolicyRow[K] | undefined;
};

/** Of an instance without a policy, and of a field that is cleared (contract, section 5). */
export const DEFAULT_POLICY: Omit<PinPolicyRow, 'instance_id'> = {
  pin_applies_to: 'all',
  pin_required_skills: [],
  pin_session_ttl_minutes: 15,
};

/** The policy that an instance starts with; one that is there already stays. */
export const insertPinPolicy = (q: Queryable, instance_id: string, pin_required_skills: readonly string[]) =>
  q.rows(
    sql`insert into pin_policies (tenant_id, instance_id, pin_required_skills)
        values (current_tenant(), ${instance_id}, ${json(pin_required_skills)}) on conflict do nothing`,
  );

/** The policy of an instance, the defaults where it has none yet. Throws not found when there is no such instance. */
export async function getPinPolicy(q: Queryable, instance_id: string): Promise<PinPolicyRow> {
  const { pin_applies_to, pin_required_skills, pin_session_ttl_minutes } = DEFAULT_POLICY;
  const [row] = await q.rows(
    sql<PinPolicyRow>`
      select i.id as instance_id, coalesce(p.pin_applies_to, ${pin_applies_to}) as pin_applies_to,
             coalesce(p.pin_required_skills, ${json(pin_required_skills)}) as pin_required_skills,
             coalesce(p.pin_session_ttl_minutes, ${pin_session_ttl_minutes}) as pin_session_ttl_minutes
      from instances i left join pin_policies p on p.instance_id = i.id where i.id = ${instance_id}`,
  );
  if (!row) throw notFound('Instance');
  return row;
}

/** Changes what is given of a policy, or makes one with it. Throws not found when there is no such instance. */
export async function upsertPinPolicy(
  q: Queryable,
  instance_id: string,
  change: PinPolicyChange,
  now: Date,
): Promise<PinPolicyRow> {
  const { pin_applies_to, pin_required_skills, pin_session_ttl_minutes } = change;
  const skills = json(pin_required_skills);
  const [row] = await q.rows(
    sql<PinPolicyRow>`
      insert into pin_policies as p
        (tenant_id, instance_id, pin_applies_to, pin_required_skills, pin_session_ttl_minutes, updated_at)
      select tenant_id, id, coalesce(${pin_applies_to}, ${DEFAULT_POLICY.pin_applies_to}),
             coalesce(${skills}::jsonb, ${json(DEFAULT_POLICY.pin_required_skills)}),
             coalesce(${pin_session_ttl_minutes}::integer, ${DEFAULT_POLICY.pin_session_ttl_minutes}), ${now}
      from instances where id = ${instance_id}
      on conflict (instance_id) do update set
        pin_applies_to = coalesce(${pin_applies_to}, p.pin_applies_to),
        pin_required_skills = coalesce(${skills}::jsonb, p.pin_required_skills),
        pin_session_ttl_minutes = coalesce(${pin_session_ttl_minutes}, p.pin_session_ttl_minutes),
        updated_at = greatest(p.updated_at, ${now})
      returning p.instance_id, p.pin_applies_to, p.pin_required_skills, p.pin_session_ttl_minutes`,
  );
  if (!row) throw notFound('Instance');
  return row;
}
