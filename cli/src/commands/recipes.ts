import type { RecipeRevision, RecipeSummary } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { findRecipe, listRecipes, readRecipe } from '../finding.ts';
import { showList } from '../lists.ts';
import { allOption, idArgument, pageOption, perPageOption, wholeNumber } from '../options.ts';
import { toYaml } from '../output.ts';
import type { Noun, Program } from '../program.ts';
import { exportedFields } from '../recipe-document.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';
import { addApplying } from './recipes-apply.ts';
import { addRollouts } from './rollouts.ts';

const COLUMNS: readonly Column<RecipeSummary>[] = [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => name, 'flexible'],
  ['REVISION', ({ revision }) => revision],
  ['HOSTING', ({ hosting_mode }) => hosting_mode],
  ['STATE', ({ is_active, is_platform_template }) => stateOf(is_active, is_platform_template)],
  ['AGENTS', agentsOf],
  ['UPDATED', ({ updated_at }) => moment(updated_at)],
];

function agentsOf({ live_instances, outdated_instances }: RecipeSummary): string {
  return outdated_instances === 0
    ? `${live_instances}`
    : `${live_instances} (${outdated_instances} outdated)`;
}

const authorOf = ({ created_by }: RecipeRevision) => created_by && (created_by.name ?? created_by.kind);

const stateOf = (isActive: boolean, isTemplate: boolean) => {
  if (isTemplate) return 'template';
  return isActive ? 'active' : 'inactive';
};

export function addRecipes(program: Program, cli: Cli): void {
  const recipes = program.command('recipes').description('the recipes of agents');
  addReading(recipes, cli);
  addApplying(recipes, cli);
  addRevisions(recipes, cli);
  addRollouts(recipes, cli);
  addDeleting(recipes, cli);
}

function addReading(recipes: Noun, cli: Cli): void {
  const { output } = cli;

  recipes
    .command('list')
    .description('list recipes, including the platform’s templates')
    .option('--search <text>', 'part of the name or description')
    .action(async ({ search }) => {
      const acp = await cli.tenant();
      if (output.json) return output.answer(await listRecipes(acp, search), () => {});
      const listed = await acp.recipes.list({ view: 'summary', ...(search && { search }) });
      output.table(
        COLUMNS,
        listed.filter((recipe) => 'live_instances' in recipe),
      );
    });

  recipes
    .command('show')
    .description('show a recipe with all its fields')
    .argument('<recipe>', 'id or name')
    .action(async (wanted) => {
      const recipe = await readRecipe(await cli.tenant(), wanted);
      output.answer(recipe, () => output.details(recipe));
    });

  recipes
    .command('export')
    .description('print a recipe as a file for "recipes apply"')
    .argument('<recipe>', 'id or name')
    .option('--no-id', 'leave out the id, so that another tenant matches it by name')
    .action(async (wanted, { id }) => {
      const recipe = await readRecipe(await cli.tenant(), wanted);
      const exported = { ...(id && { id: recipe.id }), ...exportedFields(recipe) };
      output.answer(exported, () => output.line(toYaml(exported).trimEnd()));
    });
}

function addRevisions(recipes: Noun, cli: Cli): void {
  const { output } = cli;

  recipes
    .command('revisions')
    .description('list the revisions of a recipe, newest first')
    .argument('<recipe>', 'id or name')
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
          ['CREATED', ({ created_at }) => moment(created_at)],
          ['BY', authorOf, 'flexible'],
        ],
        flags,
      );
    });

  recipes
    .command('restore')
    .description('restore a revision of a recipe as a new one')
    .argument('<recipe>', 'id or name')
    .argument('<revision>', 'the number', wholeNumber(1, 2_147_483_647))
    .action(async (wanted, revision) => {
      const acp = await cli.tenant();
      const { id } = await findRecipe(acp, wanted);
      const recipe = await acp.recipes.restoreRevision(id, revision);
      output.answer(recipe, () =>
        output.line(`${recipe.name}: revision ${revision} restored as revision ${recipe.revision}`),
      );
    });
}

function addDeleting(recipes: Noun, cli: Cli): void {
  recipes
    .command('delete')
    .description('delete a recipe; its instances keep running')
    .addArgument(idArgument('<recipe-id>', 'the id'))
    .action(async (id) => {
      await (await cli.tenant()).recipes.delete(id);
      cli.output.note(`deleted recipe ${id}`);
    });
}
