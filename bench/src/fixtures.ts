import { randomUUID } from 'node:crypto';
import { type Call, jsonCall, sendExpecting } from './call.ts';
import { NO_LIMITS, sha256 } from './data.ts';
import type { Installation } from './service.ts';
import type { World } from './world.ts';

/** Created by the service, because secrets, PINs and deploys need a data key. */
export interface FullTenant {
  id: string;
  headers: Readonly<Record<string, string>>;
  login: { email: string; password: string };
}

export const operationsHeaders = ({ operations_token }: Installation) => ({
  authorization: `Bearer ${operations_token}`,
});

/** Any service on the world's database. */
export type Place = Pick<World, 'admin' | 'installation'> & { base_url: string };

export const placeOf = ({ admin, installation, service }: World): Place => ({
  admin,
  installation,
  base_url: service.base_url,
});

export async function createTenant(
  { admin, installation, base_url }: Place,
  limits: Readonly<Record<string, number>> = NO_LIMITS,
): Promise<FullTenant> {
  const account = { name: 'Full', admin_email: `${randomUUID()}@example.com`, admin_password: randomUUID() };
  const made = await sendExpecting<{ tenant_id: string }>(
    base_url,
    jsonCall('POST', '/internal/v1/tenants', operationsHeaders(installation), account),
    201,
  );
  await admin.query('update tenants set limits = $2 where id = $1', [made.tenant_id, limits]);
  const key = `acp_${randomUUID()}`;
  await admin.query(
    `insert into api_keys (tenant_id, name, prefix, key_hash, role, scopes, rate_limit_limit, rate_limit_window_seconds)
     values ($1, 'bench', 'acp_full', $2, 'admin', '{*}', 2000000000, 60)`,
    [made.tenant_id, sha256(key)],
  );
  const login = { email: account.admin_email, password: account.admin_password };
  return { id: made.tenant_id, headers: { 'x-api-key': key }, login };
}

export const tenantCall = (tenant: FullTenant, method: Call['method'], path: string, body: unknown): Call =>
  jsonCall(method, path, tenant.headers, body);

export async function createPlace({
  base_url,
  installation,
}: Place): Promise<{ tier_id: string; region_id: string }> {
  const headers = operationsHeaders(installation);
  const [tier_id, region_id] = [randomUUID(), randomUUID()];
  await sendExpecting(
    base_url,
    jsonCall('PUT', `/internal/v1/tiers/${tier_id}`, headers, { name: 'Small' }),
    201,
  );
  await sendExpecting(
    base_url,
    jsonCall('PUT', `/internal/v1/regions/${region_id}`, headers, { name: 'Here' }),
    201,
  );
  return { tier_id, region_id };
}

export async function insertInstance(place: Place, tenant: FullTenant, customer_id: string): Promise<string> {
  const { tier_id, region_id } = await createPlace(place);
  const [id, recipe_id] = [randomUUID(), randomUUID()];
  await place.admin.query(`insert into recipes (id, tenant_id, name) values ($1, $2, 'Recipe')`, [
    recipe_id,
    tenant.id,
  ]);
  await place.admin.query(
    `insert into instances (id, tenant_id, customer_id, recipe_id, recipe_revision, template_name, tier_id, region_id,
       hostname, hosting_mode, capacity, status, resolved_config, provenance)
     values ($1, $2, $3, $4, 1, 'Recipe', $5, $6, 'agent', 'dedicated', 1, 'running', '{}', '{}')`,
    [id, tenant.id, customer_id, recipe_id, tier_id, region_id],
  );
  await place.admin.query(
    `insert into deployments (id, tenant_id, instance_id, customer_id, recipe_id, recipe_revision, hostname,
       idempotency_key, plan_hash, task_id, template_name, resolved_config, violations)
     select gen_random_uuid(), tenant_id, id, customer_id, recipe_id, 1, hostname, gen_random_uuid(), '',
       gen_random_uuid(), template_name, '{}', '[]' from instances where id = $1`,
    [id],
  );
  await place.admin.query('insert into pin_policies (tenant_id, instance_id) values ($1, $2)', [
    tenant.id,
    id,
  ]);
  return id;
}

export async function createCustomer({ base_url }: Place, tenant: FullTenant): Promise<string> {
  const call = tenantCall(tenant, 'POST', '/v1/customers', { email: `${randomUUID()}@example.com` });
  return (await sendExpecting<{ id: string }>(base_url, call, 201)).id;
}
