import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../platform/errors.ts';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { jsonPointer } from '../platform/json/json-pointer.ts';
import { inTurns, type Steps } from '../platform/load/in-turns.ts';
import { ANY_SIZE, type LargeCall, LIGHT } from '../recipes/large-recipes.ts';
import { findPlanParts, type Plan, withPlan } from '../recipes/plans.ts';
import { findInstanceOverrides } from './deployments.db.ts';
import { findInstanceDetail, type InstanceDetailRow } from './instances.db.ts';
import { withInstanceDetail } from './instances.ts';

export interface Change {
  pointer: string;
  deployed: unknown;
  current: unknown;
}

export interface Drift {
  instance_id: string;
  recipe_id: string;
  deployed_revision: number;
  current_revision: number | null;
  drifted: boolean;
  changes: Change[];
}

/** An instance's configuration against the one that its recipe and the same overrides would give today. */
export async function readDrift<T>(
  call: LargeCall,
  id: string,
  use: (drift: Drift) => Promise<T>,
): Promise<T> {
  const { q } = call;
  const found = await findInstanceDetail(q, id, LIGHT.bytes);
  if (!found) throw notFound('Instance');
  const parts = await findPlanParts(q, found.recipe_id);
  if (!parts)
    return withInstanceDetail(call, id, async (instance) => use(await driftFrom(instance, undefined)));
  const isLarge = found.is_large || parts.recipe.is_large;
  const held = { ...parts, recipe: { ...parts.recipe, is_large: isLarge } };
  const findOverrides = () => findInstanceOverrides(q, id);
  const compare = async (plan: Plan | undefined) => {
    const instance = found.is_large ? await findInstanceDetail(q, id, ANY_SIZE) : found;
    if (!instance) throw notFound('Instance');
    return use(await driftFrom(instance, plan));
  };
  return withPlan(call, held, findOverrides, compare, () => compare(undefined));
}

async function driftFrom(instance: InstanceDetailRow, plan: Plan | undefined): Promise<Drift> {
  const { recipe_id, recipe_revision: deployed_revision } = instance;
  // What was deployed before `trigger_templates` was empty like any other array, unless set, has null there.
  const resolved_config = {
    ...instance.resolved_config,
    trigger_templates: instance.resolved_config.trigger_templates ?? [],
  };
  const changes = plan ? await inTurns(listChanges('', resolved_config, plan.resolved_config)) : [];
  const current_revision = plan?.recipe.revision ?? null;
  return {
    instance_id: instance.id,
    recipe_id,
    deployed_revision,
    current_revision,
    drifted: changes.length > 0 || current_revision === null,
    changes,
  };
}

/** Where two configurations differ: member by member in objects, whole in arrays. */
function* listChanges(pointer: string, deployed: unknown, current: unknown): Steps<Change[]> {
  yield;
  if (isJsonObject(deployed) && isJsonObject(current)) {
    const keys = new Set([...Object.keys(deployed), ...Object.keys(current)]);
    const changes: Change[] = [];
    for (const key of keys) {
      const below = pointer + jsonPointer(key);
      for (const change of yield* listChanges(below, member(deployed, key), member(current, key))) {
        changes.push(change);
      }
    }
    return changes;
  }
  return isDeepStrictEqual(deployed ?? null, current ?? null)
    ? []
    : [{ pointer, deployed: deployed ?? null, current: current ?? null }];
}

/** Of the object's own: a client may call a member `constructor`. */
const member = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;
