import { randomUUID } from 'node:crypto';
import { putRegion } from '../catalogue/regions.db.ts';
import { putTier } from '../catalogue/tiers.db.ts';
import { type SystemDb, tenantScope } from '../platform/db/queryable.ts';
import { mintApiKey, mintSecret, toMintedKey } from '../secrets/secret-formats.ts';
import { findAccounts } from './accounts.db.ts';
import { insertApiKey } from './api-keys.db.ts';
import { createLink } from './sign-in-links.ts';
import { tenantsExist } from './tenants.db.ts';
import { insertNewTenant, type TenantServices } from './tenants.ts';

/** The first credentials of a new embedded installation: DATA_DIR/credentials.json (contract, section 2). */
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

/** Stored before first use, so an interrupted start loses none. */
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

export const isEmpty = async ({ system }: { system: SystemDb }) => !(await system.run(tenantsExist()));

/** Inserts the demo tenant with its admin, an admin key with scope *, a tier and a region. */
export async function seed(
  { db, keyring, hasher }: TenantServices,
  { tenant_id, admin, api_key }: Credentials,
): Promise<void> {
  if (!tenant_id || !admin || !api_key) return;
  const password_hash = await hasher.hash(admin.password, { tenant_id });
  const wrapped_key = keyring.newTenantKey(tenant_id);
  const { prefix, key_hash } = toMintedKey(api_key);
  const tier = { name: 'Small', description: 'One small process', cpu_millis: 250, memory_mib: 256 };
  await db.system.transaction(async (tx) => {
    const first = { email: admin.email, password_hash };
    const chain_heads = keyring.newChainHeads(tenant_id);
    await insertNewTenant(tx, { id: tenant_id, name: 'Demo', wrapped_key, chain_heads }, first);
    await tx.run(putTier(DEMO_TIER, tier), putRegion(DEMO_REGION, { name: 'This machine' }));
    tx.enter(tenantScope(tenant_id));
    const key = { prefix, key_hash, name: 'First key', scopes: ['*'], rate_limit: null };
    await tx.run(insertApiKey({ ...key, role: 'admin', expires_at: null }, null));
  });
}

/** A link that signs the first admin in once (contract, section 18); undefined without an admin. */
export async function firstLink(
  db: { system: SystemDb },
  public_url: string,
  { tenant_id, admin }: Credentials,
): Promise<string | undefined> {
  if (!tenant_id || !admin) return undefined;
  const [account] = await db.system.run(findAccounts(admin.email, { tenant_id, network: '', limit: 1 }));
  if (!account) return undefined;
  return (await createLink({ db, public_url }, { tenant_id, user_id: account.id })).url;
}
