import type { Actor, Role, TenantActor } from '../platform/actor.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { conflict, forbidden, found, missing, notFound, unauthenticated } from '../platform/errors.ts';
import { networkOf } from '../platform/load/networks.ts';
import { sha256 } from '../secrets/sealing.ts';
import { mintInvitationToken } from '../secrets/secret-formats.ts';
import {
  findInvitation,
  findInvited,
  type InvitationRow,
  insertInvitation,
  lockInvitation,
  type NewInvitation,
  recordAcceptance,
} from './invitations.db.ts';
import { refuseAddressIn, refuseCommon } from './passwords.ts';
import { shareLockAccount } from './sessions.db.ts';
import { beginLogin, beginSession, type SessionServices, type TokenPair } from './sessions.ts';
import { insertAccount, insertMembership } from './users.db.ts';
import { conflictIfTaken } from './users.ts';

const VALID_MS = 7 * 24 * 60 * 60 * 1000;

/** The token is available only here; the row has its hash. */
export function newInvitation(
  tenant_id: string,
  { email, role }: { email: string; role: Role },
  created_by: NewInvitation['created_by'],
  now: Date,
): { row: NewInvitation; shown: { invitation_token: string; expires_at: Date } } {
  const { token, token_hash } = mintInvitationToken();
  const expires_at = new Date(now.getTime() + VALID_MS);
  return {
    row: { tenant_id, email, role, token_hash, expires_at, created_by },
    shown: { invitation_token: token, expires_at },
  };
}

export async function invite(q: TenantDb, actor: TenantActor, user: { email: string; role: Role }) {
  const id = actor.kind === 'user' ? actor.user_id : actor.key_id;
  const { row, shown } = newInvitation(q.tenant_id, user, { kind: actor.kind, id }, q.now);
  await q.run(insertInvitation(row));
  return shown;
}

interface Acceptance {
  invitation_token: string;
  password?: string | null;
}

/** With a password creates an account; as a user adds a membership to the user's account. */
export function acceptInvitation(
  services: SessionServices,
  actor: Actor,
  { invitation_token, password = null }: Acceptance,
  from: string,
): Promise<TokenPair> {
  const token_hash = sha256(invitation_token);
  if (password !== null) return acceptAsNew(services, token_hash, password, networkOf(from));
  if (actor.kind !== 'user') throw missing('body', 'password');
  return acceptAs(services, token_hash, actor);
}

async function acceptAsNew(
  services: SessionServices,
  token_hash: Buffer,
  password: string,
  network: string,
): Promise<TokenPair> {
  const { system } = services.db;
  refuseCommon(password, 'body', 'password');
  const { email } = requireOpen(await system.run(findInvitation(token_hash)), system.now);
  refuseAddressIn(password, email, 'body', 'password');
  const password_hash = await services.hasher.hash(password, { address: network });
  return conflictIfTaken(
    system.transaction(async (tx) => {
      const { tenant_id, role } = requireOpen(await tx.run(lockInvitation(token_hash)), tx.now);
      const account = { tenant_id, email, role, password_hash, password_is_owners: true };
      const { user } = await tx.run({ accepted: recordAcceptance(token_hash), user: insertAccount(account) });
      const user_id = user.id;
      const tokens = await beginLogin(services, tx, { user_id, tenant_id, role }, { password_hash, network });
      return tokens ?? Promise.reject(unauthenticated());
    }),
  );
}

async function acceptAs(
  services: SessionServices,
  token_hash: Buffer,
  { user_id, session_id }: { user_id: string; session_id: string },
): Promise<TokenPair> {
  return conflictIfTaken(
    services.db.system.transaction(async (tx) => {
      const invitation = requireUnexpired(await tx.run(lockInvitation(token_hash)), tx.now);
      const { tenant_id, email, role } = invitation;
      const { invited } = await tx.run({
        account: shareLockAccount(user_id),
        invited: findInvited(user_id, email),
      });
      const account = found('User', invited);
      if (!account.has_address) throw forbidden('The invitation is for another e-mail address');
      requireOpen(invitation, tx.now);
      if (!account.password_is_owners)
        throw conflict('An admin chose the password of this account: change it first (PATCH /v1/me)');
      await tx.run(recordAcceptance(token_hash), insertMembership(tenant_id, user_id, role));
      // undefined: the user's own session has ended. The transaction rolls back.
      const tokens = await beginSession(services, tx, { user_id, tenant_id, role }, session_id);
      return tokens ?? Promise.reject(unauthenticated());
    }),
  );
}

function requireUnexpired(invitation: InvitationRow | undefined, now: Date): InvitationRow {
  const isThere = invitation && (invitation.is_accepted || invitation.expires_at > now);
  if (!isThere) throw notFound('Invitation');
  return invitation;
}

function requireOpen(given: InvitationRow | undefined, now: Date): InvitationRow {
  const invitation = requireUnexpired(given, now);
  if (invitation.is_accepted) throw conflict('The invitation was accepted already');
  return invitation;
}
