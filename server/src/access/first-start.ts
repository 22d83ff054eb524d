import { randomUUID } from 'node:crypto';
import { putRegion } from '../catalogue/regions.db.ts';
import { putTier } from '../catalogue/tiers.db.ts';
import { type Database } from '../platform/db/database.ts';
import { systemScope, tenantScope } from '../platform/db/queryable.ts';
import { apiKeyOf, mintApiKey, mintSecret } from '../secrets/secret-formats.ts';
import type { Services } from '../services.ts';
import { insertApiKey } from './api-keys.db.ts';
import { DEFAULT_RATE_LIMIT } from './api-keys.ts';
import { countTenants } from './tenants.db.ts';
import { insertNewTenant } from './tenants.ts';

/** What a new embedded installation is used with: DATA_DIR/credentials.json (contract, section 2). */
export interface Credentials {
  base_url: string;
  mtls_url: string | null;
  operations_token: string;
  tenant_id: string | null;
  admin: { email: string; password: string } | null;
  api_key: string | null;
}

const ADMIN_EMAIL = 'admin@example.com';
const DEMO_TIER = 'b3f0c9d4-6c1e-4a7e-9a51-0d2f4c8e7a10';
const DEMO_REGION = 'local';

export const newOperationsToken = mintSecret;

/** Made and kept before they are used, so that a start that is killed in between loses nothing. */
export function newCredentials(operations_token: string): Credentials {
  return {
    base_url: '',
    mtls_url: null,
    operations_token,
    tenant_id: randomUUID(),
    admin: { email: ADMIN_EMAIL, password: mintSecret().slice(0, 20) },
    api_key: mintApiKey().key,
  };
}

export const isEmpty = async (db: Database) => (await countTenants(db.system)) === 0;

/** The demo tenant with its admin, a key of role admin and scope *, one tier and one region. */
export async function seed(services: Services, credentials: Credentials): Promise<void> {
  const { tenant_id, admin, api_key } = credentials;
  if (!tenant_id || !admin || !api_key) return;
  const password_hash = await services.hasher.hash(admin.password, { tenant_id });
  const wrapped_key = services.keyring.newTenantKey(tenant_id);
  const { prefix, key_hash } = apiKeyOf(api_key);
  const now = services.clock();
  const tier = { name: 'Small', description: 'One small process', cpu_millis: 250, memory_mib: 256 };
  await services.db.transaction(systemScope, async (tx) => {
    await insertNewTenant(tx, {
      id: tenant_id,
      name: 'Demo',
      wrapped_key,
      admin_email: admin.email,
      password_hash,
    });
    await putTier(tx, DEMO_TIER, tier, now);
    await putRegion(tx, DEMO_REGION, { name: 'This machine' }, now);
    tx.enter(tenantScope(tenant_id));
    await insertApiKey(tx, tenant_id, {
      prefix,
      key_hash,
      name: 'First key',
      role: 'admin',
      scopes: ['*'],
      rate_limit: DEFAULT_RATE_LIMIT,
      expires_at: null,
    });
  });
}
