import type { PrimitiveKind } from '../catalogue/primitives.contract.ts';
import type { ApprovedPrimitives } from '../catalogue/primitives.db.ts';
import { elementSlug } from '../catalogue/slugs.ts';
import { readConnectionRequirement } from '../connections/connection-requirements.ts';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { storable } from '../platform/json/storable-json.ts';
import { type AiDraft, isAnswer } from './ai-draft-shape.ts';

/**
 * Reads what a model wrote as a draft. It is data: slugs that nobody approved and fields that nobody asked for fall
 * away, whatever the text says. @returns undefined when it is not in shape
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

/** An object alone, or with something around it: a fence of Markdown, a word of explanation. */
function parseObject(text: string): unknown {
  for (const candidate of [text, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // The next one, if there is one.
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

/** Of a policy: approved models, alone or in lists, and settings that are numbers or yes and no. */
function policyIn(policy: JsonObject, isApproved: (slug: string) => boolean): JsonObject {
  const entries = Object.entries(policy).flatMap(([key, value]): [string, unknown][] => {
    if (!/^[a-z][a-z\d_]{0,39}$/.test(key)) return [];
    if (typeof value === 'number' || typeof value === 'boolean') return [[key, value]];
    if (Array.isArray(value)) {
      return [[key, value.flatMap((element) => elementSlug(element) ?? []).filter(isApproved)]];
    }
    const slug = isJsonObject(value) || typeof value === 'string' ? elementSlug(value) : undefined;
    return slug !== undefined && isApproved(slug) ? [[key, slug]] : [];
  });
  return Object.fromEntries(entries);
}
