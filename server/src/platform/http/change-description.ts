import { randomUUID } from 'node:crypto';
import type { Actor } from '../actor.ts';
import type { Operation } from '../contract/operation.ts';
import type { Clock } from '../ports.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Describe = (caller: { actor: Actor; request_id: string }, tenant_id: string, params: unknown) => string;

/**
 * A JSON description for the triggers that record changes (audit/changes.sql); undefined for reads. Its id is random,
 * because clients choose request ids.
 */
export function changeDescriber(
  { id, method, path, responses, changesNothing, credential }: Operation,
  clock: Clock,
): Describe | undefined {
  if (method === 'GET' || changesNothing) return undefined;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toReversed();
  const statuses = Object.keys(responses).map(Number);
  const created = Math.max(...statuses);
  const changed = created === 201 && statuses.includes(200) ? 200 : created;
  // Accepting an invitation changes the inviting tenant, not that of the access token.
  const isOfCallersTenant = credential !== 'optional_user';
  return ({ actor, request_id }, tenant_id, params) => {
    const values = params as Readonly<Record<string, unknown>>;
    return JSON.stringify({
      id: randomUUID(),
      at: clock(),
      tenant_id: (isOfCallersTenant && tenant_id) || null,
      actor_kind: actor.kind,
      actor_id: idOf(actor),
      operation: id,
      resource_id: names.map((name) => String(values[name])).find((value) => UUID.test(value)) ?? null,
      request_id,
      created,
      changed,
    });
  };
}

function idOf(actor: Actor): string | null {
  switch (actor.kind) {
    case 'api_key':
      return actor.key_id;
    case 'user':
      return actor.user_id;
    case 'instance':
      return actor.instance_id;
    default:
      return null;
  }
}
