import { randomUUID } from 'node:crypto';
import { copyDefaultPrimitives } from '../catalogue/primitives.db.ts';
import type { SystemDb, Tx } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { underCurrentKey } from '../secrets/master-keys.ts';
import type { Hasher } from './hasher.port.ts';
import { insertTenant, lockFirstTenant, tenantsExist } from './tenants.db.ts';
import { ensureAccount, insertMembership } from './users.db.ts';

export interface TenantServices {
  db: { system: SystemDb };
  keyring: Keyring;
  hasher: Hasher;
}

export interface NewTenant {
  name: string;
  admin_email: string;
  admin_password: string;
  expect_none?: boolean;
}

/**
 * Creates a tenant with its data key, the platform's default primitives and its first admin. With `expect_none` it
 * throws precondition failed where there is a tenant already; one of several concurrent calls creates it.
 */
export async function createTenant(
  { db, keyring, hasher }: TenantServices,
  { name, admin_email, admin_password, expect_none = false }: NewTenant,
): Promise<{ tenant_id: string; admin_user_id: string }> {
  const tenant_id = randomUUID();
  const password_hash = await hasher.hash(admin_password, { tenant_id });
  const admin_user_id = await underCurrentKey(() => {
    const wrapped_key = keyring.newTenantKey(tenant_id);
    const chain_heads = keyring.newChainHeads(tenant_id);
    return db.system.transaction(async (tx) => {
      if (expect_none) await expectNoTenant(tx);
      return insertNewTenant(tx, {
        id: tenant_id,
        name,
        wrapped_key,
        chain_heads,
        admin_email,
        password_hash,
      });
    });
  });
  return { tenant_id, admin_user_id };
}

async function expectNoTenant(tx: Tx): Promise<void> {
  const [, isTaken] = await tx.run(lockFirstTenant(), tenantsExist());
  if (isTaken) throw new ServiceError('precondition_failed', 'There is a tenant already');
}

/** Returns the admin's user id. An existing account with the address keeps its password. */
export async function insertNewTenant(
  tx: Tx,
  tenant: {
    id: string;
    name: string;
    wrapped_key: Buffer;
    chain_heads: readonly Query<unknown>[];
    admin_email: string;
    password_hash: string;
  },
): Promise<string> {
  const [, , user_id] = await tx.run(
    insertTenant(tenant),
    copyDefaultPrimitives(tenant.id),
    ensureAccount(tenant.admin_email, tenant.password_hash),
  );
  await tx.runAll<unknown>([insertMembership(tenant.id, user_id, 'admin'), ...tenant.chain_heads]);
  return user_id;
}
