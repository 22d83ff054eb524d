import { isDeepStrictEqual } from 'node:util';
import type { ControlPlane, DeployCheckResult, Recipe, RecipeCreate } from '@agent-control-plane/sdk';
import { createTwoFilesPatch } from 'diff';
import type { Cli } from '../cli.ts';
import { readDocuments } from '../documents.ts';
import { CliError, EXIT, FailureAt } from '../errors.ts';
import { listRecipes } from '../finding.ts';
import { fileOption } from '../options.ts';
import { toYaml } from '../output.ts';
import { printViolations } from '../plan-text.ts';
import type { Noun } from '../program.ts';
import {
  RECIPE_FIELDS,
  type RecipeDocument,
  type RecipeField,
  readRecipes,
  UNSET,
} from '../recipe-document.ts';
import { printable } from '../text.ts';

interface FieldChange {
  readonly field: RecipeField;
  readonly from: unknown;
  readonly to: unknown;
}

interface RecipeChange {
  readonly document: RecipeDocument;
  /** Absent when a new one will be created. */
  readonly recipe?: Recipe;
  readonly changes: readonly FieldChange[];
}

export function addApplying(recipes: Noun, cli: Cli): void {
  const { output } = cli;

  recipes
    .command('apply')
    .description('create or change the recipes of a file; absent fields stay unchanged')
    .addOption(fileOption('the recipes'))
    .option('--dry-run', 'only show the changes')
    .action(async ({ file, dryRun }) => {
      const { acp, all } = await compare(cli, file);
      for (const change of all) {
        const after = dryRun ? change.recipe : await apply(acp, change).catch(at(change.document.where));
        const { id, name = nameOf(change), revision } = after ?? {};
        const done = doneBy(change);
        const violations = await violationsOf(acp, change, dryRun ?? false, id);
        output.each(
          { action: done, dry_run: dryRun ?? false, id, name, revision, changes: change.changes, violations },
          () => {
            showPatch(cli, change);
            output.line(
              `${dryRun && done !== 'unchanged' ? 'would be ' : ''}${done}: ${name}${id === undefined ? '' : ` (${id})`}`,
            );
            printViolations(output, violations);
          },
        );
      }
    });

  recipes
    .command('diff')
    .description('show what "apply" would change; exits with 1 when there are changes')
    .addOption(fileOption('the recipes'))
    .action(async ({ file }) => {
      const { all } = await compare(cli, file);
      for (const change of all) {
        const { recipe, changes } = change;
        output.each({ id: recipe?.id, name: nameOf(change), changes }, () => showPatch(cli, change));
      }
      if (all.some((change) => doneBy(change) !== 'unchanged')) cli.exitCode = EXIT.no;
    });
}

/** Compares the whole file before anything is changed. */
async function compare(cli: Cli, file: string): Promise<{ acp: ControlPlane; all: RecipeChange[] }> {
  const documents = readRecipes(await readDocuments(cli.terminal, file));
  const acp = await cli.tenant();
  return { acp, all: await compareRecipes(acp, documents) };
}

const at = (where: string) => (error: unknown) => {
  throw new FailureAt(where, error);
};

function doneBy({ recipe, changes }: RecipeChange): 'created' | 'updated' | 'unchanged' {
  if (!recipe) return 'created';
  return changes.length > 0 ? 'updated' : 'unchanged';
}

async function apply(acp: ControlPlane, { recipe, changes }: RecipeChange): Promise<Recipe> {
  const fields = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  if (recipe) return changes.length > 0 ? acp.recipes.update(recipe.id, fields) : recipe;
  const { is_active, ...content } = fields;
  const made = await acp.recipes.create(content as RecipeCreate);
  // A new recipe is always active.
  return is_active === false ? acp.recipes.update(made.id, { is_active }) : made;
}

/** With --dry-run only of a recipe that exists: the API composes no other. */
async function violationsOf(
  acp: ControlPlane,
  { changes }: RecipeChange,
  isDryRun: boolean,
  recipe_id: string | undefined,
): Promise<DeployCheckResult['violations']> {
  if (recipe_id === undefined) return [];
  const composed = changes.filter(({ field }) => !UNCOMPOSED.has(field)).map(({ field, to }) => [field, to]);
  const overrides = isDryRun && {
    instance_overrides: Object.fromEntries(composed) as Record<string, unknown>,
  };
  return (await acp.deployment.composeRecipe({ recipe_id, ...overrides })).violations;
}

/** Overrides of these are violations themselves. */
const UNCOMPOSED: ReadonlySet<RecipeField> = new Set([
  'name',
  'description',
  'is_active',
  'hosting_mode',
  'shared_node_capacity',
]);

const COLOURS = { '+': 'green', '-': 'red', '@': 'cyan' } as const;

function showPatch({ output }: Cli, change: RecipeChange): void {
  for (const line of printable(patchOf(change)).split('\n')) {
    const colour = COLOURS[line[0] as keyof typeof COLOURS];
    if (line !== '') output.line(colour ? output.style(colour, line) : line);
  }
}

/** Throws CliError when a document matches several recipes, or an unknown id. */
async function compareRecipes(
  acp: ControlPlane,
  documents: readonly RecipeDocument[],
): Promise<RecipeChange[]> {
  const known = await listRecipes(acp);
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
      'without an id, a recipe is matched by name or created',
    );
  }
  const named = known.filter(
    ({ name, is_platform_template }) => name === fields.name && !is_platform_template,
  );
  if (named.length < 2) return named[0];
  const ids = named.map((each) => each.id).join(', ');
  throw new CliError(
    EXIT.conflict,
    `${where}: ${named.length} recipes have the name ${JSON.stringify(fields.name)}`,
    `add one of the ids: ${ids}`,
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

const nameOf = ({ recipe, document }: RecipeChange): string => recipe?.name ?? String(document.fields.name);

function patchOf(change: RecipeChange): string {
  const { document, recipe, changes } = change;
  if (changes.length === 0) return '';
  const side = (which: 'from' | 'to') =>
    sorted(Object.fromEntries(changes.map((change) => [change.field, change[which]])));
  const before = recipe ? `${recipe.name}, revision ${recipe.revision}` : '/dev/null';
  const patch = createTwoFilesPatch(before, document.where, recipe ? side('from') : '', side('to'));
  return patch.replace(/^=+\n/, '').trimEnd();
}

/** The order of an object's fields has no meaning. */
const sorted = (value: unknown) => toYaml(value, { sortMapEntries: true });
