import type { ApprovedPrimitives } from '../catalogue/primitives.db.ts';
import { conflict, ValidationError } from '../platform/errors.ts';
import { limitValue, tooLong } from '../platform/json/document-limit.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { sizeOf } from '../platform/json/json-size.ts';
import { type Composition, compose, type RecipeConfiguration } from './composition/composition.ts';
import { enforcesPins, PIN_ENFORCED } from './composition/pin-enforcement.ts';
import { planHash } from './composition/plan-hash.ts';
import { checkPrimitives } from './composition/primitive-check.ts';
import { pinNotSet } from './composition/violations.ts';
import type { RecipeRow } from './recipes.db.ts';

/** The defaults of the platform below every recipe. */
const PLATFORM_DEFAULTS: RecipeConfiguration = {};

const RESOLVED_KIB = 512;

/** The outcome that a deploy of a recipe with overrides would have. */
export interface Plan extends Composition {
  plan_hash: string;
}

/** The configuration that a recipe gives with overrides. */
export const configurationOf = (recipe: RecipeRow, overrides: JsonObject | null): Composition =>
  compose({ platform: PLATFORM_DEFAULTS, recipe, overrides });

/** Composes a recipe with overrides and checks the result against the primitives that the tenant approved. */
export function planOf(recipe: RecipeRow, overrides: JsonObject | null, approved: ApprovedPrimitives): Plan {
  const { resolved_config, provenance, violations } = configurationOf(recipe, overrides);
  return {
    resolved_config,
    provenance,
    violations: [...violations, ...checkPrimitives(resolved_config, approved)],
    plan_hash: planHash({ recipe_id: recipe.id, revision: recipe.revision, resolved_config }),
  };
}

/** The plan for a customer with or without a PIN: an enforced policy opens nothing without one. */
export function planFor(plan: Plan, customer: { has_pin: boolean }): Plan {
  if (customer.has_pin || !enforcesPins(plan.resolved_config)) return plan;
  return { ...plan, violations: [...plan.violations, pinNotSet(PIN_ENFORCED)] };
}

/** Throws 422 for overrides over the limit (contract, section 11). */
export const limitOverrides = (overrides: JsonObject | null): void =>
  limitValue(overrides, ['body', 'instance_overrides']);

/** Throws 422 for a configuration that is too large to be deployed (contract, section 11). */
export function limitResolved(resolved_config: object, overrides: JsonObject | null): void {
  const bytes = RESOLVED_KIB * 1024;
  if (sizeOf(resolved_config).bytes <= bytes) return;
  const loc = ['body', overrides === null ? 'recipe_id' : 'instance_overrides'];
  throw new ValidationError([
    tooLong(loc, `The configuration would have more than ${RESOLVED_KIB} KiB as JSON`),
  ]);
}

/** Refuses a plan that is not the one that the client was shown. */
export function expectPlan({ plan_hash }: Plan, expected: string | null): void {
  if (expected !== null && expected !== plan_hash) {
    throw conflict('The plan has changed since it was checked; check the deploy again');
  }
}
