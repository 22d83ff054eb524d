import { connectionContext } from '../connections/connections.ts';
import { messageSecretContext, proxyKeyContext } from '../instances/agent-secrets.ts';
import { verifyTokenHash } from '../messaging/channel-endpoints.ts';
import { appSecretContext } from '../messaging/webhook-signature.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { inTurns, type Steps } from '../platform/load/in-turns.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { KnownValue } from './known-forms.ts';
import {
  listIdentifiers,
  listSealedSecrets,
  listVerifyTokenHashes,
  type SealedSecret,
} from './known-values.db.ts';

type Kind = KnownValue['kind'];

const SEALED: Readonly<Record<SealedSecret['of'], { kind: Kind; context: (id: string) => string }>> = {
  message_secret: { kind: 'secret', context: messageSecretContext },
  proxy_key: { kind: 'api_key', context: proxyKeyContext },
  connection: { kind: 'credential', context: connectionContext },
  app_secret: { kind: 'secret', context: appSecretContext },
};

/** More words than a configuration that is not made to keep us busy has. */
const MAX_CANDIDATES = 50_000;
const TOKEN_LENGTHS = { least: 4, most: 1000 };

/** What must not get from an instance into a recipe, but for what its customers' people are known by (customer-people.ts). */
export async function listKnownValues(
  q: TenantQueryable,
  keyring: Keyring,
  instance: { id: string; resolved_config: unknown },
): Promise<KnownValue[]> {
  const [secrets, identifiers, tokens] = await Promise.all([
    listSecrets(q, keyring, instance.id, null),
    listIdentifiers(q, instance.id),
    listVerifyTokenHashes(q, instance.id),
  ]);
  const hashes = new Set(tokens.map(({ verify_token_hash }) => verify_token_hash.toString('base64')));
  const verifyTokens = await inTurns(findVerifyTokens(keyring, hashes, instance.resolved_config));
  return [...secrets, ...verifyTokens, ...identifiers];
}

/** The secrets of an instance in the clear, with the credentials of one of its customers, or of all (null). */
export async function listSecrets(
  q: TenantQueryable,
  keyring: Keyring,
  instance_id: string,
  customer_id: string | null,
): Promise<KnownValue[]> {
  const known: KnownValue[] = [];
  for (const { of, id, sealed } of await listSealedSecrets(q, instance_id, customer_id)) {
    const { kind, context } = SEALED[of];
    const text = await keyring.open(q, sealed, context(id));
    const texts = of === 'connection' ? stringsAndLongNumbers(JSON.parse(text)) : [text];
    for (const text of texts) known.push({ kind, text });
  }
  return known;
}

/** Of verify tokens we keep hashes alone: which of the words of a configuration are one? */
function* findVerifyTokens(
  keyring: Keyring,
  hashes: ReadonlySet<string>,
  config: unknown,
): Steps<KnownValue[]> {
  if (hashes.size === 0) return [];
  const candidates = new Set<string>();
  for (const text of stringsAndLongNumbers(config, true)) {
    yield;
    for (const word of [
      text,
      ...text.split(/[\s"'`<>()[\]{},;]+/),
      ...text.split(/[\s"'`<>()[\]{},;:=&?/.]+/),
    ]) {
      const { least, most } = TOKEN_LENGTHS;
      if (word.length >= least && word.length <= most && candidates.size < MAX_CANDIDATES)
        candidates.add(word);
    }
  }
  const found: KnownValue[] = [];
  for (const text of candidates) {
    yield;
    if (hashes.has(verifyTokenHash(keyring, text).toString('base64'))) found.push({ kind: 'secret', text });
  }
  return found;
}

/** The strings and long numbers inside a JSON value, as text; with the names of its members, if wanted. */
function* stringsAndLongNumbers(value: unknown, withKeys = false): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number' && Math.abs(value) >= 1e6) yield String(value);
  else if (typeof value === 'object' && value !== null) {
    if (withKeys) yield* Object.keys(value);
    for (const child of Object.values(value)) yield* stringsAndLongNumbers(child, withKeys);
  }
}
