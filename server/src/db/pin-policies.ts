import type { Queryable } from './database.ts';
import { json, sql } from './sql.ts';

/** The policy that an instance starts with; one that is there already stays. */
export const insertPinPolicy = (q: Queryable, instance_id: string, pin_required_skills: readonly string[]) =>
  q.rows(
    sql`insert into pin_policies (tenant_id, instance_id, pin_required_skills)
        values (current_tenant(), ${instance_id}, ${json(pin_required_skills)}) on conflict do nothing`,
  );
