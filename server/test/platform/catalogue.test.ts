import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const list = async (text: string) => (await database.query<{ item: string }>(text)).map(({ item }) => item);

const ROLES = ['acp_service', 'acp_tenant', 'acp_system'];
const ours = `c.relnamespace = 'public'::regnamespace`;
const isTable = `c.relkind in ('r', 'p')`;
const ofTenants = `(c.relname in ('tenants', 'users') or exists (
  select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))`;

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
/** A revision of a platform template. */
const ofTemplate =
  '(EXISTS ( SELECT FROM recipes r WHERE ((r.id = recipe_revisions.recipe_id) AND r.is_platform_template)))';

it('reads every view with the rights of its user', async () => {
  const others = await list(
    `select c.relname as item from pg_class c
     where ${ours} and c.relkind in ('v', 'm') and not coalesce('security_invoker=true' = any (c.reloptions), false)`,
  );
  expect(others, 'Say: create or replace view … with (security_invoker = true)').toEqual([]);
});

describe('every table of tenants', () => {
  it('has row-level security, also for its owner', async () => {
    const open = await list(
      `select c.relname as item from pg_class c
       where ${ours} and ${isTable} and ${ofTenants} and not (c.relrowsecurity and c.relforcerowsecurity)`,
    );
    expect(open, 'The migration has to: call enable_tenant_rls(…)').toEqual([]);
  });

  it('shows and accepts only a tenant’s own rows, except platform templates', async () => {
    const rows = await database.query<{ name: string; policies: string[] }>(
      `select c.relname as name, array_agg(
         concat_ws(' ', p.polname, p.polcmd, case when not p.polpermissive then 'restrictive' end,
                   p.polroles::regrole[]::text, pg_get_expr(p.polqual, c.oid),
                   'check ' || pg_get_expr(p.polwithcheck, c.oid)) order by p.polname) as policies
       from pg_class c left join pg_policy p on p.polrelid = c.oid where ${ours} and ${isTable} and ${ofTenants}
       group by c.relname`,
    );
    const own = '(tenant_id = current_tenant())';
    const everyRow = 'system_rows * {acp_system} true check true';
    const usual = [
      everyRow,
      `tenant_guard * restrictive {acp_tenant} ${own} check ${own}`,
      `tenant_rows * {acp_tenant} ${own} check ${own}`,
    ];
    const unusual = rows.filter(({ policies }) => policies.join() !== usual.join());
    expect(
      Object.fromEntries(unusual.map(({ name, policies }) => [name, policies.map(oneLine)])),
      'The migration has to: call enable_tenant_rls(…)',
    ).toEqual({
      recipes: [
        'platform_templates r {acp_tenant} is_platform_template',
        everyRow,
        `tenant_guard * restrictive {acp_tenant} (${own} OR is_platform_template) check ${own}`,
        usual[2],
      ],
      recipe_revisions: [
        `platform_templates r {acp_tenant} ${ofTemplate}`,
        everyRow,
        `tenant_guard * restrictive {acp_tenant} (${own} OR ${ofTemplate}) check ${own}`,
        usual[2],
      ],
      tenants: ['own_tenant * {acp_tenant} (id = current_tenant())', everyRow],
      users: [
        `members r {acp_tenant} (EXISTS ( SELECT FROM memberships m WHERE ((m.user_id = users.id) AND (m.tenant_id = current_tenant()))))`,
        everyRow,
      ],
    });
  });

  it('is accessible only to the two roles', async () => {
    const others = await list(
      `select c.relname || ': ' || p.polname as item from pg_class c join pg_policy p on p.polrelid = c.oid
       where ${ours} and not p.polroles <@ array['acp_tenant'::regrole::oid, 'acp_system'::regrole::oid]`,
    );
    expect(others).toEqual([]);
  });
});

it('lets no tenant write tables without tenants', async () => {
  const writable = await list(
    `select c.relname as item from pg_class c
     where ${ours} and ${isTable} and (not ${ofTenants} or c.relname in ('tenants', 'users'))
       and (has_table_privilege('acp_tenant', c.oid, 'insert, update, delete, truncate')
            or has_any_column_privilege('acp_tenant', c.oid, 'insert, update'))`,
  );
  expect(writable).toEqual([]);
});

