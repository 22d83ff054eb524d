import { isDeepStrictEqual } from 'node:util';
import type { ControlPlane, Recipe } from '@agent-control-plane/sdk';
import { createTwoFilesPatch } from 'diff';
import { CliError, EXIT } from './errors.ts';
import { toYaml } from './output.ts';
import { RECIPE_FIELDS, type RecipeDocument, type RecipeField, UNSET } from './recipe-document.ts';

export interface FieldChange {
  readonly field: RecipeField;
  readonly from: unknown;
  readonly to: unknown;
}

/** What applying a document would do: make a recipe, or change so much of one. */
export interface RecipeChange {
  readonly document: RecipeDocument;
  /** The recipe as it stands; missing where it is to be made. */
  readonly recipe?: Recipe;
  readonly changes: readonly FieldChange[];
}

/** Holds documents against the recipes that there are. Throws CliError where it is not clear which one is meant. */
export async function compareRecipes(
  acp: ControlPlane,
  documents: readonly RecipeDocument[],
): Promise<RecipeChange[]> {
  const known = await acp.recipes.list();
  return documents.map((document) => {
    const recipe = recipeOf(document, known);
    return { document, ...(recipe && { recipe }), changes: changesOf(document, recipe) };
  });
}

function recipeOf({ id, fields, where }: RecipeDocument, known: readonly Recipe[]): Recipe | undefined {
  if (id !== undefined) {
    const recipe = known.find((each) => each.id === id.toLowerCase());
    if (recipe) return recipe;
    throw new CliError(
      EXIT.notFound,
      `${where}: there is no recipe ${id}`,
      'without its id, a recipe is found or made by name',
    );
  }
  const named = known.filter(
    ({ name, is_platform_template }) => name === fields.name && !is_platform_template,
  );
  if (named.length < 2) return named[0];
  const ids = named.map((each) => each.id).join(', ');
  throw new CliError(
    EXIT.conflict,
    `${where}: ${named.length} recipes are called ${JSON.stringify(fields.name)}`,
    `say which by id: ${ids}`,
  );
}

function changesOf({ fields }: RecipeDocument, recipe: Recipe | undefined): FieldChange[] {
  return RECIPE_FIELDS.flatMap((field) => {
    if (!Object.hasOwn(fields, field)) return [];
    const to = fields[field];
    if (!recipe) return to === null ? [] : [{ field, from: null, to }];
    const from: unknown = recipe[field];
    return isDeepStrictEqual(from, to ?? UNSET[field] ?? null) ? [] : [{ field, from, to }];
  });
}

export const nameOf = ({ recipe, document }: RecipeChange): string =>
  recipe?.name ?? String(document.fields.name);

/** As `diff -u` writes it, over the fields that change; '' where none does. */
export function patchOf(change: RecipeChange): string {
  const { document, recipe, changes } = change;
  if (changes.length === 0) return '';
  const side = (which: 'from' | 'to') =>
    sorted(Object.fromEntries(changes.map((change) => [change.field, change[which]])));
  const before = recipe ? `${recipe.name}, revision ${recipe.revision}` : '/dev/null';
  const patch = createTwoFilesPatch(before, document.where, recipe ? side('from') : '', side('to'));
  return patch.replace(/^=+\n/, '').trimEnd();
}

/** The order of an object's fields says nothing. */
const sorted = (value: unknown) => toYaml(value, { sortMapEntries: true });
