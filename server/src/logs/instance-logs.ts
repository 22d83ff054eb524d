import { runtimeHasRoom } from '../access/stored-bytes.db.ts';
import type { Database } from '../platform/db/database.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { rateLimited, ServiceError } from '../platform/errors.ts';
import { storableText } from '../platform/json/storable-json.ts';
import type { Redactor } from '../redaction/redaction.ts';
import { MAX_LINES } from './instance-logs.contract.ts';
import { findInstanceTenant, insertLines, lockLines, notifyLines, trimLines } from './instance-logs.db.ts';
import type { LogAllowance } from './log-allowance.ts';
import type { LogRedactors } from './log-redactors.ts';

const MAX_LENGTH = 4000;

/** Tokens for enrollment, invitations and resets, proxy keys and model keys. */
const OWN_TOKENS = /\b(?:aet|ait|aprt|apk|alk)_[\w-]{20,100}/g;
const PRIVATE_KEY = {
  begin: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/,
  end: /-----END [A-Z ]{0,30}PRIVATE KEY-----/,
};

export interface LogServices {
  logAllowance: LogAllowance;
  logRedactors: LogRedactors;
}

const TOO_MANY = 'An instance may log 1 MiB a minute';
const LEFT_OUT = `(lines left out: ${TOO_MANY})`;

/** Without secrets. Only the newest 1,000 stay. 429 beyond the allowance. */
export async function storeLines(
  services: LogServices,
  q: TenantQueryable,
  instance_id: string,
  lines: readonly string[],
): Promise<number> {
  const kept = lines.slice(-MAX_LINES);
  if (kept.length === 0) return 0;
  const { isRefused, ends_in_ms } = await services.logAllowance.take(instance_id, kept);
  if (isRefused) throw rateLimited(ends_in_ms / 1000, TOO_MANY);
  return keepLines(services, q, instance_id, kept);
}

/** One line of a runtime as its log keeps it, for an event. Empty where nothing may be said. */
export async function cleanLine(
  { db, logRedactors }: LogServices & { db: Database },
  instance_id: string,
  line: string,
): Promise<string> {
  const tenant_id = await db.system.run(findInstanceTenant(instance_id));
  const redactor = tenant_id && (await logRedactors.of(db.tenant(tenant_id), instance_id));
  if (!redactor) return '';
  const [clean = ''] = redactLines([line], redactor);
  return clean;
}

async function keepLines(
  { logRedactors }: LogServices,
  q: TenantQueryable,
  instance_id: string,
  lines: readonly string[],
): Promise<number> {
  const redactor = await logRedactors.of(q, instance_id);
  const clean = redactor ? redactLines(lines, redactor) : lines.map(() => WITHHELD);
  await q.run(
    runtimeHasRoom(),
    lockLines(instance_id),
    insertLines(instance_id, clean),
    trimLines(instance_id, MAX_LINES),
    notifyLines(instance_id),
  );
  return clean.length;
}

const WITHHELD = '(withheld: the credentials of the instance are more than 4 MiB)';

/** An engine knows only the instance. Output beyond the allowance, or without room for it, is left out. */
export async function storeEngineOutput(
  services: LogServices & { db: Database },
  instance_id: string,
  lines: readonly string[],
): Promise<void> {
  const tenant_id = await services.db.system.run(findInstanceTenant(instance_id));
  if (!tenant_id) return;
  const kept = lines.slice(-MAX_LINES);
  const { isRefused, isFirst } = await services.logAllowance.take(instance_id, kept);
  if (isRefused && !isFirst) return;
  await keepLines(services, services.db.tenant(tenant_id), instance_id, isFirst ? [LEFT_OUT] : kept).catch(
    orLeftOut,
  );
}

function orLeftOut(error: unknown): void {
  if (!(error instanceof ServiceError && error.code === 'rate_limited')) throw error;
}

/** Removes known secrets and texts in the form of one. Private keys span lines. */
export function redactLines(lines: readonly string[], redactor: Redactor): string[] {
  let isKey = false;
  const clean = lines.map((line) => {
    const wasKey = isKey;
    isKey = isKey ? !PRIVATE_KEY.end.test(line) : PRIVATE_KEY.begin.test(line) && !PRIVATE_KEY.end.test(line);
    if (wasKey || isKey) return '[credential]';
    const { text = '[secret]' } = redactor.redact(storableText(line));
    // Redact before cutting: half a secret is not recognised.
    const safe = text.replaceAll(OWN_TOKENS, '[secret]');
    return safe.length > MAX_LENGTH ? `${safe.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : safe;
  });
  // The redactor is kept for the next lines.
  redactor.forgetReplaced();
  return clean;
}
