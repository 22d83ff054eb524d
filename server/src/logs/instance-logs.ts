import type { Database } from '../platform/db/database.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { storableText } from '../platform/json/storable-json.ts';
import type { KnownValue } from '../redaction/known-forms.ts';
import { listSealedSecrets } from '../redaction/known-values.db.ts';
import { openSecrets } from '../redaction/known-values.ts';
import { Redactor } from '../redaction/redaction.ts';
import type { StrippedKind } from '../redaction/save-from-instance.contract.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { MAX_LINES } from './instance-logs.contract.ts';
import { findInstanceTenant, insertLines, lockLines, notifyLines, trimLines } from './instance-logs.db.ts';

const MAX_LENGTH = 4000;
/** Shorter lines of a multi-line key are no secret by themselves. */
const MIN_KEY_LINE = 16;

const SECRET_KINDS: ReadonlySet<StrippedKind> = new Set<StrippedKind>(['api_key', 'credential', 'secret']);

/** Tokens for enrollment, invitations and resets, proxy keys and model keys. */
const OWN_TOKENS = /\b(?:aet|ait|aprt|apk|alk)_[\w-]{20,100}/g;
const PRIVATE_KEY = {
  begin: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/,
  end: /-----END [A-Z ]{0,30}PRIVATE KEY-----/,
};

export interface LogServices {
  keyring: Keyring;
  settings: { llm: { api_key: string } | undefined };
}

/** Without secrets. Only the newest 1,000 stay. */
export async function storeLines(
  { keyring, settings }: LogServices,
  q: TenantQueryable,
  instance_id: string,
  lines: readonly string[],
): Promise<number> {
  const kept = lines.slice(-MAX_LINES);
  if (kept.length === 0) return 0;
  const sealed = await q.run(listSealedSecrets(instance_id, null));
  const known = await openSecrets(q, keyring, sealed);
  if (settings.llm) known.push({ kind: 'api_key', text: settings.llm.api_key });
  const clean = redactLines(kept, known);
  await q.run(
    lockLines(instance_id),
    insertLines(instance_id, clean),
    trimLines(instance_id, MAX_LINES),
    notifyLines(instance_id),
  );
  return clean.length;
}

/** An engine knows only the instance. */
export async function storeEngineOutput(
  services: LogServices & { db: Database },
  instance_id: string,
  lines: readonly string[],
): Promise<void> {
  const tenant_id = await services.db.system.run(findInstanceTenant(instance_id));
  if (tenant_id) await storeLines(services, services.db.tenant(tenant_id), instance_id, lines);
}

/** Removes known secrets and texts in the form of one. Private keys span lines. */
export function redactLines(lines: readonly string[], known: readonly KnownValue[]): string[] {
  const parts = known.flatMap(({ kind, text }) =>
    text
      .split(/\r?\n/)
      .filter((part) => part !== text && part.length >= MIN_KEY_LINE)
      .map((part) => ({ kind, text: part })),
  );
  const redactor = new Redactor([...known, ...parts], SECRET_KINDS);
  let isKey = false;
  return lines.map((line) => {
    const wasKey = isKey;
    isKey = isKey ? !PRIVATE_KEY.end.test(line) : PRIVATE_KEY.begin.test(line) && !PRIVATE_KEY.end.test(line);
    if (wasKey || isKey) return '[credential]';
    const { text = '[secret]' } = redactor.redact(storableText(line));
    // Redact before cutting: half a secret is not recognised.
    const clean = text.replaceAll(OWN_TOKENS, '[secret]');
    return clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : clean;
  });
}
