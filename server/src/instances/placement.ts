import type { HostingMode } from '../catalogue/hosting.contract.ts';
import type { Tx } from '../platform/db/queryable.ts';
import type { Plan } from '../recipes/plans.ts';
import type { RecipeRow } from '../recipes/recipes.db.ts';
import type { NewDeployment } from './deployments.db.ts';
import { joinSharedInstance, lockPlacement, type NewInstance } from './instances.db.ts';

/** null: the recipe decides. */
export interface PlacementRequest {
  customer_id: string;
  tier_id: string;
  region_id: string;
  hostname: string;
  hosting_mode: HostingMode | null;
  shared_node_capacity: number | null;
}

/**
 * Takes a place on a shared instance of the same recipe revision, region, tier and manifest (contract, sections 4 and 15).
 * @returns the instance's id; undefined when none has room, or for dedicated hosting
 */
export async function joinNode(
  tx: Tx,
  request: PlacementRequest,
  recipe: RecipeRow,
  { resolved_config: { manifest_id }, applied_manifest_id }: Plan,
): Promise<string | undefined> {
  if ((request.hosting_mode ?? recipe.hosting_mode) !== 'shared') return undefined;
  const { id: recipe_id, revision: recipe_revision } = recipe;
  const { region_id, tier_id } = request;
  const { instance_id } = await tx.run({
    lock: lockPlacement(recipe_id, recipe_revision, region_id),
    instance_id: joinSharedInstance({
      recipe_id,
      recipe_revision,
      region_id,
      tier_id,
      manifest_id,
      applied_manifest_id,
    }),
  });
  return instance_id;
}

export function newInstance(
  { instance_id, tenant_id, recipe_id, recipe_revision, template_name }: NewDeployment,
  request: PlacementRequest,
  recipe: RecipeRow,
  { resolved_config, provenance, effects, applied_manifest_id }: Plan,
): NewInstance {
  const { customer_id, tier_id, region_id, hostname } = request;
  const hosting_mode = request.hosting_mode ?? recipe.hosting_mode;
  const isShared = hosting_mode === 'shared';
  return {
    id: instance_id,
    tenant_id,
    customer_id,
    recipe_id,
    recipe_revision,
    template_name,
    tier_id,
    region_id,
    hostname,
    hosting_mode,
    capacity: isShared ? (request.shared_node_capacity ?? recipe.shared_node_capacity) : 1,
    manifest_id: resolved_config.manifest_id,
    resolved_config,
    provenance,
    effects,
    applied_manifest_id,
  };
}
