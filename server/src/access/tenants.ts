import { randomUUID } from 'node:crypto';
import { copyDefaultPrimitives } from '../catalogue/primitives.db.ts';
import type { SystemDb, Tx } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { withCurrentKey } from '../secrets/master-keys.ts';
import type { Hasher } from './hasher.port.ts';
import { insertInvitation, type NewInvitation } from './invitations.db.ts';
import { newInvitation } from './invitations.ts';
import { refuseAddressIn, refuseCommon } from './passwords.ts';
import { insertTenant, lockFirstTenant, tenantsExist } from './tenants.db.ts';
import { insertAccount } from './users.db.ts';

export interface TenantServices {
  db: { system: SystemDb };
  keyring: Keyring;
  hasher: Hasher;
}

interface NewTenant {
  name: string;
  admin_email: string;
  /** null: the admin is invited. */
  admin_password?: string | null;
  expect_none?: boolean | null;
}

interface CreatedTenant {
  tenant_id: string;
  admin_user_id: string | null;
  invitation_token?: string;
  expires_at?: Date;
}

/**
 * Creates a tenant with its data key, default primitives and its first admin or an invitation. With `expect_none`, one
 * of several concurrent calls succeeds; the others throw precondition_failed.
 */
export async function createTenant(
  { db, keyring, hasher }: TenantServices,
  { name, admin_email, admin_password = null, expect_none }: NewTenant,
): Promise<CreatedTenant> {
  const tenant_id = randomUUID();
  const invited = { email: admin_email, role: 'admin' } as const;
  const invitation = newInvitation(tenant_id, invited, { kind: 'operations', id: null }, db.system.now);
  const admin =
    admin_password === null
      ? { invitation: invitation.row }
      : {
          email: admin_email,
          password_hash: await hashAdminPassword(hasher, tenant_id, admin_email, admin_password),
        };
  const admin_user_id = await withCurrentKey(() => {
    const wrapped_key = keyring.newTenantKey(tenant_id);
    const chain_heads = keyring.newChainHeads(tenant_id);
    return db.system.transaction(async (tx) => {
      if (expect_none) await expectNoTenant(tx);
      return insertNewTenant(tx, { id: tenant_id, name, wrapped_key, chain_heads }, admin);
    });
  });
  return { tenant_id, admin_user_id, ...(admin_user_id === null && invitation.shown) };
}

function hashAdminPassword(
  hasher: Hasher,
  tenant_id: string,
  email: string,
  password: string,
): Promise<string> {
  refuseCommon(password, 'body', 'admin_password');
  refuseAddressIn(password, email, 'body', 'admin_password');
  return hasher.hash(password, { tenant_id });
}

async function expectNoTenant(tx: Tx): Promise<void> {
  const { isTaken } = await tx.run({ lock: lockFirstTenant(), isTaken: tenantsExist() });
  if (isTaken) throw new ServiceError('precondition_failed', 'There is a tenant already');
}

type FirstAdmin = { email: string; password_hash: string } | { invitation: NewInvitation };

/** @returns the admin's user id; null for an invited admin */
export async function insertNewTenant(
  tx: Tx,
  tenant: { id: string; name: string; wrapped_key: Buffer; chain_heads: readonly Query<unknown>[] },
  admin: FirstAdmin,
): Promise<string | null> {
  await tx.run(insertTenant(tenant), copyDefaultPrimitives(tenant.id));
  await tx.runAll<unknown>(tenant.chain_heads);
  if ('invitation' in admin) {
    await tx.run(insertInvitation(admin.invitation));
    return null;
  }
  const account = { ...admin, tenant_id: tenant.id, role: 'admin', password_is_owners: false } as const;
  return (await tx.run(insertAccount(account))).id;
}
