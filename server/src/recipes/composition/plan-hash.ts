import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Steps } from '../../platform/load/in-turns.ts';
import type { AgentConfiguration } from './composition-fields.ts';

export interface Plan {
  recipe_id: string;
  revision: number;
  resolved_config: Readonly<AgentConfiguration>;
}

/**
 * SHA-256, in hex, over the plan's canonical JSON (RFC 8785): the same plan has the same hash whatever the order
 * of its keys, also after a trip through the database. Throws on numbers and text that JSON cannot hold.
 */
export function* planHash({ recipe_id, revision, resolved_config }: Plan): Steps<string> {
  const hash = createHash('sha256').update(`{"recipe_id":${canonicalize(recipe_id)},"resolved_config":{`);
  // Field by field: a configuration may be many times as large as a request.
  const fields = Object.entries(resolved_config).filter(([, value]) => value !== undefined);
  for (const [index, [name, value]] of fields.toSorted(byName).entries()) {
    yield;
    hash.update(`${index === 0 ? '' : ','}${canonicalize(name)}:${canonicalize(value)}`);
  }
  return hash.update(`},"revision":${canonicalize(revision)}}`).digest('hex');
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
