import type { SystemDb } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { sha256 } from '../secrets/sealing.ts';
import { mintLinkToken } from '../secrets/secret-formats.ts';
import { insertLinkLogin } from './sessions.db.ts';
import { refreshableUntil, type SessionServices, type TokenPair, tokenPair } from './sessions.ts';
import { insertSignInLink } from './sign-in-links.db.ts';

const VALID_MS = 15 * 60 * 1000;
const PASSWORD_FREE_MINUTES = 60;

/** 404 when the tenant has no such member. */
export async function createLink(
  { db, public_url }: { db: { system: SystemDb }; public_url: string },
  of: { tenant_id: string; user_id: string },
): Promise<{ url: string; expires_at: Date }> {
  const { token, token_hash } = mintLinkToken();
  const expires_at = new Date(db.system.now.getTime() + VALID_MS);
  found('User', await db.system.run(insertSignInLink({ ...of, token_hash, expires_at })));
  return { url: `${public_url}/start#token=${token}`, expires_at };
}

/** 404 for a token that is unknown, used or too old; concurrent uses have one winner. */
export async function signInByLink(services: SessionServices, token: string): Promise<TokenPair> {
  const { system } = services.db;
  const login = await system.run(
    insertLinkLogin({
      token_hash: sha256(token),
      expires_at: refreshableUntil(system),
      password_free_minutes: PASSWORD_FREE_MINUTES,
    }),
  );
  const { id: session_id, ...member } = found('Link', login);
  return tokenPair(services, { ...member, session_id, generation: 1 });
}
