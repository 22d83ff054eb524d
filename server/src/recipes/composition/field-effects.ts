import { elementSlug } from '../../catalogue/slugs.ts';
import { isJsonObject, type JsonObject, ownMember } from '../../platform/json/json-object.ts';
import { jsonPointer } from '../../platform/json/json-pointer.ts';
import type { ActingKey, ActingKeys } from '../fields/acting-key.ts';
import { ELEMENT_KEYS, OBJECT_KEYS, REQUIRED_KEYS } from '../fields/field-keys.ts';
import { MODULE_ENABLED } from '../fields/module-config.ts';
import { isInRange } from '../fields/read-key.ts';
import type { Capabilities } from '../manifests.contract.ts';
import type { AgentConfiguration } from '../recipe-fields.contract.ts';
import { toolMatcher } from './approval-effects.ts';
import { type Below, type Effect, nobody, type Part, partOf, type Reason } from './parts.ts';
import { invalidValue, type Violation } from './violations.ts';

type FieldName = keyof AgentConfiguration;

/** Everything that decides, beside a configuration, who acts on it. */
export interface Surroundings {
  /** The capabilities of the manifest that applies. */
  capabilities: Capabilities;
  /** True where the configuration names a manifest that is offered. */
  knowsManifest: boolean;
  /** The ids that the tenant has. */
  rules_templates: ReadonlySet<string>;
  onboarding_flows: ReadonlySet<string>;
}

type Report = (violation: Violation) => void;

interface Look extends Surroundings {
  report: Report;
}

/** The fields that are set, with the parts of each. Values out of range are reported. */
export function* fieldParts(
  config: Readonly<AgentConfiguration>,
  surroundings: Surroundings,
  report: Report,
): Generator<[FieldName, Part]> {
  const look = { ...surroundings, report };
  for (const [name, value] of Object.entries(config) as [FieldName, unknown][]) {
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    yield [name, partsOf(name, value, config, look)];
  }
}

function partsOf(name: FieldName, value: unknown, config: Readonly<AgentConfiguration>, look: Look): Part {
  switch (name) {
    case 'manifest_id':
      return known(look.knowsManifest, 'no such manifest is offered, so the built-in one applies');
    case 'rules_template_id':
      return known(look.rules_templates.has(String(value).toLowerCase()), 'there is no such rules template');
    case 'onboarding_flow_id':
      return known(
        look.onboarding_flows.has(String(value).toLowerCase()),
        'there is no such onboarding flow',
      );
    case 'module_config':
      return moduleParts(value, config, look);
    case 'approval_rules':
      return approvalParts(value, config, look);
    case 'skills':
      return slugParts(name, value, look, {
        act: look.capabilities.skills,
        kind: 'skill',
        keys: ELEMENT_KEYS.skills,
      });
    case 'channel_types':
      return slugParts(name, value, look, { act: look.capabilities.channels, kind: 'channel', keys: {} });
    case 'connection_requirements':
      return elementParts(name, value, (element, at) => requirementPart(element, at, look));
    case 'mcp_servers':
    case 'trigger_templates':
      return elementParts(name, value, (element, at) =>
        keyedElement(element, at, ELEMENT_KEYS[name], REQUIRED_KEYS[name], look),
      );
    case 'channel_config':
    case 'compliance_config':
    case 'data_access':
    case 'model_policy':
      return objectParts(name, value, OBJECT_KEYS[name], look);
    default:
      return whole(name, look);
  }
}

/** A field that the control plane leaves to runtimes. Sidecars take an engine that can run them. */
function whole(name: FieldName, { capabilities }: Look): Part {
  if (name === 'sidecars') return nobody({ words: 'runtimes are started without sidecars' });
  return capabilities.fields.includes(name) ? { effect: 'runtime' } : nobody();
}

const known = (isKnown: boolean, words: string): Part =>
  isKnown ? { effect: 'control_plane' } : nobody({ words });

/** A key that nothing of ours acts on is the runtime's where its manifest names the field. */
const otherKeys = (name: FieldName, { capabilities }: Look): Effect =>
  capabilities.fields.includes(name) ? 'runtime' : 'nobody';

function objectParts(name: FieldName, value: unknown, keys: ActingKeys, look: Look): Part {
  if (!isJsonObject(value)) return nobody();
  const others = otherKeys(name, look);
  const parts = Object.entries(value).map(([key, member]): Below => {
    const acting = ownKey(keys, key);
    return [key, acting ? keyPart(acting, member, jsonPointer(name, key), look) : { effect: others }];
  });
  return partOf(parts, firstActor(keys));
}

const firstActor = (keys: ActingKeys): Effect => Object.values(keys)[0]?.by ?? 'nobody';

const ownKey = (keys: ActingKeys, key: string): ActingKey | undefined =>
  Object.hasOwn(keys, key) ? keys[key] : undefined;

/** A value that is out of its range counts as absent, so that it is no `nobody` beside the violation. */
function keyPart(key: ActingKey, value: unknown, at: string, { report }: Look): Part {
  if (value === null) return { effect: key.by };
  if (!isInRange(key, value)) {
    report(invalidValue(at, key.expected));
    return { effect: key.by };
  }
  if (!key.members || !isJsonObject(value)) return { effect: key.by };
  const { by, members } = key;
  const parts = Object.keys(value).map(
    (member): Below => [member, members.includes(member) ? { effect: by } : nobody()],
  );
  return partOf(parts, by);
}

