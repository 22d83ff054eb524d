import type { Role } from '../platform/actor.ts';
import type { Queryable, SystemDb } from '../platform/db/queryable.ts';
import { notFound, unauthenticated } from '../platform/errors.ts';
import { networkOf } from '../platform/load/networks.ts';
import { type Account, findAccounts } from './accounts.db.ts';
import type { Hasher } from './hasher.port.ts';
import type { LoginThrottle } from './login-throttle.ts';
import {
  forgetNetworks,
  insertLogin,
  insertSession,
  revokeSession,
  rotateSession,
  shareLockAccount,
} from './sessions.db.ts';
import { ACCESS_TOKEN_SECONDS, type Tokens } from './tokens.ts';
import { listMemberships } from './users.db.ts';

export interface SessionServices {
  db: { system: SystemDb };
  hasher: Hasher;
  loginThrottle: LoginThrottle;
  tokens: Tokens;
}

export const REFRESH_TOKEN_MS = 30 * 24 * 60 * 60 * 1000;
/** Two tabs may refresh at once: for this long, the previous token gets the same successor. */
const REFRESH_GRACE_SECONDS = 10;

export interface TokenPair {
  access_token: string;
  refresh_token: string;
  token_type: 'bearer';
  expires_in: number;
  tenant_id: string;
  role: Role;
}

/** No password has this hash. Verifying against it makes unknown addresses as slow as known ones. */
const UNKNOWN_ACCOUNT_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Always compute this many hashes, so response time does not reveal how many accounts an address has. */
const ACCOUNTS_TRIED = 5;

interface LoginRequest {
  email: string;
  password: string;
  tenant_id?: string | null;
}

/** Without a tenant_id, signs in to the tenant that the account joined first. */
export async function login(
  services: SessionServices,
  { email: givenEmail, password, tenant_id = null }: LoginRequest,
  from: string,
): Promise<TokenPair> {
  const { system } = services.db;
  const network = networkOf(from);
  // Lower case, as attempts are counted: databases may fold more spellings (such as İ) into one account.
  const email = givenEmail.toLowerCase();
  const size = tenant_id === null ? ACCOUNTS_TRIED : 1;
  const accounts = await system.run(findAccounts(email, { tenant_id, network, limit: size }));
  const attempt = { email, network, isKnown: accounts.some(({ is_known }) => is_known) };
  const account = await services.loginThrottle.attempt(attempt, (knownOnly) =>
    findRightAccount(services.hasher, { accounts, knownOnly, size }, password, network),
  );
  if (!account) throw wrongCredentials();
  const memberships = await system.run(listMemberships(account.id));
  const membership = memberships.find((one) => tenant_id === null || one.tenant_id === tenant_id);
  const proof = { password_hash: account.password_hash, network };
  const tokens =
    membership && (await beginLogin(services, system, { user_id: account.id, ...membership }, proof));
  if (!tokens) throw wrongCredentials();
  return tokens;
}

const wrongCredentials = () => unauthenticated('E-mail or password is wrong');

/**
 * Hashing is queued by the client's network, not by the account's tenant: otherwise the waiting time would reveal which
 * tenant has the account.
 * @param size number of hashes; missing and excluded accounts use one that no password fits
 */
async function findRightAccount(
  hasher: Hasher,
  { accounts, knownOnly, size }: { accounts: readonly Account[]; knownOnly: boolean; size: number },
  password: string,
  network: string,
): Promise<Account | undefined> {
  const hashes = Array.from({ length: size }, (_, at) => {
    const account = accounts[at];
    return account && (account.is_known || !knownOnly) ? account.password_hash : UNKNOWN_ACCOUNT_HASH;
  });
  const right = await hasher.verifyEach(hashes, password, { address: network });
  return accounts[right.indexOf(true)];
}

/** Begins a session in another tenant of the user. */
export async function switchTenant(
  services: SessionServices,
  { user_id, session_id }: { user_id: string; session_id: string },
  tenant_id: string,
): Promise<TokenPair> {
  const memberships = await services.db.system.run(listMemberships(user_id));
  const membership = memberships.find((candidate) => candidate.tenant_id === tenant_id);
  if (!membership) throw notFound('Tenant');
  const { role } = membership;
  const tokens = await beginSession(services, services.db.system, { user_id, tenant_id, role }, session_id);
  if (!tokens) throw unauthenticated();
  return tokens;
}

/** See rotateSession for reused tokens. */
export async function refresh(services: SessionServices, token: string): Promise<TokenPair> {
  const { system } = services.db;
  const read = services.tokens.verifyRefresh(token);
  const session =
    read &&
    (await system.run(
      rotateSession({
        id: read.session_id,
        generation: read.generation,
        expires_at: refreshableUntil(system),
        grace_seconds: REFRESH_GRACE_SECONDS,
      }),
    ));
  if (!session || session.revoked || !session.role) throw unauthenticated('The refresh token is not valid');
  const { tenant_id, user_id, role, generation } = session;
  return tokenPair(services, { session_id: read.session_id, tenant_id, user_id, role, generation });
}

/** An invalid or ended token is no error. */
export async function logout(services: SessionServices, token: string): Promise<void> {
  const read = services.tokens.verifyRefresh(token);
  if (read) await services.db.system.run(revokeSession(read.session_id));
}

interface Member {
  user_id: string;
  tenant_id: string;
  role: Role;
}

/**
 * Begins a login after a password check (in the system scope).
 * @returns undefined when the password or the membership has ended meanwhile
 */
export async function beginLogin(
  services: SessionServices,
  q: Queryable,
  { user_id, tenant_id, role }: Member,
  proof: { password_hash: string; network: string },
): Promise<TokenPair | undefined> {
  const session = { user_id, tenant_id, expires_at: refreshableUntil(q) };
  const { session_id } = await q.run({
    account: shareLockAccount(user_id),
    session_id: insertLogin(session, proof),
    networks: forgetNetworks(user_id),
  });
  if (session_id === undefined) return undefined;
  return tokenPair(services, { session_id, tenant_id, user_id, role, generation: 1 });
}

/** Begins a session in the family of another one. Otherwise like beginLogin. */
export async function beginSession(
  services: SessionServices,
  q: Queryable,
  { user_id, tenant_id, role }: Member,
  by_session_id: string,
): Promise<TokenPair | undefined> {
  const session = { user_id, tenant_id, expires_at: refreshableUntil(q) };
  const { session_id } = await q.run({
    account: shareLockAccount(user_id),
    session_id: insertSession(session, by_session_id),
  });
  if (session_id === undefined) return undefined;
  return tokenPair(services, { session_id, tenant_id, user_id, role, generation: 1 });
}

export const refreshableUntil = ({ now }: Queryable) => new Date(now.getTime() + REFRESH_TOKEN_MS);

export async function tokenPair(
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
