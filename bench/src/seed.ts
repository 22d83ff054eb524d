import type pg from 'pg';
import {
  apiKey,
  ID_BASE,
  NO_LIMITS,
  RECIPE,
  RECIPE_ID_PREFIX,
  RECIPES_PER_TENANT,
  sha256,
  TENANT_ID_PREFIX,
  tenantId,
  WRITERS,
  writersAfter,
} from './data.ts';

/** A login that may set the service's role and PostgREST's, which sees the same rows. */
const PEER_ROLES = `
  grant acp_tenant, acp_system to bench_peer;
  create role bench_web nologin noinherit;
  grant bench_web to bench_peer;
  grant usage on schema public to bench_web;
  create function claimed_tenant() returns uuid language sql stable as
    $$ select (current_setting('request.jwt.claims', true)::json->>'tenant_id')::uuid $$;
  -- All tables of tenants: the triggers of recipes read and write some of them.
  do $$
  declare
    name text;
    tenant text;
  begin
    for name, tenant in
      select c.table_name, c.column_name from information_schema.columns c join pg_tables t on t.tablename = c.table_name
      where c.table_schema = 'public' and t.schemaname = 'public' and t.rowsecurity
        and c.column_name = case when c.table_name = 'tenants' then 'id' else 'tenant_id' end
    loop
      execute format('grant select, insert, update, delete on %I to bench_web', name);
      execute format('create policy bench_rows on %I to bench_web using (%I = (select claimed_tenant()))', name, tenant);
    end loop;
  end $$;
  grant usage on all sequences in schema public to bench_web`;

/** The last tenants have no recipes: they are for writing. */
export async function seed(admin: pg.Client, readers: number): Promise<void> {
  await admin.query(PEER_ROLES);
  // Otherwise lists would have more than the tenant's 50.
  await admin.query('update recipes set deleted_at = now() where is_platform_template');
  await insertTenants(admin, 1, readers + WRITERS);
  await insertRecipes(admin, 1, readers, RECIPES_PER_TENANT);
  await settle(admin);
}

/** Nothing is sealed for them, so they have no data key. */
export async function insertTenants(admin: pg.Client, from: number, to: number): Promise<void> {
  await admin.query(
    `insert into tenants (id, name, wrapped_key, limits)
     select ($1 || ($2::bigint + n))::uuid, 'Tenant ' || n, '', $5 from generate_series($3::int, $4::int) n`,
    [TENANT_ID_PREFIX, ID_BASE, from, to, NO_LIMITS],
  );
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  for (let start = 0; start < numbers.length; start += 10_000) {
    await insertKeys(admin, numbers.slice(start, start + 10_000));
  }
}

async function insertKeys(admin: pg.Client, tenants: readonly number[]): Promise<void> {
  await admin.query(
    `insert into api_keys (tenant_id, name, prefix, key_hash, role, scopes, rate_limit_limit, rate_limit_window_seconds)
     select id, 'bench', prefix, key_hash, 'admin', '{*}', 2000000000, 60
     from unnest($1::uuid[], $2::text[], $3::bytea[]) as k (id, prefix, key_hash)`,
    [
      tenants.map(tenantId),
      tenants.map((tenant) => apiKey(tenant).slice(0, 12)),
      tenants.map((tenant) => sha256(apiKey(tenant))),
    ],
  );
}

export async function insertRecipes(admin: pg.Client, from: number, to: number, each: number): Promise<void> {
  const fields = Object.keys(RECIPE).join(', ');
  await admin.query(
    `insert into recipes (id, tenant_id, created_at, updated_at, ${fields})
     select ($1 || ($3::bigint + t * 1000 + k))::uuid, ($2 || ($3::bigint + t))::uuid,
            timestamptz '2026-01-01' + k * interval '1 minute', timestamptz '2026-01-01' + k * interval '1 minute',
            ${fields}
     from generate_series($4::int, $5::int) t, generate_series(0, $6::int - 1) k,
          jsonb_populate_record(null::recipes, $7)`,
    [RECIPE_ID_PREFIX, TENANT_ID_PREFIX, ID_BASE, from, to, each, JSON.stringify(RECIPE)],
  );
}

/**
 * As after a quiet night. A table that was always empty is not vacuumed: with statistics of no rows, its plans would
 * be kept while it fills.
 */
export async function settle(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ tables: string }>(
    `select string_agg(oid::regclass::text, ', ') as tables from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
  );
  await admin.query(`vacuum (analyze) ${rows[0]?.tables}`);
  await admin.query('checkpoint');
}

export async function removeCreated(admin: pg.Client, readers: number): Promise<void> {
  const writers = writersAfter(readers).map(tenantId);
  // One statement has one snapshot: a request in flight may still add a recipe with its revision.
  await admin.query(
    `with revisions as (delete from recipe_revisions where tenant_id = any($1))
     delete from recipes where tenant_id = any($1)`,
    [writers],
  );
  await admin.query('vacuum recipes, recipe_revisions');
  await admin.query('checkpoint');
}
