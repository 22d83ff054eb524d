import type { JsonObject } from '../../platform/json/json-object.ts';
import { jsonPointer } from '../../platform/json/json-pointer.ts';
import { type AgentConfiguration, CONFIGURATION_FIELDS, unsetValue } from '../recipe-fields.contract.ts';
import { mergePatch } from './merge-patch.ts';
import { checkOverrides } from './override-check.ts';
import { originsOf, type Provenance } from './provenance.ts';
import type { Violation } from './violations.ts';

/** As stored in a recipe; null and absent fields are unset. */
export type RecipeConfiguration = { readonly [Name in keyof AgentConfiguration]?: unknown };

/** Weakest first. */
export interface Layers {
  platform: RecipeConfiguration;
  recipe: RecipeConfiguration;
  /** A JSON Merge Patch (RFC 7396) from the client. */
  overrides?: Readonly<JsonObject> | null | undefined;
}

export interface Composition {
  resolved_config: AgentConfiguration;
  provenance: Provenance;
  violations: Violation[];
}

/**
 * Composes platform defaults ← recipe ← overrides (contract 4). A recipe's field replaces the platform's; an override
 * is merged. Invalid overrides become violations and change nothing. The result shares structure with the layers: treat
 * both as read-only.
 */
export function compose({ platform, recipe, overrides }: Layers): Composition {
  const { patches, violations } = checkOverrides(overrides ?? {});
  const resolved: JsonObject = {};
  const provenance: Provenance = {};
  for (const { name } of CONFIGURATION_FIELDS) {
    const ofRecipe = recipe[name] ?? null;
    const base = ofRecipe ?? platform[name] ?? null;
    const patch = patches.get(name);
    const value = (patch === undefined ? base : mergePatch(base, patch)) ?? unsetValue(name);
    const origin = ofRecipe === null ? 'platform' : 'recipe';
    resolved[name] = value;
    Object.assign(provenance, originsOf(jsonPointer(name), { base, patch, value }, origin));
  }
  return { resolved_config: resolved as AgentConfiguration, provenance, violations };
}
