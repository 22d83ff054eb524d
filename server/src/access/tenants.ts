import { randomUUID } from 'node:crypto';
import { copyDefaultPrimitives } from '../catalogue/primitives.db.ts';
import { type Database } from '../platform/db/database.ts';
import { systemScope, type Tx } from '../platform/db/queryable.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { underCurrentKey } from '../secrets/master-keys.ts';
import type { Hasher } from './hasher.port.ts';
import { countTenants, insertTenant, lockFirstTenant } from './tenants.db.ts';
import { ensureAccount, insertMembership } from './users.db.ts';

export { listTenants } from './tenants.db.ts';

export interface NewTenant {
  name: string;
  admin_email: string;
  admin_password: string;
  expect_none?: boolean;
}

/**
 * A tenant with its data key, the platform's default primitives and its first admin. With `expect_none` it throws
 * precondition failed where there is a tenant already; of several at once, one makes it.
 */
export async function createTenant(
  services: { db: Database; keyring: Keyring; hasher: Hasher },
  tenant: NewTenant,
): Promise<{ tenant_id: string; admin_user_id: string }> {
  const tenant_id = randomUUID();
  const password_hash = await services.hasher.hash(tenant.admin_password, { tenant_id });
  const { name, admin_email, expect_none = false } = tenant;
  const admin_user_id = await underCurrentKey(() => {
    const wrapped_key = services.keyring.newTenantKey(tenant_id);
    return services.db.transaction(systemScope, async (tx) => {
      if (expect_none) await expectNoTenant(tx);
      return insertNewTenant(tx, { id: tenant_id, name, wrapped_key, admin_email, password_hash });
    });
  });
  return { tenant_id, admin_user_id };
}

async function expectNoTenant(tx: Tx): Promise<void> {
  await lockFirstTenant(tx);
  if ((await countTenants(tx)) > 0)
    throw new ServiceError('precondition_failed', 'There is a tenant already');
}

/** @returns the admin's user id; an account that the address has already is kept */
export async function insertNewTenant(
  tx: Tx,
  tenant: { id: string; name: string; wrapped_key: Buffer; admin_email: string; password_hash: string },
): Promise<string> {
  await insertTenant(tx, tenant);
  await copyDefaultPrimitives(tx, tenant.id);
  const user_id = await ensureAccount(tx, tenant.admin_email, tenant.password_hash);
  await insertMembership(tx, tenant.id, user_id, 'admin');
  return user_id;
}
