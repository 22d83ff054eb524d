import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { AgentConfiguration } from '../recipe-fields.contract.ts';

export interface Plan {
  recipe_id: string;
  revision: number;
  resolved_config: Readonly<AgentConfiguration>;
}

/**
 * SHA-256, in hex, over the plan's canonical JSON (RFC 8785): the same plan has the same hash whatever the order
 * of its keys, also after a trip through the database. Throws on numbers and text that JSON cannot hold.
 */
export function planHash({ recipe_id, revision, resolved_config }: Plan): string {
  const text = canonicalize({ recipe_id, revision, resolved_config }) ?? '';
  return createHash('sha256').update(text).digest('hex');
}
