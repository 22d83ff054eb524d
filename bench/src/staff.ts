import type pg from 'pg';

const CHANCES = `
  create or replace function pg_temp.by_chance(n integer, salt text, share float8) returns boolean
    language sql immutable as $$ select hashtext(salt || n) & 65535 < share * 65536 $$`;

/**
 * Skills: `half`, `third`, `tenth` and `other tenth`; 120 persons have `few` of any count. Three in ten have a
 * certification `card`, three in ten an induction at `site`. A fifth is of each tier, six in seven are active.
 */
export async function insertStaff(
  admin: pg.Client,
  where: { tenant_id: string; customer_id: string },
  count: number,
): Promise<void> {
  await admin.query(CHANCES);
  await admin.query(
    `insert into staff (tenant_id, customer_id, name, role, tier, status, skills, certifications, inductions)
     select $1, $2, 'Person ' || md5(n || 'name'), 'employee', 1 + n % 5, case n % 7 when 0 then 'inactive' else 'active' end,
            to_jsonb(array_remove(array[
              case when pg_temp.by_chance(n, 'half', 1.0 / 2) then 'half' end,
              case when pg_temp.by_chance(n, 'third', 1.0 / 3) then 'third' end,
              case when pg_temp.by_chance(n, 'tenth', 1.0 / 10) then 'tenth' end,
              case when pg_temp.by_chance(n, 'other', 1.0 / 10) then 'other tenth' end,
              case when n % greatest($3::int / 120, 1) = 0 and n <= $3::int / 120 * 120 then 'few' end,
              'skill ' || (hashtext('any' || n) & 255)], null)),
            case when pg_temp.by_chance(n, 'card', 0.3)
                 then jsonb_build_array(jsonb_build_object('type', 'card', 'expires_at',
                        (current_date + (hashtext('end' || n) & 1023) - 512)::text))
                 else '[]' end,
            case when pg_temp.by_chance(n, 'site', 0.3) then '["site"]'::jsonb else '[]' end
     from generate_series(1, $3::int) n`,
    [where.tenant_id, where.customer_id, count],
  );
}
