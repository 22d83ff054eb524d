import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useRead } from '../queries.ts';
import { type DeployInputs, hostnameFor } from '../rules/deploy-request.ts';
import { customerName } from '../rules/names.ts';
import type { JsonObject } from '../rules/recipe-patch.ts';

const route = getRouteApi('/inside/deploy');

/** Typed by a person; the rest follows from the address and from what there is. */
type Typed = Partial<Pick<DeployInputs, 'hostname' | 'tier_id' | 'region_id' | 'hosting_mode' | 'overrides'>>;

const MOST = 100;
const NONE: JsonObject = {};

/** The inputs of a deploy: recipe, customer and whether it is a trial stand in the address. */
export function useDeployInputs() {
  const { recipe = '', customer = '', try: tried } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState<Typed>({});
  const recipes = useRead('list_recipes', { query: { view: 'summary' } });
  const chosen = useRead('get_customer', { path: { customer_id: customer } }, { enabled: customer !== '' });
  const tiers = useRead('list_tiers', { query: { per_page: MOST } });
  const regions = useRead('list_regions', { query: { per_page: MOST } });
  const recipeName = recipes.data?.find(({ id }) => id === recipe)?.name;
  const customerRow = chosen.data?.id === customer ? chosen.data : undefined;
  const suggested = recipeName && customerRow ? hostnameFor(recipeName, customerName(customerRow)) : '';
  const openTiers = tiers.data?.items.filter(({ is_active }) => is_active) ?? [];
  const openRegions = regions.data?.items.filter(({ is_active }) => is_active) ?? [];
  const tier_id = typed.tier_id ?? openTiers[0]?.id ?? '';
  const region_id = typed.region_id ?? openRegions[0]?.id ?? '';
  // The same object for the same decisions: a plan is asked for anew when it is another one.
  const inputs = useMemo(
    (): DeployInputs => ({
      recipe_id: recipe,
      customer_id: customer,
      hostname: typed.hostname ?? suggested,
      tier_id,
      region_id,
      hosting_mode: typed.hosting_mode ?? '',
      isTried: tried !== undefined,
      overrides: typed.overrides ?? NONE,
    }),
    [recipe, customer, suggested, tier_id, region_id, tried, typed],
  );
  const choose = (change: {
    recipe?: string | undefined;
    customer?: string | undefined;
    try?: string | undefined;
  }) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  return {
    inputs,
    suggested,
    recipes: recipes.data ?? [],
    customer: customerRow,
    tiers: openTiers,
    regions: openRegions,
    choose,
    type: (change: Typed) => setTyped((old) => ({ ...old, ...change })),
  };
}

export type DeployDraft = ReturnType<typeof useDeployInputs>;
