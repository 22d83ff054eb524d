import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Rows of one text column, as one list. */
const list = async (text: string) => (await database.query<{ item: string }>(text)).map(({ item }) => item);

const ROLES = ['acp_service', 'acp_tenant', 'acp_system'];
const ours = `c.relnamespace = 'public'::regnamespace`;
const isTable = `c.relkind in ('r', 'p')`;
const ofTenants = `(c.relname in ('tenants', 'users') or exists (
  select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))`;

describe('every table of tenants', () => {
  it('has row-level security, for its owner too', async () => {
    const open = await list(
      `select c.relname as item from pg_class c
       where ${ours} and ${isTable} and ${ofTenants} and not (c.relrowsecurity and c.relforcerowsecurity)`,
    );
    expect(open, 'The migration has to: call enable_tenant_rls(…)').toEqual([]);
  });

  it('has the guard that no later policy can widen', async () => {
    const unguarded = await list(
      `select c.relname as item from pg_class c
       where ${ours} and ${isTable} and ${ofTenants} and c.relname not in ('tenants', 'users') and not exists (
         select from pg_policy p
         where p.polrelid = c.oid and p.polname = 'tenant_guard' and not p.polpermissive and p.polcmd = '*'
           and p.polroles = array['acp_tenant'::regrole::oid]
           and pg_get_expr(p.polwithcheck, c.oid) = '(tenant_id = current_tenant())')`,
    );
    expect(unguarded, 'The migration has to: call enable_tenant_rls(…)').toEqual([]);
  });

  it('shows rows of others only where a platform template is meant', async () => {
    const widened = await list(
      `select c.relname as item from pg_class c join pg_policy p on p.polrelid = c.oid
       where ${ours} and p.polname = 'tenant_guard'
         and pg_get_expr(p.polqual, c.oid) <> '(tenant_id = current_tenant())' order by 1`,
    );
    expect(widened).toEqual(['recipe_revisions', 'recipes']);
  });

  it('is closed to everybody but the two roles', async () => {
    const others = await list(
      `select c.relname || ': ' || p.polname as item from pg_class c join pg_policy p on p.polrelid = c.oid
       where ${ours} and not p.polroles <@ array['acp_tenant'::regrole::oid, 'acp_system'::regrole::oid]`,
    );
    expect(others).toEqual([]);
  });
});

it('keeps tables without a tenant from being written by one', async () => {
  const writable = await list(
    `select c.relname as item from pg_class c
     where ${ours} and ${isTable} and (not ${ofTenants} or c.relname in ('tenants', 'users'))
       and has_table_privilege('acp_tenant', c.oid, 'insert, update, delete, truncate')`,
  );
  expect(writable).toEqual([]);
});

it('never shows a tenant a password, a session secret or another tenant’s key', async () => {
  const readable = await list(
    `select c.relname || '.' || a.attname as item from pg_class c join pg_attribute a on a.attrelid = c.oid
     where ${ours} and ${isTable} and a.attnum > 0 and not a.attisdropped
       and (c.relname, a.attname) in (('users', 'password_hash'), ('service_keys', 'wrapped_key'))
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

  it('are no more than roles', async () => {
    const rows = await database.query(
      `select rolname from pg_roles where rolname = any ($1)
       and (rolsuper or rolbypassrls or rolcanlogin or rolinherit or rolcreaterole or rolcreatedb or rolreplication)`,
      [[...ROLES, 'acp_jobs']],
    );
    expect(rows).toEqual([]);
  });

  it('cannot become one another', async () => {
    const members = await list(
      `select m.member::regrole || ' → ' || m.roleid::regrole as item from pg_auth_members m
       where m.member::regrole::text = any ('{${ROLES.join()},acp_jobs}')`,
    );
    expect(members).toEqual([]);
  });

  it('begin with none: acp_service may do nothing', async () => {
    const granted = await list(
      `select c.relname as item from pg_class c
       where c.relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and c.relkind in ('r', 'p', 'v', 'm', 'S')
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
     where c.relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and acl.grantee = 0
     union all
     select c.relname || '.' || a.attname || ': ' || acl.privilege_type
     from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) acl
     where c.relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and acl.grantee = 0`,
  );
  expect(granted).toEqual([]);
});

it('has no function or view that works with its owner’s rights', async () => {
  const raised = await list(
    `select p.proname as item from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef
     union all
     select c.relname from pg_class c where ${ours} and c.relkind in ('v', 'm')
       and not coalesce(c.reloptions @> array['security_invoker=true'], false)`,
  );
  expect(raised).toEqual([]);
});
