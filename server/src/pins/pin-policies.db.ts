import { json, NOW, sql } from '../platform/db/sql.ts';
import type { PinAudience } from './pin-policies.contract.ts';

export interface PinPolicyFields {
  pin_applies_to: PinAudience;
  pin_required_skills: string[];
  pin_session_ttl_minutes: number;
  enforced: boolean;
  require_sender_token: boolean;
}

export interface PinPolicyRow extends PinPolicyFields {
  instance_id: string;
  hostname: string;
}

/** For an instance without a policy and for cleared fields (contract, section 5). */
export const DEFAULT_POLICY: PinPolicyFields = {
  pin_applies_to: 'all',
  pin_required_skills: [],
  pin_session_ttl_minutes: 15,
  enforced: false,
  require_sender_token: false,
};

/** Absent fields stay. */
export type PinPolicyChange = { [Field in keyof PinPolicyFields]?: PinPolicyFields[Field] | undefined };

/** An existing policy stays. */
export const insertPinPolicy = (
  instance_id: string,
  { pin_required_skills, enforced }: Pick<PinPolicyFields, 'pin_required_skills' | 'enforced'>,
) =>
  sql`insert into pin_policies (tenant_id, instance_id, pin_required_skills, enforced)
      values (current_tenant(), ${instance_id}, ${json(pin_required_skills)}, ${enforced}) on conflict do nothing`;

/** Returns the skills that the policy did not have. */
export const addPinSkills = (instance_id: string, skills: readonly string[]) =>
  sql<{ added: string[] }>`
    with old as (
      select instance_id, pin_required_skills as had from pin_policies where instance_id = ${instance_id} for update
    ), fresh as (
      select coalesce(jsonb_agg(s.skill), '[]') as added from jsonb_array_elements(${json(skills)}) as s (skill)
      where not exists (select from old where old.had @> s.skill)
    )
    update pin_policies p set pin_required_skills = old.had || fresh.added, updated_at = greatest(p.updated_at, ${NOW})
    from old, fresh where p.instance_id = old.instance_id
    returning fresh.added`
    .first()
    .map((row) => row?.added ?? []);

export const removePinSkills = (instance_id: string, skills: readonly string[]) =>
  sql`update pin_policies set updated_at = greatest(updated_at, ${NOW}), pin_required_skills = (
        select coalesce(jsonb_agg(s.skill), '[]') from jsonb_array_elements(pin_required_skills) as s (skill)
        where not ${json(skills)}::jsonb @> s.skill)
      where instance_id = ${instance_id}`;

/** With defaults; undefined for an unknown instance. */
export const findPinPolicy = (instance_id: string) =>
  sql<PinPolicyRow>`
    select i.id as instance_id, i.hostname, coalesce(p.pin_applies_to, ${DEFAULT_POLICY.pin_applies_to}) as pin_applies_to,
           coalesce(p.pin_required_skills, ${json(DEFAULT_POLICY.pin_required_skills)}) as pin_required_skills,
           coalesce(p.pin_session_ttl_minutes, ${DEFAULT_POLICY.pin_session_ttl_minutes}) as pin_session_ttl_minutes,
           coalesce(p.enforced, ${DEFAULT_POLICY.enforced}) as enforced,
           coalesce(p.require_sender_token, ${DEFAULT_POLICY.require_sender_token}) as require_sender_token
    from instances i left join pin_policies p on p.instance_id = i.id where i.id = ${instance_id}`.first();

/** undefined for an unknown instance. */
export const upsertPinPolicy = (instance_id: string, change: PinPolicyChange) => {
  const { pin_applies_to, pin_required_skills, pin_session_ttl_minutes, enforced, require_sender_token } =
    change;
  const skills = json(pin_required_skills);
  return sql<PinPolicyRow>`
    insert into pin_policies as p
      (tenant_id, instance_id, pin_applies_to, pin_required_skills, pin_session_ttl_minutes, enforced,
       require_sender_token, updated_at)
    select tenant_id, id, coalesce(${pin_applies_to}, ${DEFAULT_POLICY.pin_applies_to}),
           coalesce(${skills}::jsonb, ${json(DEFAULT_POLICY.pin_required_skills)}),
           coalesce(${pin_session_ttl_minutes}::integer, ${DEFAULT_POLICY.pin_session_ttl_minutes}),
           coalesce(${enforced}::boolean, ${DEFAULT_POLICY.enforced}),
           coalesce(${require_sender_token}::boolean, ${DEFAULT_POLICY.require_sender_token}), ${NOW}
    from instances where id = ${instance_id}
    on conflict (instance_id) do update set
      pin_applies_to = coalesce(${pin_applies_to}, p.pin_applies_to),
      pin_required_skills = coalesce(${skills}::jsonb, p.pin_required_skills),
      pin_session_ttl_minutes = coalesce(${pin_session_ttl_minutes}, p.pin_session_ttl_minutes),
      enforced = coalesce(${enforced}, p.enforced),
      require_sender_token = coalesce(${require_sender_token}, p.require_sender_token),
      updated_at = greatest(p.updated_at, ${NOW})
    returning p.instance_id, p.pin_applies_to, p.pin_required_skills, p.pin_session_ttl_minutes,
              p.enforced, p.require_sender_token,
              (select hostname from instances where id = p.instance_id) as hostname`.first();
};
