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

/** Everything besides the configuration that the effects depend on. */
export interface Surroundings {
  /** Those of the manifest that applies. */
  capabilities: Capabilities;
  /** The configuration names an offered manifest. */
  knowsManifest: boolean;
  /** Ids of the tenant. */
  rules_templates: ReadonlySet<string>;
  onboarding_flows: ReadonlySet<string>;
}

type Report = (violation: Violation) => void;

interface Context extends Surroundings {
  report: Report;
}

/** Set fields with their parts. Reports values out of range. */
export function* fieldParts(
  config: Readonly<AgentConfiguration>,
  surroundings: Surroundings,
  report: Report,
): Generator<[FieldName, Part]> {
  const context = { ...surroundings, report };
  for (const [name, value] of Object.entries(config) as [FieldName, unknown][]) {
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    yield [name, partsOf(name, value, config, context)];
  }
}

function partsOf(
  name: FieldName,
  value: unknown,
  config: Readonly<AgentConfiguration>,
  context: Context,
): Part {
  switch (name) {
    case 'manifest_id':
      return partIfKnown(context.knowsManifest, 'no such manifest is offered, so the built-in one applies');
    case 'rules_template_id':
      return partIfKnown(
        context.rules_templates.has(String(value).toLowerCase()),
        'there is no such rules template',
      );
    case 'onboarding_flow_id':
      return partIfKnown(
        context.onboarding_flows.has(String(value).toLowerCase()),
        'there is no such onboarding flow',
      );
    case 'idle_minutes':
      return { effect: 'control_plane' };
    case 'module_config':
      return moduleParts(value, config, context);
    case 'approval_rules':
      return approvalParts(value, config, context);
    case 'skills':
      return slugParts(name, value, context, {
        act: context.capabilities.skills,
        kind: 'skill',
        keys: ELEMENT_KEYS.skills,
      });
    case 'channel_types':
      return slugParts(name, value, context, {
        act: context.capabilities.channels,
        kind: 'channel',
        keys: {},
      });
    case 'connection_requirements':
      return elementParts(name, value, (element, at) => requirementPart(element, at, context));
    case 'mcp_servers':
    case 'trigger_templates':
      return elementParts(name, value, (element, at) =>
        keyedElement(element, at, ELEMENT_KEYS[name], REQUIRED_KEYS[name], context),
      );
    case 'channel_config':
    case 'compliance_config':
    case 'data_access':
    case 'model_policy':
      return objectParts(name, value, OBJECT_KEYS[name], context);
    default:
      return whole(name, context);
  }
}

/** Fields left to runtimes. Sidecars would need an engine that starts them. */
function whole(name: FieldName, { capabilities }: Context): Part {
  if (name === 'sidecars') return nobody({ explanation: 'runtimes are started without sidecars' });
  return capabilities.fields.includes(name) ? { effect: 'runtime' } : nobody();
}

const partIfKnown = (isKnown: boolean, explanation: string): Part =>
  isKnown ? { effect: 'control_plane' } : nobody({ explanation });

/** Keys unknown to the control plane belong to the runtime if its manifest names the field. */
const otherKeys = (name: FieldName, { capabilities }: Context): Effect =>
  capabilities.fields.includes(name) ? 'runtime' : 'nobody';

function objectParts(name: FieldName, value: unknown, keys: ActingKeys, context: Context): Part {
  if (!isJsonObject(value)) return nobody();
  const others = otherKeys(name, context);
  const parts = Object.entries(value).map(([key, member]): Below => {
    const acting = ownKey(keys, key);
    return [key, acting ? keyPart(acting, member, jsonPointer(name, key), context) : { effect: others }];
  });
  return partOf(parts, firstActor(keys));
}

const firstActor = (keys: ActingKeys): Effect => Object.values(keys)[0]?.by ?? 'nobody';

const ownKey = (keys: ActingKeys, key: string): ActingKey | undefined =>
  Object.hasOwn(keys, key) ? keys[key] : undefined;

