import { json, NOW, sql } from '../platform/db/sql.ts';
import type { PinAudience } from './pin-policies.contract.ts';

export interface PinPolicyFields {
  pin_applies_to: PinAudience;
  pin_required_skills: string[];
  pin_session_ttl_minutes: number;
  enforced: boolean;
}

export interface PinPolicyRow extends PinPolicyFields {
  instance_id: string;
}

/** The policy of an instance without one, and the value of a cleared field (contract, section 5). */
export const DEFAULT_POLICY: PinPolicyFields = {
  pin_applies_to: 'all',
  pin_required_skills: [],
  pin_session_ttl_minutes: 15,
  enforced: false,
};

/** An absent field stays as it is. */
export type PinPolicyChange = { [Field in keyof PinPolicyFields]?: PinPolicyFields[Field] | undefined };

/** The first policy of an instance. An existing policy stays. */
export const insertPinPolicy = (
  instance_id: string,
  { pin_required_skills, enforced }: Pick<PinPolicyFields, 'pin_required_skills' | 'enforced'>,
) =>
  sql`insert into pin_policies (tenant_id, instance_id, pin_required_skills, enforced)
      values (current_tenant(), ${instance_id}, ${json(pin_required_skills)}, ${enforced}) on conflict do nothing`;

/** The policy of an instance, with defaults where it has none. undefined when there is no such instance */
export const findPinPolicy = (instance_id: string) =>
  sql<PinPolicyRow>`
    select i.id as instance_id, coalesce(p.pin_applies_to, ${DEFAULT_POLICY.pin_applies_to}) as pin_applies_to,
           coalesce(p.pin_required_skills, ${json(DEFAULT_POLICY.pin_required_skills)}) as pin_required_skills,
           coalesce(p.pin_session_ttl_minutes, ${DEFAULT_POLICY.pin_session_ttl_minutes}) as pin_session_ttl_minutes,
           coalesce(p.enforced, ${DEFAULT_POLICY.enforced}) as enforced
    from instances i left join pin_policies p on p.instance_id = i.id where i.id = ${instance_id}`.first();

/** Changes the given fields of a policy, or makes a policy with them. undefined when there is no such instance */
export const upsertPinPolicy = (instance_id: string, change: PinPolicyChange) => {
  const { pin_applies_to, pin_required_skills, pin_session_ttl_minutes, enforced } = change;
  const skills = json(pin_required_skills);
  return sql<PinPolicyRow>`
    insert into pin_policies as p
      (tenant_id, instance_id, pin_applies_to, pin_required_skills, pin_session_ttl_minutes, enforced, updated_at)
    select tenant_id, id, coalesce(${pin_applies_to}, ${DEFAULT_POLICY.pin_applies_to}),
           coalesce(${skills}::jsonb, ${json(DEFAULT_POLICY.pin_required_skills)}),
           coalesce(${pin_session_ttl_minutes}::integer, ${DEFAULT_POLICY.pin_session_ttl_minutes}),
           coalesce(${enforced}::boolean, ${DEFAULT_POLICY.enforced}), ${NOW}
    from instances where id = ${instance_id}
    on conflict (instance_id) do update set
      pin_applies_to = coalesce(${pin_applies_to}, p.pin_applies_to),
      pin_required_skills = coalesce(${skills}::jsonb, p.pin_required_skills),
      pin_session_ttl_minutes = coalesce(${pin_session_ttl_minutes}, p.pin_session_ttl_minutes),
      enforced = coalesce(${enforced}, p.enforced),
      updated_at = greatest(p.updated_at, ${NOW})
    returning p.instance_id, p.pin_applies_to, p.pin_required_skills, p.pin_session_ttl_minutes,
              p.enforced`.first();
};
