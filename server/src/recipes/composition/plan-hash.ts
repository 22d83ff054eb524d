import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { AgentConfiguration } from '../recipe-fields.contract.ts';

export interface Plan {
  recipe_id: string;
  revision: number;
  resolved_config: Readonly<AgentConfiguration>;
}

/**
 * SHA-256 in hex over canonical JSON (RFC 8785), independent of the order of keys and of storage. Throws on numbers and
 * text that JSON cannot represent.
 */
export function planHash({ recipe_id, revision, resolved_config }: Plan): string {
  const text = canonicalize({ recipe_id, revision, resolved_config }) ?? '';
  return createHash('sha256').update(text).digest('hex');
}
