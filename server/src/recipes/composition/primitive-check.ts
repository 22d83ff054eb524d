import { closestMatch } from 'leven';
import type { PrimitiveKind } from '../../catalogue/primitives.contract.ts';
import type { ApprovedPrimitives } from '../../catalogue/primitives.db.ts';
import { elementSlug } from '../../catalogue/slugs.ts';
import { readConnectionRequirement } from '../../connections/connection-requirements.ts';
import { isJsonObject } from '../../platform/json/json-object.ts';
import { jsonPointer } from '../../platform/json/json-pointer.ts';
import { namedModels } from '../fields/model-policy.ts';
import type { AgentConfiguration } from '../recipe-fields.contract.ts';
import { notApproved, type Violation, withoutSlug } from './violations.ts';

interface Reference {
  kind: PrimitiveKind;
  path: string;
  slug: string | undefined;
}

const ARRAYS = [
  { field: 'skills', kind: 'skill', slugOf: elementSlug },
  { field: 'channel_types', kind: 'channel', slugOf: elementSlug },
  {
    field: 'connection_requirements',
    kind: 'integration',
    slugOf: (element: unknown) => readConnectionRequirement(element)?.provider,
  },
  { field: 'mcp_servers', kind: 'mcp_server', slugOf: elementSlug },
  { field: 'workflow_slugs', kind: 'workflow', slugOf: elementSlug },
] as const;

/**
 * The most that a recipe and overrides within the limits can have. Recipes from before the limits could have a million.
 */
const MAX_VIOLATIONS = 20_000;

/** A search for what was meant compares letters with every approved slug. */
const MAX_SUGGESTIONS = 20;
const MAX_COMPARED = 200;

/**
 * Compares a configuration's primitives with the tenant's approved ones (specification 4.1, behaviour 2). An empty or
 * absent kind approves nothing. An element without a slug is an invalid_value.
 */
export function checkPrimitives(
  resolvedConfig: Readonly<AgentConfiguration>,
  approved: ApprovedPrimitives,
): Violation[] {
  const violations: Violation[] = [];
  for (const { kind, path, slug } of references(resolvedConfig)) {
    if (slug !== undefined && approved.get(kind)?.has(slug)) continue;
    const near = violations.length < MAX_SUGGESTIONS ? closestSlug(slug, approved.get(kind)) : undefined;
    violations.push(slug === undefined ? withoutSlug(path, kind) : notApproved(path, kind, slug, near));
    if (violations.length === MAX_VIOLATIONS) break;
  }
  return violations;
}

function closestSlug(slug = '', approved: ReadonlySet<string> = new Set()): string | undefined {
  if (slug.length > MAX_COMPARED || approved.size > MAX_COMPARED) return undefined;
  return closestMatch(slug, [...approved], { maxDistance: Math.ceil(slug.length / 4) });
}

function* references(config: Readonly<AgentConfiguration>): Generator<Reference> {
  for (const { field, kind, slugOf } of ARRAYS) {
    for (const [index, element] of config[field].entries()) {
      yield { kind, path: jsonPointer(field, index), slug: slugOf(element) };
    }
  }
  for (const { path, model } of namedModels(config)) yield { kind: 'model', path, slug: model };
  for (const [index, sidecar] of config.sidecars.entries()) {
    const runtime = isJsonObject(sidecar) ? (sidecar.runtime ?? null) : null;
    // The runtime is optional.
    if (runtime === null) continue;
    yield {
      kind: 'sidecar_runtime',
      path: jsonPointer('sidecars', index, 'runtime'),
      slug: elementSlug(runtime),
    };
  }
}
