import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../db/database.ts';
import { findInstanceDeployment } from '../db/deployments.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { inTurns, type Steps } from './in-turns.ts';
import { getInstanceDetail } from './instances.ts';
import { jsonPointer } from './json-pointer.ts';
import { findPlan } from './plans.ts';

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
export async function readDrift(q: Queryable, id: string): Promise<Drift> {
  const [instance, deployment] = await Promise.all([getInstanceDetail(q, id), findInstanceDeployment(q, id)]);
  const { recipe_id, recipe_revision: deployed_revision } = instance;
  const plan = await findPlan(q, recipe_id, deployment?.instance_overrides ?? null);
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
