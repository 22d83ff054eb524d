import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { isJsonObject, type JsonObject, ownMember } from '../platform/json/json-object.ts';
import { jsonPointer } from '../platform/json/json-pointer.ts';
import { configurationOf } from '../recipes/plans.ts';
import { CONFIGURATION_FIELDS, unsetValue } from '../recipes/recipe-fields.contract.ts';
import { findRecipe } from '../recipes/recipes.db.ts';
import { findInstanceOverrides } from './deployments.db.ts';
import { findDeployedInstance } from './instances.db.ts';

export interface Change {
  pointer: string;
  deployed: unknown;
  current: unknown;
}

interface Drift {
  instance_id: string;
  recipe_id: string;
  deployed_revision: number;
  /** null: the recipe was deleted. */
  current_revision: number | null;
  drifted: boolean;
  changes: Change[];
}

/** Compares the instance's configuration with the one that its recipe and overrides would give now. */
export async function readDrift(q: Queryable, instance_id: string): Promise<Drift> {
  const [row, overrides] = await q.run(findDeployedInstance(instance_id), findInstanceOverrides(instance_id));
  const { recipe_id, recipe_revision, resolved_config } = found('Instance', row);
  const recipe = await q.run(findRecipe(recipe_id));
  const current = recipe && configurationOf(recipe, overrides).resolved_config;
  const changes = current ? listChanges('', withUnset(resolved_config), current) : [];
  return {
    instance_id,
    recipe_id,
    deployed_revision: recipe_revision,
    current_revision: recipe?.revision ?? null,
    drifted: !recipe || changes.length > 0,
    changes,
  };
}

/** Earlier versions of the service stored null for an empty list. */
export function withUnset(deployed: JsonObject): JsonObject {
  const fields = CONFIGURATION_FIELDS.map(({ name }) => [name, deployed[name] ?? unsetValue(name)]);
  return { ...deployed, ...Object.fromEntries(fields) };
}

/** Recurses into objects, but compares arrays as a whole. */
export function listChanges(pointer: string, deployed: unknown, current: unknown): Change[] {
  if (isJsonObject(deployed) && isJsonObject(current)) {
    const keys = new Set([...Object.keys(deployed), ...Object.keys(current)]);
    return [...keys].flatMap((key) =>
      listChanges(pointer + jsonPointer(key), ownMember(deployed, key), ownMember(current, key)),
    );
  }
  return isDeepStrictEqual(deployed ?? null, current ?? null)
    ? []
    : [{ pointer, deployed: deployed ?? null, current: current ?? null }];
}
