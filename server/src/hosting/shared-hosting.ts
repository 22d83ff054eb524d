import { normaliseHostname } from '../customers/websites.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { notFound } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { inTurns } from '../platform/load/in-turns.ts';
import { mergePatch } from '../recipes/composition/merge-patch.ts';
import { type LargeCall, withLarge } from '../recipes/large-recipes.ts';
import type { KnownValue } from '../redaction/known-forms.ts';
import { listSecrets } from '../redaction/known-values.ts';
import { redactJson } from '../redaction/redacted-json.ts';
import { Redactor } from '../redaction/redaction.ts';
import type { StrippedKind } from '../redaction/save-from-instance.contract.ts';
import type { Keyring } from '../secrets/keyring.ts';
import {
  type ConfigLayers,
  findConfigLayers,
  findHostnameOwner,
  type ResolvedDomain,
} from './shared-hosting.db.ts';

const SECRET_KINDS: ReadonlySet<StrippedKind> = new Set<StrippedKind>(['api_key', 'credential', 'secret']);
/** Long enough not to be a folder's name, and no address: what is left of credentials that are not secret. */
const looksSecret = (text: string) => text.length >= 12 && !/\s|^https?:/.test(text);

export interface MergedConfig {
  config: JsonObject;
  customer_id: string;
  instance_id: string;
  timezone: string;
}

/** What an instance is to one of its customers, without secrets (contract, section 7). */
export function withMergedConfig<T>(
  call: LargeCall & { services: { keyring: Keyring } },
  instance_id: string,
  customer_id: string,
  use: (merged: MergedConfig) => Promise<T>,
): Promise<T> {
  const { q, services } = call;
  const read = async (maxBytes: number) => {
    const [layers, secrets] = await Promise.all([
      findConfigLayers(q, instance_id, customer_id, maxBytes),
      listSecrets(q, services.keyring, instance_id, customer_id),
    ]);
    if (!layers) throw notFound('Customer');
    return { ...layers, secrets };
  };
  return withLarge(call, read, async ({ secrets, ...layers }) => use(await merge(layers, secrets)));
}

async function merge(layers: ConfigLayers, secrets: readonly KnownValue[]): Promise<MergedConfig> {
  const { defaults, resolved_config, own, customer_id, instance_id, timezone } = layers;
  const merged = [withoutUnset(resolved_config), own].reduce(mergePatch, defaults);
  const known = secrets.filter(({ text }) => looksSecret(text));
  const redactor = new Redactor(known, SECRET_KINDS);
  const { value } = await inTurns(redactJson(merged, '', redactor, SECRET_KINDS));
  return { config: value as JsonObject, customer_id, instance_id, timezone };
}

/** A field that neither recipe nor overrides set is null there, and leaves the tenant's default as it is. */
const withoutUnset = (resolvedConfig: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(resolvedConfig).filter(([, value]) => value !== null));

export async function resolveDomain(
  q: Queryable,
  instance_id: string,
  text: string,
): Promise<ResolvedDomain> {
  const hostname = normaliseHostname(text);
  const owner = hostname === undefined ? undefined : await findHostnameOwner(q, instance_id, hostname);
  if (!owner) throw notFound('Hostname');
  return owner;
}
