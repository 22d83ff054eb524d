import { elementSlug } from '../../catalogue/slugs.ts';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import type { ActingKeys } from './acting-key.ts';
import { ELEMENT_KEYS, OBJECT_KEYS } from './field-keys.ts';
import { MODULE_ENABLED } from './module-config.ts';
import { isInRange } from './read-key.ts';

/** Elements of these lists need a slug. */
const SLUG_LISTS = ['skills', 'channel_types', 'workflow_slugs'] as const;

/**
 * Keys that fail closed: the control plane applies the strictest effect for an invalid value, whereas absence would be
 * more permissive (contract, section 12).
 */
const FAIL_CLOSED: Readonly<Record<string, readonly string[]>> = {
  approval_rules: ['require'],
  compliance_config: ['retention_days'],
  data_access: ['folder_ids', 'drive'],
  mcp_servers: ['allowed_tools'],
  model_policy: ['budget'],
};

/** Removes values out of range, which count as absent. */
export function withoutInvalid(config: JsonObject): JsonObject {
  const read: JsonObject = { ...config };
  for (const [name, keys] of Object.entries(OBJECT_KEYS)) {
    const value = config[name];
    if (isJsonObject(value)) read[name] = inRange(value, keys, FAIL_CLOSED[name]);
  }
  for (const [name, keys] of Object.entries(ELEMENT_KEYS)) {
    const value = config[name];
    if (!Array.isArray(value)) continue;
    read[name] = value.map((element: unknown) =>
      isJsonObject(element) ? inRange(element, keys, FAIL_CLOSED[name]) : element,
    );
  }
  for (const name of SLUG_LISTS) {
    const list = read[name];
    if (Array.isArray(list)) read[name] = list.filter((element) => elementSlug(element) !== undefined);
  }
  if (isJsonObject(config.module_config))
    read.module_config = validModules(config.module_config, read.skills);
  return read;
}

/** Only settings of the configuration's skills must be objects; others are unused. */
function validModules(modules: JsonObject, skills: unknown): JsonObject {
  const slugs = new Set(Array.isArray(skills) ? skills.map(elementSlug) : []);
  const keys = { enabled: MODULE_ENABLED };
  return Object.fromEntries(
    Object.entries(modules).flatMap(([slug, settings]) => {
      if (!slugs.has(slug)) return [[slug, settings]];
      return isJsonObject(settings) ? [[slug, inRange(settings, keys)]] : [];
    }),
  );
}

function inRange(value: JsonObject, keys: ActingKeys, kept: readonly string[] = []): JsonObject {
  const broken = Object.entries(keys).filter(
    ([key, acting]) =>
      !kept.includes(key) &&
      (value[key] ?? null) !== null &&
      Object.hasOwn(value, key) &&
      !isInRange(acting, value[key]),
  );
  if (broken.length === 0) return value;
  const names = new Set(broken.map(([key]) => key));
  return Object.fromEntries(Object.entries(value).filter(([key]) => !names.has(key)));
}