it('lets acp_system change only what was granted by name', async () => {
  const granted = await list(
    `select name || ': ' || string_agg(what, ', ' order by what) as item from (
       select c.relname as name, lower(acl.privilege_type) as what, acl.grantee
       from pg_class c, aclexplode(c.relacl) acl where ${ours} and ${isTable}
       union all
       select c.relname, lower(acl.privilege_type) || ' ' || a.attname, acl.grantee
       from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) acl where ${ours}
     ) as granted
     where grantee = 'acp_system'::regrole and what !~ '^select' group by name order by name`,
  );
  expect(granted).toEqual([
    'api_keys: insert, update last_used_at',
    'approvals: delete, update',
    'audit_changes: delete, insert, update hash, update place',
    'ca_keys: insert, update retired_at, update sealed_private_key',
    'certificates: update first_used_at',
    'chain_heads: insert, update sealed',
    'channel_endpoints: update business_account_ids, update last_received_at, update token_verified_at, update verified_at',
    'channel_messages: delete, insert, update',
    'cluster_drains: delete, insert, update',
    'clusters: delete, insert, update',
    'conversation_addresses: delete, insert, update',
    'conversations: delete, insert, update',
    'event_deliveries: insert, update last_error, update status',
    'events: delete, insert',
    'fleet_restarts: delete, insert, update after, update is_whole',
    'identities: update',
    'identity_addresses: delete, update',
    'instance_events: delete, insert',
    'instance_logs: delete',
    'instances: update',
    'invitations: insert, update accepted_at',
    'jobs: delete, insert, update',
    'kept_calls: delete, update',
    'llm_calls: delete, insert, update',
    'llm_days: delete, insert, update',
    'llm_providers: delete, insert, update',
    'llm_spending: delete, insert, update',
    'login_networks: delete, insert, update',
    'manifests: insert, update',
    'master_keys: delete, insert, update taken_at',
    'memberships: insert, update last_signed_in_at',
    'models: insert, update',
    'password_resets: insert, update used_at',
    'pin_sessions: delete',
    'primitives: insert',
    'recipe_revisions: insert',
    'recipes: insert',
    'regions: insert, update',
    'rollouts: delete',
    'runtime_hosts: delete, insert, update',
    'runtimes: update',
    'service_clock: update',
    'service_keys: insert, update wrapped_key',
    'sessions: delete, insert, update',
    'sign_in_links: delete, insert, update used_at',
    'staff_bindings: update',
    'stored_bytes: insert, update',
    'stored_changes: delete, insert',
    'tasks: insert, update error, update finished_at, update status, update turn, update updated_at',
    'tenant_counts: insert, update',
    'tenants: insert, update',
    'tiers: insert, update',
    'told_events: delete',
    'tool_calls: delete, insert',
    'uploads: delete, update message_id',
    'users: insert, update',
  ]);
});

// Row-level security does not cover these.
it('grants no role truncate, references or trigger', async () => {
  const granted = await list(
    `select c.relname || ': ' || acl.privilege_type || ' to ' || acl.grantee::regrole as item
     from pg_class c, aclexplode(c.relacl) acl
     where ${ours} and ${isTable} and acl.grantee <> c.relowner
       and acl.privilege_type in ('TRUNCATE', 'REFERENCES', 'TRIGGER')`,
  );
  expect(granted).toEqual([]);
});

