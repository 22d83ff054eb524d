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
  keepAccount,
  revokeSession,
  rotateSession,
} from './sessions.db.ts';
import { ACCESS_TOKEN_SECONDS, type Tokens } from './tokens.ts';
import { listMemberships } from './users.db.ts';

export interface SessionServices {
  db: { system: SystemDb };
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

/** As many accounts of an address are tried as hashes are computed, whatever accounts there are. */
const ACCOUNTS_TRIED = 5;

interface LoginRequest {
  email: string;
  password: string;
  tenant_id?: string | null;
}

/** Signs a user in: to the tenant that is named, or to the one that the account joined first. */
export async function login(
  services: SessionServices,
  { email: givenEmail, password, tenant_id = null }: LoginRequest,
  from: string,
): Promise<TokenPair> {
  const { system } = services.db;
  const network = networkOf(from);
  // In the one spelling that attempts are counted by: a database may fold more of them into one account, as it does İ.
  const email = givenEmail.toLowerCase();
  const size = tenant_id === null ? ACCOUNTS_TRIED : 1;
  const accounts = await system.run(findAccounts(email, { tenant_id, network, limit: size }));
  const attempt = { email, network, isKnown: accounts.some(({ is_known }) => is_known) };
  const account = await services.loginThrottle.attempt(attempt, (knownOnly) =>
    findRightAccount(services.hasher, { accounts, knownOnly, size }, password, network),
  );
  if (!account) throw wrong();
  const memberships = await system.run(listMemberships(account.id));
  const membership = memberships.find((one) => tenant_id === null || one.tenant_id === tenant_id);
  const proof = { password_hash: account.password_hash, network };
  const tokens =
    membership && (await beginLogin(services, system, { user_id: account.id, ...membership }, proof));
  if (!tokens) throw wrong();
  return tokens;
}

const wrong = () => unauthenticated('E-mail or password is wrong');

/**
 * In the turn of the address, whoever's account it is: in that of the account's tenant, the wait would tell of it.
 * @param size how many hashes are computed; those of accounts that are missing, or not to be tried, fit no password
 */
async function findRightAccount(
  hasher: Hasher,
  { accounts, knownOnly, size }: { accounts: readonly Account[]; knownOnly: boolean; size: number },
  password: string,
  network: string,
): Promise<Account | undefined> {
  const hashes = Array.from({ length: size }, (_, at) => {
    const account = accounts[at];
    return account && (account.is_known || !knownOnly) ? account.password_hash : NOBODY;
  });
  const right = await hasher.verifyEach(hashes, password, { address: network });
  return accounts[right.indexOf(true)];
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
  const { role } = membership;
  const tokens = await beginSession(services, services.db.system, { user_id, tenant_id, role }, session_id);
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
        expires_at: refreshableUntil(system),
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

interface Member {
  user_id: string;
  tenant_id: string;
  role: Role;
}

/**
 * Begins a login that a password proved (in the system scope).
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
    account: keepAccount(user_id),
    session_id: insertLogin(session, proof),
    networks: forgetNetworks(user_id),
  });
  if (session_id === undefined) return undefined;
  return tokenPair(services, { session_id, tenant_id, user_id, role, generation: 1 });
}

/** Begins a session with another one; it is of the same family. Like beginLogin otherwise. */
export async function beginSession(
  services: SessionServices,
  q: Queryable,
  { user_id, tenant_id, role }: Member,
  by_session_id: string,
): Promise<TokenPair | undefined> {
  const session = { user_id, tenant_id, expires_at: refreshableUntil(q) };
  const { session_id } = await q.run({
    account: keepAccount(user_id),
    session_id: insertSession(session, by_session_id),
  });
  if (session_id === undefined) return undefined;
  return tokenPair(services, { session_id, tenant_id, user_id, role, generation: 1 });
}

const refreshableUntil = ({ now }: Queryable) => new Date(now.getTime() + REFRESH_TOKEN_MS);

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