/** A value out of range has its own violation, so it is not also `nobody`. */
function keyPart(key: ActingKey, value: unknown, at: string, { report }: Context): Part {
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

/** Elements without a part have a violation of their own. */
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
  /** Slugs that act. */
  act: readonly string[];
  kind: 'skill' | 'channel';
  keys: ActingKeys;
}

function slugParts(name: FieldName, value: unknown, context: Context, { act, kind, keys }: SlugList): Part {
  const acting = new Set(act);
  return elementParts(name, value, (element, at) => {
    const slug = elementSlug(element);
    // checkPrimitives reports it.
    if (slug === undefined) return undefined;
    const reason: Reason = { explanation: `the manifest has no ${kind} "${slug}"`, kind, slug };
    if (!acting.has(slug)) return nobody(reason);
    if (!isJsonObject(element)) return { effect: 'runtime' };
    return slugObject(element, at, { slugKey: slugKeyOf(element, SLUG_KEYS), by: 'runtime', keys }, context);
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
  context: Context,
): Part {
  const parts = Object.entries(element).map(([key, member]): Below => {
    if (key === slugKey) return [key, { effect: by }];
    const acting = ownKey(keys, key);
    return [key, acting ? keyPart(acting, member, at + jsonPointer(key), context) : nobody()];
  });
  return { effect: by, parts };
}

function requirementPart(element: unknown, at: string, context: Context): Part | undefined {
  if (typeof element === 'string') return { effect: 'control_plane' };
  const slugKey = isJsonObject(element) ? slugKeyOf(element, PROVIDER_KEYS) : undefined;
  if (!isJsonObject(element) || slugKey === undefined) return undefined;
  const keys = ELEMENT_KEYS.connection_requirements;
  return slugObject(element, at, { slugKey, by: 'control_plane', keys }, context);
}

function keyedElement(
  element: unknown,
  at: string,
  keys: ActingKeys,
  required: readonly string[],
  context: Context,
): Part {
  const lacking = required.filter(
    (key) => !isJsonObject(element) || (ownMember(element, key) ?? null) === null,
  );
  if (!isJsonObject(element) || lacking.length > 0)
    return nobody({ explanation: `it has no ${lacking.join(' and no ')}` });
  return slugObject(element, at, { slugKey: undefined, by: 'control_plane', keys }, context);
}

/** Settings of skills that the configuration does not have have no effect. */
function moduleParts(value: unknown, config: Readonly<AgentConfiguration>, context: Context): Part {
  if (!isJsonObject(value)) return nobody();
  const others = otherKeys('module_config', context);
  const slugs = new Set(config.skills.map(elementSlug));
  const parts = Object.entries(value).map(([slug, settings]): Below => {
    if (!slugs.has(slug)) return [slug, { effect: others }];
    if (!isJsonObject(settings)) {
      context.report(invalidValue(jsonPointer('module_config', slug), 'an object with enabled'));
      return [slug, { effect: MODULE_ENABLED.by }];
    }
    const members = Object.entries(settings).map(
      ([key, member]): Below => [
        key,
        key === 'enabled'
          ? keyPart(MODULE_ENABLED, member, jsonPointer('module_config', slug, key), context)
          : { effect: others },
      ],
    );
    return [slug, partOf(members, MODULE_ENABLED.by)];
  });
  return partOf(parts, MODULE_ENABLED.by);
}

function approvalParts(
  value: unknown,
  { mcp_servers }: Readonly<AgentConfiguration>,
  context: Context,
): Part {
  const part = objectParts('approval_rules', value, OBJECT_KEYS.approval_rules, context);
  const rules = isJsonObject(value) ? ownMember(value, 'require') : undefined;
  const { require } = OBJECT_KEYS.approval_rules;
  if (!require || !Array.isArray(rules) || !isInRange(require, rules)) return part;
  const explanation = 'no tool of the configuration has such a name';
  const canMatch = toolMatcher(mcp_servers);
  const parts = rules.map(
    (rule: { tool: string }, index): Below => [
      index,
      canMatch(rule.tool) ? { effect: require.by } : nobody({ explanation }),
    ],
  );
  const others = (part.parts ?? []).filter(([key]) => key !== 'require');
  return partOf([['require', partOf(parts, require.by)], ...others], require.by);
}
