import { NOW, sql } from '../platform/db/sql.ts';

// Accounts as their owners sign in (system scope). users.db.ts shows them as members of a tenant.

export interface Account {
  id: string;
  password_hash: string;
  /** A login from the network succeeded in the last 30 days. */
  is_known: boolean;
}

/**
 * At most one account per tenant has the address. Accounts of inactive tenants come last; before them, the latest login
 * comes first, then the newest account without a login.
 * @param tenant_id only the account of this tenant; null: of all
 */
export const findAccounts = (
  email: string,
  { tenant_id, network, limit }: { tenant_id: string | null; network: string; limit: number },
) =>
  sql<Account>`
    select u.id, u.password_hash, exists (
      select from login_networks n where n.user_id = u.id and n.network = ${network}
        and n.last_login_at >= ${NOW}::timestamptz - interval '30 days') as is_known
    from users u
    where lower(u.email) = lower(${email}) and exists (
      select from memberships m where m.user_id = u.id and m.tenant_id = coalesce(${tenant_id}, m.tenant_id))
    order by exists (
        select from memberships m join tenants t on t.id = m.tenant_id where m.user_id = u.id and t.is_active) desc,
      u.last_login_at desc nulls last, u.created_at desc, u.id limit ${limit}`;
