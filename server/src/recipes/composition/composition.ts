import type { JsonObject } from '../../platform/json/json-object.ts';
import { jsonPointer } from '../../platform/json/json-pointer.ts';
import type { Steps } from '../../platform/load/in-turns.ts';
import {
  type AgentConfiguration,
  CONFIGURATION_FIELDS,
  type ConfigurationField,
  unsetValue,
} from './composition-fields.ts';
import { mergePatch } from './merge-patch.ts';
import { checkOverrides } from './override-check.ts';
import { type Provenance, recordOrigins } from './provenance.ts';
import { countViolation, type Violation } from './violations.ts';

/** Configuration fields as a recipe holds them; null and absent say nothing. */
export type RecipeConfiguration = { readonly [F in ConfigurationField]?: AgentConfiguration[F] | null };

/** The layers of a configuration, weakest first. */
export interface Layers {
  platform: Readonly<Partial<AgentConfiguration>>;
  recipe: RecipeConfiguration;
  /** A JSON Merge Patch (RFC 7396) on the configuration fields, as the client sent it. */
  overrides?: Readonly<JsonObject> | null | undefined;
}

export interface Composition {
  resolved_config: AgentConfiguration;
  provenance: Provenance;
  violations: Violation[];
}

/**
 * Composes platform defaults ← recipe ← overrides (contract 4). A recipe's field replaces the platform's whole;
 * an override is merged into it. Overrides that do not fit become violations and leave the field as it was.
 *
 * The result shares structure with the layers: treat both as read-only. `count` is shown what is said
 * of values, and may throw.
 */
export function* compose(
  { platform, recipe, overrides }: Layers,
  count: (text: string) => void,
): Steps<Composition> {
  const { patches, violations } = checkOverrides(overrides ?? {});
  for (const violation of violations) countViolation(violation, count);
  const resolved: JsonObject = {};
  const provenance: Provenance = {};
  for (const { name, kind } of CONFIGURATION_FIELDS) {
    const ofRecipe = recipe[name] ?? null;
    const inherited = ofRecipe ?? platform[name] ?? null;
    const patch = patches.get(name);
    const value = (patch === undefined ? inherited : mergePatch(inherited, patch)) ?? unsetValue(kind);
    resolved[name] = value;
    yield* recordOrigins(
      provenance,
      jsonPointer(name),
      value,
      patch,
      ofRecipe === null ? 'platform' : 'recipe',
      count,
    );
  }
  return { resolved_config: resolved as AgentConfiguration, provenance, violations };
}
