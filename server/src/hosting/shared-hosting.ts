import { normaliseHostname } from '../customers/websites.ts';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { mergePatch } from '../recipes/composition/merge-patch.ts';
import { skillsOf } from '../recipes/fields/skills.ts';
import { withoutInvalid } from '../recipes/fields/without-invalid.ts';
import { listSealedSecrets } from '../redaction/known-values.db.ts';
import { openSecrets } from '../redaction/known-values.ts';
import { redactJson } from '../redaction/redacted-json.ts';
import { Redactor } from '../redaction/redaction.ts';
import type { StrippedKind } from '../redaction/save-from-instance.contract.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { findConfigLayers, findHostnameOwner, type ResolvedDomain } from './shared-hosting.db.ts';

const SECRET_KINDS: ReadonlySet<StrippedKind> = new Set<StrippedKind>(['api_key', 'credential', 'secret']);

interface MergedConfig {
  config: JsonObject;
  customer_id: string;
  instance_id: string;
  timezone: string;
  rules: JsonObject;
}

/**
 * Merges the tenant's defaults, the deployment's configuration and the customer's own, without secrets (contract,
 * section 7), values out of range and disabled skills (section 12).
 */
export async function readMergedConfig(
  { keyring }: { keyring: Keyring },
  q: TenantQueryable,
  instance_id: string,
  customer_id: string,
): Promise<MergedConfig> {
  const [row, sealed] = await q.run(
    findConfigLayers(instance_id, customer_id),
    listSealedSecrets(instance_id, customer_id),
  );
  const { defaults, resolved_config, own, timezone, rules } = found('Customer', row);
  const secrets = await openSecrets(q, keyring, sealed);
  const layers = [omitUnset(resolved_config), own];
  // After the merge: parts of a layer may be in range only together.
  const merged = withoutInvalid(layers.reduce<unknown>(mergePatch, defaults) as JsonObject);
  const redactor = new Redactor(
    secrets.filter(({ text }) => looksSecret(text)),
    SECRET_KINDS,
  );
  const config = { ...merged, ...(merged.skills !== undefined && { skills: skillsOf(merged) }) };
  const redacted = (value: JsonObject) => redactJson(value, '', redactor, SECRET_KINDS).value as JsonObject;
  return { config: redacted(config), customer_id, instance_id, timezone, rules: redacted(rules) };
}

/** Credentials also contain addresses and names of folders. */
const looksSecret = (text: string) => text.length >= 12 && !/\s|^https?:/.test(text);

/** null marks fields that neither recipe nor overrides set. */
const omitUnset = (resolvedConfig: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(resolvedConfig).filter(([, value]) => value !== null));

export async function resolveDomain(
  q: Queryable,
  instance_id: string,
  text: string,
): Promise<ResolvedDomain> {
  const hostname = normaliseHostname(text);
  const owner = hostname === undefined ? undefined : await q.run(findHostnameOwner(instance_id, hostname));
  return found('Hostname', owner);
}
