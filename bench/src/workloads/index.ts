import { createRecipe } from './create-recipe.ts';
import { getRecipe } from './get-recipe.ts';
import { listRecipes } from './list-recipes.ts';
import { webhook } from './webhook.ts';
import type { Workload } from './workload.ts';

export const workloads: readonly Workload[] = [getRecipe, listRecipes, createRecipe, webhook];
