import type { Recipe } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { findRecipe } from '../finding.ts';
import { showList } from '../lists.ts';
import { allOption, idArgument, pageOption, perPageOption, wholeNumber } from '../options.ts';
import { toYaml } from '../output.ts';
import type { Program } from '../program.ts';
import { exportedFields } from '../recipe-document.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';
import { addApplying } from './recipes-apply.ts';

const COLUMNS: readonly Column<Recipe>[] = [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => name, 'flexible'],
  ['REVISION', ({ revision }) => revision],
  ['HOSTING', ({ hosting_mode }) => hosting_mode],
  ['STATE', ({ is_active, is_platform_template }) => stateOf(is_active, is_platform_template)],
  ['UPDATED', ({ updated_at }) => moment(updated_at)],
];

const stateOf = (isActive: boolean, isTemplate: boolean) => {
  if (isTemplate) return 'template';
  return isActive ? 'active' : 'inactive';
};

export function addRecipes(program: Program, cli: Cli): void {
  const recipes = program.command('recipes').description('what agents are made from');
  const { output } = cli;

  recipes
    .command('list')
    .description('list recipes, the platform’s templates among them')
    .action(async () => {
      const acp = await cli.tenant();
      const found = await acp.recipes.list();
      output.answer(found, () => output.table(COLUMNS, found));
    });

  recipes
    .command('get')
    .description('show a recipe with all its fields')
    .argument('<recipe>', 'its id or name')
    .action(async (wanted) => {
      const recipe = await findRecipe(await cli.tenant(), wanted);
      output.answer(recipe, () => output.details(recipe));
    });

  recipes
    .command('export')
    .description('print a recipe as a file for "recipes apply"')
    .argument('<recipe>', 'its id or name')
    .option('--no-id', 'without its id: another tenant finds or makes it by name')
    .action(async (wanted, { id }) => {
      const recipe = await findRecipe(await cli.tenant(), wanted);
      const exported = { ...(id && { id: recipe.id }), ...exportedFields(recipe) };
      output.answer(exported, () => output.line(toYaml(exported).trimEnd()));
    });

  addApplying(recipes, cli);

  recipes
    .command('revisions')
    .description('list the changes of a recipe, newest first')
    .argument('<recipe>', 'its id or name')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (wanted, flags) => {
      const acp = await cli.tenant();
      const { id: template_id } = await findRecipe(acp, wanted);
      await showList(
        cli,
        acp,
        'list_recipe_revisions',
        { path: { template_id } },
        [
          ['REVISION', ({ revision }) => revision],
          ['NAME', ({ name }) => name, 'flexible'],
          ['HOSTING', ({ hosting_mode }) => hosting_mode],
          ['MADE', ({ created_at }) => moment(created_at)],
        ],
        flags,
      );
    });

  recipes
    .command('restore')
    .description('bring a revision of a recipe back, as a new one')
    .argument('<recipe>', 'its id or name')
    .argument('<revision>', 'its number', wholeNumber(1, 2_147_483_647))
    .action(async (wanted, revision) => {
      const acp = await cli.tenant();
      const { id } = await findRecipe(acp, wanted);
      const recipe = await acp.recipes.restoreRevision(id, revision);
      output.answer(recipe, () =>
        output.line(`${recipe.name} is as in revision ${revision}: revision ${recipe.revision}`),
      );
    });

  recipes
    .command('delete')
    .description('delete a recipe; instances deployed from it go on')
    .addArgument(idArgument('<recipe-id>', 'its id'))
    .action(async (id) => {
      await (await cli.tenant()).recipes.delete(id);
      output.note(`deleted recipe ${id}`);
    });
}
