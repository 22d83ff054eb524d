import type { TenantQueryable } from '../db/database.ts';
import { capture } from './capture/capture.ts';
import type { Stripped } from './capture/redacted-json.ts';
import { findPeople } from './customer-people.ts';
import { getInstanceDetail } from './instances.ts';
import type { Keyring } from './keyring.ts';
import { listKnownValues } from './known-values.ts';
import { createRecipe, type RecipeFields, type RecipeRow } from './recipes.ts';

/** Makes a recipe of what an instance was deployed with (specification 4.1, behaviour 5). */
export async function saveFromInstance(
  q: TenantQueryable,
  keyring: Keyring,
  instance_id: string,
  request: { name: string; description: string | null },
): Promise<RecipeRow & { stripped: Stripped[] }> {
  const instance = await getInstanceDetail(q, instance_id);
  const known = await listKnownValues(q, keyring, instance);
  const { fields, name, description, stripped } = await capture(
    instance.resolved_config,
    request,
    known,
    (mentions) => findPeople(q, instance_id, mentions),
  );
  const captured = fields as RecipeFields;
  const recipe = await createRecipe(q, { ...captured, name, description }, instance.id);
  return { ...recipe.parse(), stripped };
}
