import type { Role } from '../platform/actor.ts';
import { NOW, sql } from '../platform/db/sql.ts';

export interface NewInvitation {
  tenant_id: string;
  email: string;
  role: Role;
  token_hash: Buffer;
  expires_at: Date;
}

export interface InvitationRow {
  tenant_id: string;
  email: string;
  role: Role;
  expires_at: Date;
  is_accepted: boolean;
}

export const insertInvitation = ({ tenant_id, email, role, token_hash, expires_at }: NewInvitation) =>
  sql`insert into invitations (tenant_id, email, role, token_hash, expires_at)
      values (${tenant_id}, ${email}, ${role}, ${token_hash}, ${expires_at})`;

/** This and the functions below: in the system scope, because the bearer belongs to no tenant yet. */
export const findInvitation = (token_hash: Buffer) =>
  sql<InvitationRow>`
    select tenant_id, email, role, expires_at, accepted_at is not null as is_accepted
    from invitations where token_hash = ${token_hash}`.first();

/** Locks the row, so only one concurrent acceptance finds it open. */
export const lockInvitation = (token_hash: Buffer) =>
  sql<InvitationRow>`
    select tenant_id, email, role, expires_at, accepted_at is not null as is_accepted
    from invitations where token_hash = ${token_hash} for update`.first();

export const recordAcceptance = (token_hash: Buffer) =>
  sql`update invitations set accepted_at = ${NOW} where token_hash = ${token_hash}`;

export const findInvited = (user_id: string, email: string) =>
  sql<{ has_address: boolean; password_is_owners: boolean }>`
    select lower(email) = lower(${email}) as has_address, password_is_owners from users where id = ${user_id}`.first();
