import type { Static } from 'typebox';
import type { TenantActor } from '../platform/actor.ts';
import { holdsScope } from '../platform/contract/scopes.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { forbidden, found } from '../platform/errors.ts';
import { mintApiKey } from '../secrets/secret-formats.ts';
import type { ApiKeyCreate } from './api-keys.contract.ts';
import {
  type ApiKeyRow,
  findApiKey,
  insertApiKey,
  mustStayWithin,
  mustStayWithinToRotate,
  rotateApiKey as rotateRow,
} from './api-keys.db.ts';

const DEFAULT_OVERLAP_SECONDS = 600;

const missingScopes = (actor: TenantActor, scopes: readonly string[]): string[] =>
  actor.kind === 'api_key' ? scopes.filter((scope) => !holdsScope(actor.scopes, scope)) : [];

/**
 * Contract, sections 3 and 17: a key's scopes, end and rate limit do not exceed those of the API key that mints it. A
 * user is bound only by the role.
 */
export async function createApiKey(
  q: TenantQueryable,
  actor: TenantActor,
  { name, scopes, role, rate_limit, expires_at }: Static<typeof ApiKeyCreate>,
): Promise<ApiKeyRow & { key: string }> {
  const lacked = missingScopes(actor, scopes);
  if (lacked.length > 0) throw forbidden(`The API key cannot grant scopes it lacks: ${lacked.join(', ')}`);
  const { key, prefix, key_hash } = mintApiKey();
  const bounds = { rate_limit: rate_limit ?? null, expires_at: expires_at ?? null };
  const row = { name, scopes, role: role ?? 'member', prefix, key_hash, ...bounds };
  if (actor.kind === 'user') return { ...(await q.run(insertApiKey(row, null))), key };
  const { inserted } = await q.run({
    bounds: mustStayWithin(actor.key_id, bounds),
    inserted: insertApiKey(row, actor.key_id),
  });
  return { ...inserted, key };
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
  const rotated = rotateRow(id, { prefix, key_hash }, ends_at);
  if (actor.kind === 'user') return { ...found('API key', await q.run(rotated)), key };
  const { row } = await q.run({ bounds: mustStayWithinToRotate(actor.key_id, id), row: rotated });
  return { ...found('API key', row), key };
}

/** Rotation reveals the new key, so one with more scopes would be a privilege escalation. */
async function refuseStronger(q: TenantQueryable, actor: TenantActor, id: string): Promise<void> {
  const old = await q.run(findApiKey(id));
  const lacked = missingScopes(actor, old?.scopes ?? []);
  if (lacked.length === 0) return;
  throw forbidden(`The API key cannot rotate a key with scopes it lacks: ${lacked.join(', ')}`);
}
