import type { Static } from 'typebox';
import type { TenantActor } from '../platform/actor.ts';
import { holdsScope } from '../platform/contract/scopes.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { forbidden, found } from '../platform/errors.ts';
import { mintApiKey } from '../secrets/secret-formats.ts';
import type { ApiKeyCreate } from './api-keys.contract.ts';
import { type ApiKeyRow, findApiKey, insertApiKey, rotateApiKey as rotateRow } from './api-keys.db.ts';

export const DEFAULT_RATE_LIMIT = { limit: 600, window_seconds: 60 };
const DEFAULT_OVERLAP_SECONDS = 600;

const lackedScopes = (actor: TenantActor, scopes: readonly string[]): string[] =>
  actor.kind === 'api_key' ? scopes.filter((scope) => !holdsScope(actor.scopes, scope)) : [];

/** Mints a key. An API key may grant only scopes that it holds (contract, section 3); a user is bound by the role alone. */
export async function createApiKey(
  q: TenantQueryable,
  actor: TenantActor,
  { name, scopes, role, rate_limit, expires_at }: Static<typeof ApiKeyCreate>,
): Promise<ApiKeyRow & { key: string }> {
  const lacked = lackedScopes(actor, scopes);
  if (lacked.length > 0) throw forbidden(`The API key cannot grant scopes it lacks: ${lacked.join(', ')}`);
  const { key, prefix, key_hash } = mintApiKey();
  const inserted = insertApiKey({
    name,
    scopes,
    role: role ?? 'member',
    rate_limit: rate_limit ?? DEFAULT_RATE_LIMIT,
    expires_at: expires_at ?? null,
    prefix,
    key_hash,
  });
  return { ...(await q.run(inserted)), key };
}

export async function rotateApiKey(
  q: TenantQueryable,
  actor: TenantActor,
  id: string,
  overlap_seconds: number | null | undefined,
): Promise<ApiKeyRow & { key: string }> {
  if (actor.kind === 'api_key') await refuseStronger(q, actor, id);
  const { key, prefix, key_hash } = mintApiKey();
  const overlapMs = (overlap_seconds ?? DEFAULT_OVERLAP_SECONDS) * 1000;
  const ends_at = overlapMs > 0 ? new Date(q.now.getTime() + overlapMs) : '-infinity';
  const row = await q.run(rotateRow(id, { prefix, key_hash }, ends_at));
  return { ...found('API key', row), key };
}

/** Rotation shows a new key: a successor with more scopes than its caller would be privilege escalation. */
async function refuseStronger(q: TenantQueryable, actor: TenantActor, id: string): Promise<void> {
  const old = await q.run(findApiKey(id));
  const lacked = lackedScopes(actor, old?.scopes ?? []);
  if (lacked.length === 0) return;
  throw forbidden(`The API key cannot rotate a key with scopes it lacks: ${lacked.join(', ')}`);
}