/** Elements that are undefined have a violation of their own and count as absent. */
function elementParts(
  name: FieldName,
  value: unknown,
  partAt: (element: unknown, at: string) => Part | undefined,
): Part {
  const elements: unknown[] = Array.isArray(value) ? value : [];
  const parts = elements.flatMap((element, index): Below[] => {
    const part = partAt(element, jsonPointer(name, index));
    return part ? [[index, part]] : [];
  });
  return partOf(parts, 'control_plane');
}

interface SlugList {
  /** The slugs that act. */
  act: readonly string[];
  kind: 'skill' | 'channel';
  keys: ActingKeys;
}

function slugParts(name: FieldName, value: unknown, look: Look, { act, kind, keys }: SlugList): Part {
  const acting = new Set(act);
  return elementParts(name, value, (element, at) => {
    const slug = elementSlug(element);
    // Reported as such beside the primitives.
    if (slug === undefined) return undefined;
    const reason: Reason = { words: `the manifest has no ${kind} "${slug}"`, kind, slug };
    if (!acting.has(slug)) return nobody(reason);
    if (!isJsonObject(element)) return { effect: 'runtime' };
    return slugObject(element, at, { slugKey: slugKeyOf(element, SLUG_KEYS), by: 'runtime', keys }, look);
  });
}

const SLUG_KEYS = ['slug', 'type', 'name', 'id'] as const;
const PROVIDER_KEYS = ['provider', 'slug', 'type', 'name', 'id'] as const;

const slugKeyOf = (element: JsonObject, keys: readonly string[]) =>
  keys.find((key) => typeof ownMember(element, key) === 'string');

function slugObject(
  element: JsonObject,
  at: string,
  { slugKey, by, keys }: { slugKey: string | undefined; by: Effect; keys: ActingKeys },
  look: Look,
): Part {
  const parts = Object.entries(element).map(([key, member]): Below => {
    if (key === slugKey) return [key, { effect: by }];
    const acting = ownKey(keys, key);
    return [key, acting ? keyPart(acting, member, at + jsonPointer(key), look) : nobody()];
  });
  return { effect: by, parts };
}

function requirementPart(element: unknown, at: string, look: Look): Part | undefined {
  if (typeof element === 'string') return { effect: 'control_plane' };
  const slugKey = isJsonObject(element) ? slugKeyOf(element, PROVIDER_KEYS) : undefined;
  if (!isJsonObject(element) || slugKey === undefined) return undefined;
  const keys = ELEMENT_KEYS.connection_requirements;
  return slugObject(element, at, { slugKey, by: 'control_plane', keys }, look);
}

function keyedElement(
  element: unknown,
  at: string,
  keys: ActingKeys,
  required: readonly string[],
  look: Look,
): Part {
  const lacking = required.filter(
    (key) => !isJsonObject(element) || (ownMember(element, key) ?? null) === null,
  );
  if (!isJsonObject(element) || lacking.length > 0)
    return nobody({ words: `it has no ${lacking.join(' and no ')}` });
  return slugObject(element, at, { slugKey: undefined, by: 'control_plane', keys }, look);
}

/** Settings of a skill that the configuration does not have change nothing. */
function moduleParts(value: unknown, config: Readonly<AgentConfiguration>, look: Look): Part {
  if (!isJsonObject(value)) return nobody();
  const others = otherKeys('module_config', look);
  const slugs = new Set(config.skills.map(elementSlug));
  const parts = Object.entries(value).map(([slug, settings]): Below => {
    if (!slugs.has(slug)) return [slug, { effect: others }];
    if (!isJsonObject(settings)) {
      look.report(invalidValue(jsonPointer('module_config', slug), 'an object with enabled'));
      return [slug, { effect: MODULE_ENABLED.by }];
    }
    const members = Object.entries(settings).map(
      ([key, member]): Below => [
        key,
        key === 'enabled'
          ? keyPart(MODULE_ENABLED, member, jsonPointer('module_config', slug, key), look)
          : { effect: others },
      ],
    );
    return [slug, partOf(members, MODULE_ENABLED.by)];
  });
  return partOf(parts, MODULE_ENABLED.by);
}

function approvalParts(value: unknown, { mcp_servers }: Readonly<AgentConfiguration>, look: Look): Part {
  const part = objectParts('approval_rules', value, OBJECT_KEYS.approval_rules, look);
  const rules = isJsonObject(value) ? ownMember(value, 'require') : undefined;
  const { require } = OBJECT_KEYS.approval_rules;
  if (!require || !Array.isArray(rules) || !isInRange(require, rules)) return part;
  const words = 'no tool of the configuration has such a name';
  const canMatch = toolMatcher(mcp_servers);
  const parts = rules.map(
    (rule: { tool: string }, index): Below => [
      index,
      canMatch(rule.tool) ? { effect: require.by } : nobody({ words }),
    ],
  );
  const others = (part.parts ?? []).filter(([key]) => key !== 'require');
  return partOf([['require', partOf(parts, require.by)], ...others], require.by);
}
