import type { TenantActor } from '../platform/actor.ts';
import { holdsScope } from '../platform/contract/scopes.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import { mintApiKey } from '../secrets/secret-formats.ts';
import {
  type ApiKeyRow,
  findApiKey,
  insertApiKey,
  type NewApiKey,
  revokeApiKey as revokeApiKeyRow,
  rotateApiKey as rotateApiKeyRow,
} from './api-keys.db.ts';

export { type ApiKeyRow, findLiveApiKey, listApiKeys, touchApiKeys } from './api-keys.db.ts';

type Optional = 'role' | 'rate_limit' | 'expires_at';
export type ApiKeyRequest = Pick<NewApiKey, 'name' | 'scopes'> & {
  [F in Optional]?: NewApiKey[F] | null | undefined;
};

export const DEFAULT_RATE_LIMIT = { limit: 600, window_seconds: 60 };
const DEFAULT_OVERLAP_SECONDS = 600;

/** Mints a key. A key may grant only what it holds itself (contract, section 3); a user is bound by the role alone. */
export async function createApiKey(
  q: Queryable,
  actor: TenantActor,
  { name, scopes, role, rate_limit, expires_at }: ApiKeyRequest,
): Promise<ApiKeyRow & { key: string }> {
  if (actor.kind === 'api_key') {
    const beyond = scopes.filter((scope) => !holdsScope(actor.scopes, scope));
    if (beyond.length > 0) throw forbidden(`The API key cannot grant scopes it lacks: ${beyond.join(', ')}`);
  }
  const { key, prefix, key_hash } = mintApiKey();
  const row = await insertApiKey(q, actor.tenant_id, {
    name,
    scopes,
    role: role ?? 'member',
    rate_limit: rate_limit ?? DEFAULT_RATE_LIMIT,
    expires_at: expires_at ?? null,
    prefix,
    key_hash,
  });
  return { ...row, key };
}

export async function rotateApiKey(
  q: Queryable,
  actor: TenantActor,
  id: string,
  now: Date,
  overlap_seconds: number | null | undefined,
): Promise<ApiKeyRow & { key: string }> {
  if (actor.kind === 'api_key') await refuseStronger(q, actor, id, now);
  const { key, prefix, key_hash } = mintApiKey();
  const overlapMs = (overlap_seconds ?? DEFAULT_OVERLAP_SECONDS) * 1000;
  const ends_at = overlapMs > 0 ? new Date(now.getTime() + overlapMs) : '-infinity';
  const row = await rotateApiKeyRow(q, id, { prefix, key_hash }, now, ends_at);
  if (!row) throw notFound('API key');
  return { ...row, key };
}

/** Rotating shows a new key: one that may do more than its caller would be a way up. */
async function refuseStronger(
  q: Queryable,
  actor: TenantActor & { kind: 'api_key' },
  id: string,
  now: Date,
): Promise<void> {
  const old = await findApiKey(q, id, now);
  const beyond = old?.scopes.filter((scope) => !holdsScope(actor.scopes, scope)) ?? [];
  if (beyond.length > 0)
    throw forbidden(`The API key cannot rotate a key with scopes it lacks: ${beyond.join(', ')}`);
}

export async function revokeApiKey(q: Queryable, id: string, now: Date): Promise<void> {
  if (!(await revokeApiKeyRow(q, id, now))) throw notFound('API key');
}
