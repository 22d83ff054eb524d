import type { StrippedKind } from '../contract/save-from-instance.ts';
import type { Queryable, TenantQueryable } from '../db/queryable.ts';
import { findConfigLayers, findHostnameOwner, type ResolvedDomain } from '../db/shared-hosting.ts';
import { notFound } from '../errors.ts';
import type { JsonObject } from '../json-object.ts';
import { redactJson } from './capture/redacted-json.ts';
import { Redactor } from './capture/redaction.ts';
import { mergePatch } from './composition/merge-patch.ts';
import { inTurns } from './in-turns.ts';
import type { Keyring } from './keyring.ts';
import { listSecrets } from './known-values.ts';
import { normaliseHostname } from './websites.ts';

const SECRET_KINDS: ReadonlySet<StrippedKind> = new Set<StrippedKind>(['api_key', 'credential', 'secret']);
/** Long enough not to be a folder's name, and no address: what is left of credentials that are not secret. */
const looksSecret = (text: string) => text.length >= 12 && !/\s|^https?:/.test(text);

/** What an instance is to one of its customers, without secrets (contract, section 7). */
export async function mergedConfig(
  q: TenantQueryable,
  keyring: Keyring,
  instance_id: string,
  customer_id: string,
): Promise<{ config: JsonObject; customer_id: string; instance_id: string; timezone: string }> {
  const [layers, secrets] = await Promise.all([
    findConfigLayers(q, instance_id, customer_id),
    listSecrets(q, keyring, instance_id, customer_id),
  ]);
  if (!layers) throw notFound('Customer');
  const { defaults, resolved_config, own, ...about } = layers;
  const merged = [withoutUnset(resolved_config), own].reduce(mergePatch, defaults);
  const known = secrets.filter(({ text }) => looksSecret(text));
  const redactor = new Redactor(known, SECRET_KINDS);
  const { value } = await inTurns(redactJson(merged, '', redactor, SECRET_KINDS));
  return { config: value as JsonObject, ...about };
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
