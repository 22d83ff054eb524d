import { verifyTokenHash } from '../channels/channel-endpoints.ts';
import { appSecretContext } from '../channels/webhook-signature.ts';
import { connectionContext } from '../connections/connections.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { messageSecretContext, proxyKeyContext } from '../runtimes/agent-secrets.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openedOr } from '../secrets/unreadable.ts';
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

/** More than any real configuration has, to bound the work. */
const MAX_CANDIDATES = 50_000;
const TOKEN_LENGTHS = { least: 4, most: 1000 };

/** Must not get into a recipe; customer-people.ts has those of people. */
export async function listKnownValues(
  q: TenantQueryable,
  keyring: Keyring,
  instance: { id: string; resolved_config: unknown },
): Promise<KnownValue[]> {
  const [secrets, identifiers, tokens] = await q.run(
    listSealedSecrets(instance.id, null),
    listIdentifiers(instance.id),
    listVerifyTokenHashes(instance.id),
  );
  const hashes = new Set(tokens.map(({ verify_token_hash }) => verify_token_hash.toString('base64')));
  const verifyTokens = findVerifyTokens(keyring, hashes, instance.resolved_config);
  return [...(await openSecrets(q, keyring, secrets)), ...verifyTokens, ...identifiers];
}

/** Without those that do not open: nobody can be handed what they said. */
export async function openSecrets(
  q: TenantQueryable,
  keyring: Keyring,
  secrets: readonly SealedSecret[],
): Promise<KnownValue[]> {
  const known: KnownValue[] = [];
  for (const { of, id, sealed } of secrets) {
    const { kind, context } = SEALED[of];
    const text = await openedOr(keyring.open(q, sealed, context(id)), undefined);
    if (text === undefined) continue;
    const texts = of === 'connection' ? stringsAndLongNumbers(JSON.parse(text)) : [text];
    for (const text of texts) known.push({ kind, text });
  }
  return known;
}

/** Only hashes of verify tokens are stored, so every word is hashed and compared. */
function findVerifyTokens(keyring: Keyring, hashes: ReadonlySet<string>, config: unknown): KnownValue[] {
  if (hashes.size === 0) return [];
  const candidates = new Set<string>();
  for (const text of stringsAndLongNumbers(config, true)) {
    for (const word of splitWords(text)) {
      const { least, most } = TOKEN_LENGTHS;
      if (word.length >= least && word.length <= most && candidates.size < MAX_CANDIDATES)
        candidates.add(word);
    }
  }
  const isToken = (text: string) => hashes.has(verifyTokenHash(keyring, text).toString('base64'));
  return [...candidates].filter(isToken).map((text) => ({ kind: 'secret', text }));
}

const splitWords = (text: string) => [
  text,
  ...text.split(/[\s"'`<>()[\]{},;]+/),
  ...text.split(/[\s"'`<>()[\]{},;:=&?/.]+/),
];

function* stringsAndLongNumbers(value: unknown, withKeys = false): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number' && Math.abs(value) >= 1e6) yield String(value);
  else if (typeof value === 'object' && value !== null) {
    if (withKeys) yield* Object.keys(value);
    for (const child of Object.values(value)) yield* stringsAndLongNumbers(child, withKeys);
  }
}