// PostgreSQL checks references without row-level security, so the key must contain the tenant.
it('lets no reference cross tenants, except where a statement has found the row as the tenant’s own', async () => {
  const crossing = await list(
    `select f.conrelid::regclass || ' → ' || f.confrelid::regclass as item from pg_constraint f
     where f.contype = 'f' and f.connamespace = 'public'::regnamespace
       and exists (select from pg_attribute a where a.attrelid = f.confrelid and a.attname = 'tenant_id')
       and not exists (select from unnest(f.conkey, f.confkey) as k (here, there)
                       join pg_attribute h on h.attrelid = f.conrelid and h.attnum = here
                       join pg_attribute t on t.attrelid = f.confrelid and t.attnum = there
                       where h.attname = 'tenant_id' and t.attname = 'tenant_id')
     order by 1`,
  );
  expect(crossing, 'foreign key (tenant_id, …) references … (tenant_id, id)').toEqual([
    'approvals → conversations',
    'certificates → certificates',
    'channel_messages → channel_endpoints',
    'channel_messages → conversations',
    'conversation_addresses → conversations',
    'conversations → channel_endpoints',
    'conversations → identities',
    'deployment_upgrades → deployments',
    'deployment_upgrades → upgrades',
    'deployments → recipes',
    'enrollment_tokens → certificates',
    'event_deliveries → event_endpoints',
    'event_deliveries → events',
    'events → conversations',
    'identity_addresses → identities',
    'instance_grants → connections',
    'instances → recipes',
    'kept_calls → channel_messages',
    'llm_calls → conversations',
    'number_pauses → channel_endpoints',
    'pin_sessions → pins',
    'rollouts → recipes',
    'sender_repeats → conversations',
    'task_steps → tasks',
    'timesheets → shifts',
    'told_events → conversations',
    'trigger_runs → deployments',
    'upgrades → tasks',
    'uploads → channel_messages',
    'uploads → conversations',
    'wake_waits → conversations',
  ]);
});

it('never shows a tenant a password, a session secret or another tenant’s key', async () => {
  const readable = await list(
    `select c.relname || '.' || a.attname as item from pg_class c join pg_attribute a on a.attrelid = c.oid
     where ${ours} and ${isTable} and a.attnum > 0 and not a.attisdropped
       and (c.relname, a.attname) in (
         ('users', 'password_hash'), ('service_keys', 'wrapped_key'), ('clusters', 'sealed_credentials'))
       and has_column_privilege('acp_tenant', c.oid, a.attnum, 'select')`,
  );
  expect(readable).toEqual([]);
});

describe('the roles', () => {
  it('own nothing', async () => {
    const owned = await list(
      `select r.rolname || ' owns ' || pg_describe_object(d.classid, d.objid, d.objsubid) as item
       from pg_shdepend d join pg_roles r on r.oid = d.refobjid and d.refclassid = 'pg_authid'::regclass
       where d.deptype = 'o' and d.dbid = (select oid from pg_database where datname = current_database())
         and r.rolname = any ('{${ROLES.join()}}')`,
    );
    expect(owned).toEqual([]);
  });

  it('have no attributes', async () => {
    const rows = await database.query(
      `select rolname from pg_roles where rolname = any ($1)
       and (rolsuper or rolbypassrls or rolcanlogin or rolinherit or rolcreaterole or rolcreatedb or rolreplication)`,
      [ROLES],
    );
    expect(rows).toEqual([]);
  });

  it('cannot become one another', async () => {
    const members = await list(
      `select m.member::regrole || ' → ' || m.roleid::regrole as item from pg_auth_members m
       where m.member::regrole::text = any ('{${ROLES.join()}}')`,
    );
    expect(members).toEqual([]);
  });

  it('start without rights: acp_service may do nothing', async () => {
    const granted = await list(
      `select c.relname as item from pg_class c
       where ${ours} and c.relkind in ('r', 'p', 'v', 'm', 'S')
         and (c.relkind <> 'S' and (has_table_privilege('acp_service', c.oid, 'select, insert, update, delete, truncate')
                or has_any_column_privilege('acp_service', c.oid, 'select, insert, update'))
           or c.relkind = 'S' and has_sequence_privilege('acp_service', c.oid, 'usage, select, update'))`,
    );
    expect(granted).toEqual([]);
  });
});

it('grants nothing on a table or a sequence to PUBLIC', async () => {
  const granted = await list(
    `select c.relname || ': ' || acl.privilege_type as item from pg_class c, aclexplode(c.relacl) acl
     where ${ours} and acl.grantee = 0
     union all
     select c.relname || '.' || a.attname || ': ' || acl.privilege_type
     from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) acl
     where ${ours} and acl.grantee = 0`,
  );
  expect(granted).toEqual([]);
});

it('has no function or view with its owner’s rights', async () => {
  const raised = await list(
    `select p.proname as item from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef
     union all
     select c.relname from pg_class c where ${ours} and c.relkind in ('v', 'm')
       and not coalesce(c.reloptions @> array['security_invoker=true'], false)`,
  );
  expect(raised).toEqual([]);
});
