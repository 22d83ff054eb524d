import { randomUUID } from 'node:crypto';
import type { TestDatabase } from './database.ts';

/** An instance as it stands in the database after a deploy, for tests that are not about deploying. */
export async function placeInstance(
  database: TestDatabase,
  instance: { tenant_id: string; customer_id: string; status: string; hosting_mode?: 'dedicated' | 'shared' },
): Promise<string> {
  const { tenant_id, customer_id, status, hosting_mode = 'dedicated' } = instance;
  const [id, tier_id] = [randomUUID(), randomUUID()];
  await database.query(`insert into tiers (id, name) values ($1, 'small')`, [tier_id]);
  await database.query(`insert into regions (id, name) values ('eu', 'Europe') on conflict do nothing`);
  await database.query(
    `with recipe as (insert into recipes (tenant_id, name) values ($2, 'Recipe') returning id)
     insert into instances (id, tenant_id, customer_id, recipe_id, recipe_revision, template_name, tier_id, region_id,
                            hostname, hosting_mode, capacity, status, resolved_config, provenance)
     select $1, $2, $3, recipe.id, 1, 'Recipe', $4, 'eu', 'agent', $5, 50, $6, '{}', '{}' from recipe`,
    [id, tenant_id, customer_id, tier_id, hosting_mode, status],
  );
  await placeCustomer(database, id, customer_id);
  return id;
}

/** One more customer's (or deployment's) place on an instance. */
export async function placeCustomer(
  database: TestDatabase,
  instance_id: string,
  customer_id: string,
  released_at: Date | null = null,
): Promise<void> {
  await database.query(
    `insert into deployments (id, tenant_id, instance_id, customer_id, recipe_id, recipe_revision, hostname,
                              idempotency_key, plan_hash, task_id, template_name, resolved_config, violations, released_at)
     select $1::uuid, tenant_id, id, $2, recipe_id, recipe_revision, hostname, $1::uuid::text, '', $1::uuid, template_name, '{}', '[]', $3
     from instances where id = $4`,
    [randomUUID(), customer_id, released_at, instance_id],
  );
}
