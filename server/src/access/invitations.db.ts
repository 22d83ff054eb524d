import type { Role } from '../platform/actor.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import { actorName } from './actor-names.db.ts';

type InviterKind = 'user' | 'api_key' | 'operations';

export interface NewInvitation {
  tenant_id: string;
  email: string;
  role: Role;
  token_hash: Buffer;
  expires_at: Date;
  created_by: { kind: InviterKind; id: string | null };
}

export interface InvitationRow {
  tenant_id: string;
  email: string;
  role: Role;
  expires_at: Date;
  is_accepted: boolean;
}

export const insertInvitation = (invitation: NewInvitation) => {
  const { tenant_id, email, role, token_hash, expires_at, created_by } = invitation;
  return sql`
    insert into invitations (tenant_id, email, role, token_hash, expires_at, created_by_kind, created_by_id)
    values (${tenant_id}, ${email}, ${role}, ${token_hash}, ${expires_at}, ${created_by.kind}, ${created_by.id})`;
};

interface OpenInvitation {
  id: string;
  email: string;
  role: Role;
  created_by: { kind: InviterKind; id: string | null; name: string | null } | null;
  created_at: Date;
  expires_at: Date;
}

const created_by = fragment(`case when created_by_kind is not null then jsonb_build_object(
  'kind', created_by_kind, 'id', created_by_id, 'name', ${actorName('created_by_kind', 'created_by_id').text}) end`);

/** Those that nobody has accepted, newest first. */
export const listInvitations = (limit: number, offset: number) =>
  sql<OpenInvitation & { total: number }>`
    select id, email, role, ${created_by} as created_by, created_at, expires_at, count(*) over () as total
    from invitations where accepted_at is null
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** False for an unknown or accepted one. */
export const deleteInvitation = (id: string) =>
  sql`delete from invitations where id = ${id} and accepted_at is null returning id`.exists();

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
