import type { ControlPlane, Recipe, RecipeCreate } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { readDocuments } from '../documents.ts';
import { EXIT, FailureAt } from '../errors.ts';
import { fileOption } from '../options.ts';
import type { Noun } from '../program.ts';
import { compareRecipes, nameOf, patchOf, type RecipeChange } from '../recipe-changes.ts';
import { readRecipes } from '../recipe-document.ts';
import { printable } from '../text.ts';

export function addApplying(recipes: Noun, cli: Cli): void {
  const { output } = cli;

  recipes
    .command('apply')
    .description('make or change the recipes of a file; what it does not name stays as it is')
    .addOption(fileOption('the recipes'))
    .option('--dry-run', 'only show what would change')
    .action(async ({ file, dryRun }) => {
      const { acp, all } = await compare(cli, file);
      for (const change of all) {
        const after = dryRun ? change.recipe : await apply(acp, change).catch(at(change.document.where));
        const { id, name = nameOf(change), revision } = after ?? {};
        const done = doneBy(change);
        output.each(
          { action: done, dry_run: dryRun ?? false, id, name, revision, changes: change.changes },
          () => {
            showPatch(cli, change);
            output.line(
              `${dryRun && done !== 'unchanged' ? 'would be ' : ''}${done}: ${name}${id === undefined ? '' : ` (${id})`}`,
            );
          },
        );
      }
    });

  recipes
    .command('diff')
    .description('show what "apply" would change; ends with 1 when that is something')
    .addOption(fileOption('the recipes'))
    .action(async ({ file }) => {
      const { all } = await compare(cli, file);
      for (const change of all) {
        const { recipe, changes } = change;
        output.each({ id: recipe?.id, name: nameOf(change), changes }, () => showPatch(cli, change));
      }
      if (all.some((change) => doneBy(change) !== 'unchanged')) process.exitCode = EXIT.no;
    });
}

/** The whole file is read, and held against what there is, before anything is changed. */
async function compare(cli: Cli, file: string): Promise<{ acp: ControlPlane; all: RecipeChange[] }> {
  const documents = readRecipes(await readDocuments(file));
  const acp = await cli.tenant();
  return { acp, all: await compareRecipes(acp, documents) };
}

/** Throws a failure anew, with where it was. */
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

const COLOURS = { '+': 'green', '-': 'red', '@': 'cyan' } as const;

function showPatch({ output }: Cli, change: RecipeChange): void {
  for (const line of printable(patchOf(change)).split('\n')) {
    const colour = COLOURS[line[0] as keyof typeof COLOURS];
    if (line !== '') output.line(colour ? output.style(colour, line) : line);
  }
}
