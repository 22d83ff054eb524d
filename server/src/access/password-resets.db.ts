import { NOW, sql } from '../platform/db/sql.ts';

export interface NewPasswordReset {
  tenant_id: string;
  user_id: string;
  by_operator: boolean;
  token_hash: Buffer;
  expires_at: Date;
}

export interface PasswordResetRow {
  tenant_id: string;
  user_id: string;
  email: string;
  by_operator: boolean;
  expires_at: Date;
  is_used: boolean;
}

/** False when the tenant has no such member (in the tenant's or the system scope). */
export const insertPasswordReset = ({
  tenant_id,
  user_id,
  by_operator,
  token_hash,
  expires_at,
}: NewPasswordReset) =>
  sql`insert into password_resets (tenant_id, user_id, by_operator, token_hash, expires_at)
      select tenant_id, user_id, ${by_operator}, ${token_hash}, ${expires_at}
      from memberships where tenant_id = ${tenant_id} and user_id = ${user_id} returning user_id`.exists();

/** In the system scope, because the bearer is not signed in. */
export const findPasswordReset = (token_hash: Buffer) =>
  sql<PasswordResetRow>`
    select r.tenant_id, r.user_id, m.email, r.by_operator, r.expires_at, r.used_at is not null as is_used
    from password_resets r join memberships m on m.user_id = r.user_id and m.tenant_id = r.tenant_id
    where r.token_hash = ${token_hash}`.first();

/** True for only one of concurrent uses (in the system scope). */
export const usePasswordReset = (token_hash: Buffer) =>
  sql`update password_resets set used_at = ${NOW}
      where token_hash = ${token_hash} and used_at is null returning token_hash`.exists();
