import { withInstanceDetail } from '../instances/instances.ts';
import type { LargeCall } from '../recipes/large-recipes.ts';
import { createRecipe, type RecipeFields, type RecipeRow } from '../recipes/recipes.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { capture } from './capture.ts';
import { findPeople } from './customer-people.ts';
import { listKnownValues } from './known-values.ts';
import type { Stripped } from './redacted-json.ts';

/** Makes a recipe of what an instance was deployed with (specification 4.1, behaviour 5). */
export function saveFromInstance<T>(
  call: LargeCall & { services: { keyring: Keyring } },
  instance_id: string,
  request: { name: string; description: string | null },
  use: (saved: RecipeRow & { stripped: Stripped[] }) => Promise<T>,
): Promise<T> {
  const { q, services } = call;
  return withInstanceDetail(call, instance_id, async (instance) => {
    const known = await listKnownValues(q, services.keyring, instance);
    const { fields, name, description, stripped } = await capture(
      instance.resolved_config,
      request,
      known,
      (mentions) => findPeople(q, instance_id, mentions),
    );
    const captured = fields as RecipeFields;
    const recipe = await createRecipe(q, { ...captured, name, description }, instance.id);
    return use({ ...recipe.parse(), stripped });
  });
}
