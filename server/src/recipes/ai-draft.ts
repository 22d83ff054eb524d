import { Ajv, type ValidateFunction } from 'ajv';
import type { PrimitiveKind } from '../catalogue/primitives.contract.ts';
import type { ApprovedPrimitives } from '../catalogue/primitives.db.ts';
import { elementSlug } from '../catalogue/slugs.ts';
import { readConnectionRequirement } from '../connections/connection-requirements.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { storable } from '../platform/json/storable-json.ts';
import { MODEL_POLICY_KEYS } from './fields/model-policy.ts';
import { isInRange } from './fields/read-key.ts';

/** Specification 2.10. */
export interface AiDraft {
  name: string;
  description: string;
  system_prompt: string;
  skills: string[];
  channel_types: string[];
  connection_requirements: JsonObject[];
  model_policy: JsonObject;
}

/** The requested shape. Strict schemas require every member and allow no others. */
export const DRAFT_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'A short name, at most 200 characters' },
    description: { type: 'string', description: 'One or two sentences for the people who choose the agent' },
    system_prompt: { type: 'string', description: 'The instructions that the agent works by' },
    skills: { type: 'array', items: { type: 'string' } },
    channel_types: { type: 'array', items: { type: 'string' } },
    connection_requirements: {
      type: 'array',
      items: {
        type: 'object',
        properties: { provider: { type: 'string' }, optional: { type: 'boolean' } },
        required: ['provider', 'optional'],
        additionalProperties: false,
      },
    },
    model_policy: {
      type: 'object',
      properties: { model: { type: ['string', 'null'] } },
      required: ['model'],
      additionalProperties: false,
    },
  },
  required: [
    'name',
    'description',
    'system_prompt',
    'skills',
    'channel_types',
    'connection_requirements',
    'model_policy',
  ],
  additionalProperties: false,
} as const;

const elements = { type: 'array', maxItems: 200, items: { type: ['string', 'object'] } };

/** The accepted shape: models that ignore the schema write objects for slugs and add members. */
const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    description: { type: 'string', maxLength: 10_000 },
    system_prompt: { type: 'string', maxLength: 50_000 },
    skills: elements,
    channel_types: elements,
    connection_requirements: elements,
    model_policy: { type: ['object', 'null'], maxProperties: 50 },
  },
  required: ['name', 'description', 'system_prompt', 'skills', 'channel_types', 'connection_requirements'],
};

type Answer = Omit<AiDraft, 'skills' | 'channel_types' | 'connection_requirements' | 'model_policy'> & {
  skills: unknown[];
  channel_types: unknown[];
  connection_requirements: unknown[];
  model_policy?: JsonObject | null;
};

let validate: ValidateFunction<Answer> | undefined;

/** Ignores further members. Compiles the schema at first use. */
function isAnswer(value: unknown): value is Answer {
  validate ??= new Ajv({ strict: false }).compile<Answer>(ANSWER_SCHEMA);
  return validate(value);
}

/**
 * Drops slugs that are not approved and members that were not requested.
 * @returns undefined for text of another shape
 */
export function readDraft(text: string, approved: ApprovedPrimitives): AiDraft | undefined {
  const answer = storable(parseObject(text));
  if (!isAnswer(answer)) return undefined;
  const { name, description, system_prompt } = answer;
  const isApproved = (kind: PrimitiveKind) => (slug: string) => approved.get(kind)?.has(slug) === true;
  const slugsOf = (kind: PrimitiveKind, given: readonly unknown[]) =>
    [...new Set(given.flatMap((element) => elementSlug(element) ?? []))].filter(isApproved(kind));
  return {
    name,
    description,
    system_prompt,
    skills: slugsOf('skill', answer.skills),
    channel_types: slugsOf('channel', answer.channel_types),
    connection_requirements: requirementsIn(answer.connection_requirements, isApproved('integration')),
    model_policy: policyIn(answer.model_policy ?? {}, isApproved('model')),
  };
}

/** The object may be surrounded by text, such as a Markdown fence. */
function parseObject(text: string): unknown {
  for (const candidate of [text, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // Try the next candidate.
    }
  }
  return undefined;
}

function requirementsIn(given: readonly unknown[], isApproved: (slug: string) => boolean): JsonObject[] {
  const byProvider = new Map<string, JsonObject>();
  for (const element of given) {
    const requirement = readConnectionRequirement(element);
    if (!requirement || !isApproved(requirement.provider) || byProvider.has(requirement.provider)) continue;
    const { provider, optional } = requirement;
    byProvider.set(provider, { provider, ...(optional && { optional }) });
  }
  return [...byProvider.values()];
}

/** Keeps keys that something acts on, with approved models or valid numbers. */
function policyIn(policy: JsonObject, isApproved: (slug: string) => boolean): JsonObject {
  const entries = Object.entries(policy).flatMap(([key, value]): [string, unknown][] => {
    const acting = Object.hasOwn(MODEL_POLICY_KEYS, key) ? MODEL_POLICY_KEYS[key] : undefined;
    if (!acting) return [];
    const number = typeof value === 'number' ? value : undefined;
    const kept = acting.namesModels ? modelsIn(value, isApproved) : number;
    return isInRange(acting, kept) ? [[key, kept]] : [];
  });
  return Object.fromEntries(entries);
}

/** Approved slugs of a list, or of a single value; undefined if that is not approved. */
function modelsIn(value: unknown, isApproved: (slug: string) => boolean): string[] | string | undefined {
  const slugs = [value]
    .flat()
    .flatMap((element) => elementSlug(element) ?? [])
    .filter(isApproved);
  return Array.isArray(value) ? slugs : slugs[0];
}
