import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { messageSecretContext } from '../../src/runtimes/agent-secrets.ts';
import type { TestService } from './service.ts';

export interface TestInstance {
  id: string;
  /** Its first customer. */
  customer_id: string;
  hosting_mode: 'dedicated' | 'shared';
  region_id: string;
  runtime_address: string;
  vpn_ip: string;
}

interface Options {
  customer_id?: string;
  hosting_mode?: 'dedicated' | 'shared';
  status?: string;
}

/** Only rows: nothing was deployed. */
export async function insertInstance(
  { database, service }: TestService,
  tenant_id: string,
  { customer_id = randomUUID(), hosting_mode = 'dedicated', status = 'running' }: Options = {},
): Promise<TestInstance> {
  const { db, keyring } = service.services;
  const [id, region_id] = [randomUUID(), randomUUID()];
  const runtime_address = `http://runtime.invalid/${id}`;
  const sealed = await keyring.seal(db.tenant(tenant_id), 'message-secret', messageSecretContext(id));
  const [row] = await database.query<{ vpn_ip: string }>(
    `with tier as (insert into tiers (id, name) values (gen_random_uuid(), 'Tier') returning id),
          region as (insert into regions (id, name) values ($1, 'Region') returning id),
          customer as (insert into customers (id, tenant_id) values ($7, $2) on conflict do nothing),
          recipe as (insert into recipes (tenant_id, name) values ($2, 'Recipe') returning id)
     insert into instances (id, tenant_id, customer_id, recipe_id, recipe_revision, template_name, tier_id, region_id,
       hostname, hosting_mode, capacity, status, resolved_config, provenance, sealed_message_secret, tunnel_address)
     select $3, $2, $7, recipe.id, 1, 'Recipe', tier.id, region.id, 'agent', $4, 50, $5, '{}', '{}', $6,
       '10.64.0.0'::inet + nextval('tunnel_address_numbers')
     from tier, region, recipe returning host(tunnel_address) as vpn_ip`,
    [region_id, tenant_id, id, hosting_mode, status, sealed, customer_id],
  );
  await database.query('update runtimes set address = $2 where instance_id = $1', [id, runtime_address]);
  const { vpn_ip } = row ?? expect.unreachable();
  await placeCustomer({ database }, id, customer_id);
  return { id, customer_id, hosting_mode, region_id, runtime_address, vpn_ip };
}

export async function placeCustomer(
  { database }: Pick<TestService, 'database'>,
  instance_id: string,
  customer_id: string = randomUUID(),
): Promise<string> {
  await database.query(
    `insert into customers (id, tenant_id) select $2, tenant_id from instances where id = $1 on conflict do nothing`,
    [instance_id, customer_id],
  );
  await database.query(
    `insert into deployments (id, tenant_id, instance_id, customer_id, recipe_id, recipe_revision, hostname,
       idempotency_key, plan_hash, task_id, template_name, resolved_config, violations)
     select gen_random_uuid(), tenant_id, id, $2, recipe_id, 1, hostname, gen_random_uuid(), '', gen_random_uuid(),
       template_name, '{}', '[]' from instances where id = $1`,
    [instance_id, customer_id],
  );
  return customer_id;
}

export const setInstanceStatus = ({ database }: TestService, id: string, status: string) =>
  database.query('update instances set status = $2 where id = $1', [id, status]);
