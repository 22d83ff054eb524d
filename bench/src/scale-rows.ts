import type pg from 'pg';
import { insertRecipes, insertTenants, settle } from './seed.ts';

const INSTANCES_EACH = 100;
const CONVERSATIONS_EACH = 2;
const MESSAGES_EACH = 4;
const EVENTS_EACH = 5;

interface Where {
  tier_id: string;
  region_id: string;
}

/** Adds instances that run, with all that a quiet one has, until there are as many. 100 for each tenant. */
export async function fillScale(admin: pg.Client, where: Where, size: number): Promise<void> {
  const { rows } = await admin.query<{ tenants: number }>(
    'select count(*)::int as tenants from tenants where not is_platform',
  );
  const [from, to] = [(rows[0]?.tenants ?? 0) + 1, size / INSTANCES_EACH];
  await insertTenants(admin, from, to);
  // Without triggers and the checks of references.
  await admin.query('set session_replication_role = replica');
  await insertRecipes(admin, from, to, 1);
  await admin.query(
    `create temporary table fresh as
     select gen_random_uuid() as id, gen_random_uuid() as customer_id, gen_random_uuid() as task_id, r.id as recipe_id,
            r.tenant_id
     from recipes r, generate_series(1, $1::int)
     where r.deleted_at is null and not r.is_platform_template
       and not exists (select from instances i where i.tenant_id = r.tenant_id)`,
    [INSTANCES_EACH],
  );
  await admin.query('insert into customers (id, tenant_id) select customer_id, tenant_id from fresh');
  await admin.query(
    `insert into instances (id, tenant_id, customer_id, recipe_id, recipe_revision, template_name, tier_id, region_id,
       hostname, hosting_mode, capacity, status, resolved_config, provenance)
     select id, tenant_id, customer_id, recipe_id, 1, 'Recipe', $1, $2, 'agent-' || id, 'dedicated', 1, 'running', '{}', '{}'
     from fresh`,
    [where.tier_id, where.region_id],
  );
  for (const statement of OF_INSTANCES) await admin.query(statement);
  await admin.query('drop table fresh');
  await admin.query('set session_replication_role = origin');
  await settle(admin);
}

const OF_INSTANCES = [
  `insert into runtimes (instance_id, tenant_id, host_id, wanted, generation, cpu_millis, memory_mib, spec_hash, address,
     phase, up_at)
   select f.id, tenant_id, c.host_id, true, 1, 500, 256, repeat('a', 64), 'https://10.0.0.1:8700#' || f.id, 'up', now()
   from fresh f, clusters c where c.id = 'default'`,
  `insert into deployments (id, tenant_id, instance_id, customer_id, recipe_id, recipe_revision, hostname, idempotency_key,
     plan_hash, task_id, template_name, resolved_config, violations)
   select gen_random_uuid(), tenant_id, id, customer_id, recipe_id, 1, 'agent-' || id, id, '', task_id, 'Recipe', '{}', '[]'
   from fresh`,
  `insert into tasks (id, tenant_id, instance_id, kind, status, progress, finished_at)
   select task_id, tenant_id, id, 'provision', 'succeeded', 100, now() from fresh`,
  `insert into certificates (serial, tenant_id, instance_id, issuer_id, cert_pem, public_key_sha256, spiffe_id, not_before,
     not_after, issued_at)
   select '4' || substr(md5(f.id::text), 2), tenant_id, f.id, k.id, repeat('x', 1000), sha256(f.id::text::bytea),
     'spiffe://agent-control-plane.internal/instance/' || f.id, now(), now() + interval '20 hours', now()
   from fresh f, (select id from ca_keys where kind = 'issuing' limit 1) k`,
  `insert into connections (tenant_id, customer_id, provider, sealed_credentials)
   select tenant_id, customer_id, 'chatapp', decode(repeat('ab', 100), 'hex') from fresh`,
  `insert into instance_events (tenant_id, instance_id, "to", message)
   select tenant_id, id, 'running', 'As ever' from fresh, generate_series(1, ${EVENTS_EACH})`,
  `insert into conversations (tenant_id, instance_id, customer_id, channel, external_id, last_message_at, answered_number)
   select tenant_id, id, customer_id, 'chatapp', '4916' || n, now() - interval '1 hour', 1000000000000
   from fresh, generate_series(1, ${CONVERSATIONS_EACH}) n`,
  `insert into channel_messages (tenant_id, conversation_id, instance_id, channel, external_id, direction, author, status,
     sealed_content, received_at, give_up_at, finished_at, erase_at)
   select c.tenant_id, c.id, c.instance_id, c.channel, c.external_id, case when n % 2 = 1 then 'in' else 'out' end,
     case when n % 2 = 1 then 'sender' else 'agent' end, case when n % 2 = 1 then 'handled' else 'delivered' end,
     decode(repeat('ab', 160), 'hex'), c.last_message_at, now(), now(), now() + interval '30 days'
   from fresh f join conversations c on c.instance_id = f.id, generate_series(1, ${MESSAGES_EACH}) n`,
  // A tenth of them writes first at some time.
  `insert into jobs (kind, key, tenant_id, lane, run_at, due_at)
   select 'fire_triggers', gen_random_uuid()::text, tenant_id, id::text, now() + interval '1 day', now() + interval '1 day'
   from fresh where random() < 0.1`,
];
