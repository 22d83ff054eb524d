import type { Role } from '../platform/actor.ts';
import type { Database } from '../platform/db/database.ts';
import { notFound, unauthenticated } from '../platform/errors.ts';
import { networkOf } from '../platform/load/networks.ts';
import type { Hasher } from './hasher.port.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { insertSession, keepAccount, type Proof, revokeSession, rotateSession } from './sessions.db.ts';
import { ACCESS_TOKEN_SECONDS, type Tokens } from './tokens.ts';
import { findAccount, listMemberships } from './users.db.ts';

export interface SessionServices {
  db: Database;
  hasher: Hasher;
  loginThrottle: LoginThrottle;
  tokens: Tokens;
}

const REFRESH_TOKEN_MS = 30 * 24 * 60 * 60 * 1000;
/** How long the token just used still gets its successor, so that two tabs refreshing at once both go on. */
const REFRESH_GRACE_SECONDS = 10;

export interface TokenPair {
  access_token: string;
  refresh_token: string;
  token_type: 'bearer';
  expires_in: number;
  tenant_id: string;
  role: Role;
}

/** A well-formed hash that no password has, so that an unknown address costs the same time as a known one. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Signs a user in, to the tenant that was joined first. */
export async function login(
  services: SessionServices,
  givenEmail: string,
  password: string,
  from: string,
): Promise<TokenPair> {
  const address = networkOf(from);
  // In the one spelling that attempts are counted by: a database may fold more of them into one account, as it does İ.
  const email = givenEmail.toLowerCase();
  const account = await services.loginThrottle.attempt(email, address, () =>
    findRightAccount(services, email, password, address),
  );
  if (!account) throw wrong();
  const [membership] = await services.db.system.run(listMemberships(account.id));
  if (!membership) throw unauthenticated('The account belongs to no tenant');
  const { tenant_id, role } = membership;
  const tokens = await startSession(services, { user_id: account.id, tenant_id, role }, account);
  if (!tokens) throw wrong();
  return tokens;
}

const wrong = () => unauthenticated('E-mail or password is wrong');

/** In the turn of the address, whoever's account it is: in that of the account's tenant, the wait would tell of it. */
async function findRightAccount(
  { db, hasher }: SessionServices,
  email: string,
  password: string,
  address: string,
) {
  const account = await db.system.run(findAccount(email));
  const isRight = await hasher.verify(account?.password_hash ?? NOBODY, password, { address });
  return isRight ? account : undefined;
}

/** A new login of the same user in another of the user's tenants. */
export async function switchTenant(
  services: SessionServices,
  { user_id, session_id }: { user_id: string; session_id: string },
  tenant_id: string,
): Promise<TokenPair> {
  const memberships = await services.db.system.run(listMemberships(user_id));
  const membership = memberships.find((candidate) => candidate.tenant_id === tenant_id);
  if (!membership) throw notFound('Tenant');
  const tokens = await startSession(services, { user_id, tenant_id, role: membership.role }, { session_id });
  if (!tokens) throw unauthenticated();
  return tokens;
}

/** Trades a refresh token for a new pair; see rotateSession for what happens to used ones. */
export async function refresh(services: SessionServices, token: string): Promise<TokenPair> {
  const { system } = services.db;
  const read = services.tokens.verifyRefresh(token);
  const session =
    read &&
    (await system.run(
      rotateSession({
        id: read.session_id,
        generation: read.generation,
        expires_at: new Date(system.now.getTime() + REFRESH_TOKEN_MS),
        grace_seconds: REFRESH_GRACE_SECONDS,
      }),
    ));
  if (!session || session.revoked || !session.role) throw unauthenticated('The refresh token is not valid');
  const { tenant_id, user_id, role, generation } = session;
  return tokenPair(services, { session_id: read.session_id, tenant_id, user_id, role, generation });
}

/** Ends the login that the token belongs to; a token that is no (longer) one has nothing to end. */
export async function logout(services: SessionServices, token: string): Promise<void> {
  const read = services.tokens.verifyRefresh(token);
  if (read) await services.db.system.run(revokeSession(read.session_id));
}

/** @returns undefined when what the login was proved by has ended meanwhile */
async function startSession(
  services: SessionServices,
  { user_id, tenant_id, role }: { user_id: string; tenant_id: string; role: Role },
  proof: Proof,
): Promise<TokenPair | undefined> {
  const { system } = services.db;
  const expires_at = new Date(system.now.getTime() + REFRESH_TOKEN_MS);
  const session = insertSession({ tenant_id, user_id, expires_at }, proof);
  const [, session_id] = await system.run(keepAccount(user_id), session);
  if (session_id === undefined) return undefined;
  return tokenPair(services, { session_id, tenant_id, user_id, role, generation: 1 });
}

async function tokenPair(
  services: SessionServices,
  session: { session_id: string; tenant_id: string; user_id: string; role: Role; generation: number },
): Promise<TokenPair> {
  const { session_id, tenant_id, user_id, role, generation } = session;
  const claims = { sub: user_id, tenant_id, role, session_id };
  return {
    access_token: await services.tokens.signAccess(claims, services.db.system.now),
    refresh_token: services.tokens.signRefresh({ session_id, generation }),
    token_type: 'bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    tenant_id,
    role,
  };
}
