import { randomUUID } from 'node:crypto';
import { type Database, systemScope } from '../db/database.ts';
import { copyDefaultPrimitives } from '../db/primitives.ts';
import { insertTenant } from '../db/tenants.ts';
import { ensureAccount, insertMembership } from '../db/users.ts';
import type { Keyring } from './keyring.ts';
import type { Hasher } from './ports.ts';

export { countTenants, listTenants } from '../db/tenants.ts';

export interface NewTenant {
  name: string;
  admin_email: string;
  admin_password: string;
}

/** A tenant with its data key, the platform's default primitives and its first admin. */
export async function createTenant(
  services: { db: Database; keyring: Keyring; hasher: Hasher },
  tenant: NewTenant,
): Promise<{ tenant_id: string; admin_user_id: string }> {
  const password_hash = await services.hasher.hash(tenant.admin_password);
  const tenant_id = randomUUID();
  const wrapped_key = services.keyring.newTenantKey(tenant_id);
  const admin_user_id = await services.db.transaction(systemScope, async (tx) => {
    await insertTenant(tx, { id: tenant_id, name: tenant.name, wrapped_key });
    await copyDefaultPrimitives(tx, tenant_id);
    const user_id = await ensureAccount(tx, tenant.admin_email, password_hash);
    await insertMembership(tx, tenant_id, user_id, 'admin');
    return user_id;
  });
  return { tenant_id, admin_user_id };
}
