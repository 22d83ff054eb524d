import { limitLists } from '../catalogue/list-bounds.ts';
import { conflict, ValidationError } from '../platform/errors.ts';
import { limitValue, tooLong } from '../platform/json/document-limit.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { sizeOf } from '../platform/json/json-size.ts';
import { type Composition, compose, type RecipeConfiguration } from './composition/composition.ts';
import { type Effects, effectsOf } from './composition/effects.ts';
import { enforcesPins, PIN_ENFORCED } from './composition/pin-enforcement.ts';
import { planHash } from './composition/plan-hash.ts';
import { checkPrimitives } from './composition/primitive-check.ts';
import { pinNotSet, unknownModel } from './composition/violations.ts';
import { unknownModels } from './fields/model-policy.ts';
import { REFERENCE } from './manifests.contract.ts';
import { capabilitiesOf } from './manifests.ts';
import type { AgentConfiguration } from './recipe-fields.contract.ts';
import type { RecipeRow } from './recipes.db.ts';
import { findKnown, type Known } from './surroundings.db.ts';

/** Below every recipe. */
const PLATFORM_DEFAULTS: RecipeConfiguration = {};

const RESOLVED_KIB = 512;

/** The result of deploying a recipe with overrides. */
export interface Plan extends Composition {
  plan_hash: string;
  effects: Effects;
  /** The configuration's manifest if it is offered, otherwise the built-in one. */
  applied_manifest_id: string;
}

export interface PlanServices {
  settings: { llm: { model: string } | undefined };
}

/** Everything that configurations are checked against, with LLM_MODEL as a known model. */
export const findSurroundings = ({ settings }: PlanServices) => findKnown(settings.llm?.model);

export const hashOf = (recipe: Pick<RecipeRow, 'id' | 'revision'>, resolved_config: JsonObject): string =>
  planHash({
    recipe_id: recipe.id,
    revision: recipe.revision,
    resolved_config: resolved_config as AgentConfiguration,
  });

export const configurationOf = (recipe: RecipeRow, overrides: JsonObject | null): Composition =>
  compose({ platform: PLATFORM_DEFAULTS, recipe, overrides });

/**
 * Composes a recipe with overrides, and checks the result against approved primitives and acting keys.
 * @param manifest_id the deploy's manifest. Like hosting mode and capacity it is not part of the plan hash; after
 * hashing it is stored as an override, so readers find it in the configuration
 */
export function planOf(
  recipe: RecipeRow,
  overrides: JsonObject | null,
  known: Known,
  manifest_id: string | null = null,
): Plan {
  const composition = configurationOf(recipe, overrides);
  const plan_hash = planHash({
    recipe_id: recipe.id,
    revision: recipe.revision,
    resolved_config: composition.resolved_config,
  });
  const { resolved_config, provenance, violations } = withManifest(composition, manifest_id);
  const applied = appliedManifest(resolved_config.manifest_id, known);
  const acting = effectsOf(resolved_config, { ...known, ...applied });
  const unknown = unknownModels(resolved_config, known.models);
  return {
    resolved_config,
    provenance,
    effects: acting.effects,
    violations: [
      ...violations,
      ...checkPrimitives(resolved_config, known.approved),
      ...acting.violations,
      ...unknown.map(({ path, model }) => unknownModel(path, model)),
    ],
    plan_hash,
    applied_manifest_id: applied.id,
  };
}

function withManifest(composition: Composition, manifest_id: string | null): Composition {
  if (manifest_id === null) return composition;
  return {
    ...composition,
    resolved_config: { ...composition.resolved_config, manifest_id },
    provenance: { ...composition.provenance, '/manifest_id': 'override' },
  };
}

/** An unknown or inactive manifest is no error: the built-in one applies (contract, section 12). */
function appliedManifest(named: string | null, known: Known) {
  const id = named !== null && known.manifests.has(named) ? named : REFERENCE;
  return { id, capabilities: capabilitiesOf(known, id), knowsManifest: id === named };
}

/** Warns about an enforced PIN policy for a customer without a PIN, because nobody could use protected skills. */
export function planFor(plan: Plan, customer: { has_pin: boolean }): Plan {
  if (customer.has_pin || !enforcesPins(plan.resolved_config)) return plan;
  return { ...plan, violations: [...plan.violations, pinNotSet(PIN_ENFORCED)] };
}

/** 422 for overrides over the limit (contract, section 11). */
export function limitOverrides(overrides: JsonObject | null): void {
  const loc = ['body', 'instance_overrides'];
  limitValue(overrides, loc);
  limitLists(overrides, loc);
}

/** 422 for a configuration that is too large to deploy (contract, section 11). */
export function limitResolved(resolved_config: object, overrides: JsonObject | null): void {
  const bytes = RESOLVED_KIB * 1024;
  if (sizeOf(resolved_config).bytes <= bytes) return;
  const loc = ['body', overrides === null ? 'recipe_id' : 'instance_overrides'];
  throw new ValidationError([
    tooLong(loc, `The configuration would have more than ${RESOLVED_KIB} KiB as JSON`),
  ]);
}

/** 409 unless the client saw this plan. */
export function expectPlan({ plan_hash }: Plan, expected: string | null): void {
  if (expected !== null && expected !== plan_hash) {
    throw conflict('The plan has changed since it was checked; check the deploy again');
  }
}
