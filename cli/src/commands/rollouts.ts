import type { ControlPlane, Rollout, RolloutDetail, RolloutPlan } from '@agent-control-plane/sdk';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { CliError, EXIT, negativeResult, usageError } from '../errors.ts';
import { findRecipe } from '../finding.ts';
import { agrees, isInteractive } from '../input.ts';
import { showList } from '../lists.ts';
import { allOption, pageOption, perPageOption, wholeNumber } from '../options.ts';
import type { Noun } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';
import { countsOf, followRollout, isUnderWay, stateOf } from './rollout-progress.ts';

const MOST = 2_147_483_647;

const COLUMNS: readonly Column<Rollout>[] = [
  ['ID', ({ id }) => id],
  ['REVISION', ({ revision }) => revision],
  ['STATE', stateOf],
  ['AGENTS', countsOf, 'flexible'],
  ['BEGUN', ({ created_at }) => moment(created_at)],
  ['BY', ({ created_by }) => created_by && (created_by.name ?? created_by.kind), 'flexible'],
];

export function addRollouts(recipes: Noun, cli: Cli): void {
  addStart(recipes, cli);
  addList(recipes, cli);
  addChange(recipes, cli, 'pause', 'pause-rollout', 'let the running rollout of a recipe rest');
  addChange(
    recipes,
    cli,
    'resume',
    'resume-rollout',
    'let the last rollout of a recipe go on, and follow it',
  );
  addChange(recipes, cli, 'stop', 'stop-rollout', 'stop the rollout of a recipe; what is upgraded stays so');
  addChange(recipes, cli, 'rollback', 'roll-back', 'take the agents of the last rollout back, and follow it');
}

function addStart(recipes: Noun, cli: Cli): void {
  recipes
    .command('rollout')
    .description('give the agents of a recipe a revision, in batches, and follow it')
    .argument('<recipe>', 'id or name')
    .option('--revision <number>', 'another revision than the newest', wholeNumber(1, MOST))
    .option('--batches <percent,…>', 'rising, the last one 100; by default 5,25,100', percentages)
    .option('--pause-seconds <n>', 'between two batches; by default 300', wholeNumber(0, 86_400))
    .option('--failed-upgrades <n>', 'stop at so many; by default 1', wholeNumber(1, MOST))
    .option('--refused-messages <n>', 'stop at so many tries that were not taken', wholeNumber(1, MOST))
    .option('--llm-failures <n>', 'stop at so many failed calls of models', wholeNumber(1, MOST))
    .option('--dry-run', 'only show what would be changed')
    .addOption(new Option('--follow', 'only follow the rollout that is under way').conflicts('dryRun'))
    .option('-y, --yes', 'do not ask')
    .action(async (wanted, { dryRun, follow: isFollowed, yes, ...flags }) => {
      const acp = await cli.tenant();
      const { id, name } = await findRecipe(acp, wanted);
      if (isFollowed) return followRollout(cli, acp, await lastOf(acp, id));
      const revision = flags.revision ?? (await acp.recipes.get(id)).revision;
      const body = { revision, ...requestOf(flags) };
      if (dryRun)
        return showPlan(
          cli,
          planOf(await acp.rollouts.start(id, { ...body, dry_run: true }, { per_page: 100 })),
        );
      if (!yes) await confirm(cli, `Give the agents of ${name} revision ${revision}, batch by batch?`);
      await followRollout(cli, acp, rolloutOf(await acp.rollouts.start(id, body)));
    });
}

function percentages(text: string): number[] {
  const list = text.split(',').map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : 0));
  const isRising = list.every((percent, at) => percent > (list[at - 1] ?? 0));
  if (!isRising || list.at(-1) !== 100)
    throw new InvalidArgumentError('It must be rising whole numbers, the last one 100.');
  return list;
}

interface Bounds {
  batches?: number[] | undefined;
  pauseSeconds?: number | undefined;
  failedUpgrades?: number | undefined;
  refusedMessages?: number | undefined;
  llmFailures?: number | undefined;
}

const requestOf = ({ batches, pauseSeconds, failedUpgrades, refusedMessages, llmFailures }: Bounds) => ({
  batches: batches ?? null,
  pause_seconds: pauseSeconds ?? null,
  stop_when: {
    failed_upgrades: failedUpgrades ?? null,
    refused_messages: refusedMessages ?? null,
    llm_failures: llmFailures ?? null,
  },
});

/** With dry_run the answer is a plan, else a rollout. */
function planOf(answer: RolloutPlan | RolloutDetail): RolloutPlan {
  if ('status' in answer) throw new Error('The server began a rollout');
  return answer;
}

function rolloutOf(answer: RolloutPlan | RolloutDetail): RolloutDetail {
  if (!('status' in answer)) throw new Error('The server began no rollout');
  return answer;
}

function showPlan({ output }: Cli, plan: RolloutPlan): void {
  output.answer(plan, () => {
    output.table(
      [
        ['AGENT', ({ hostname }) => hostname, 'flexible'],
        ['BATCH', ({ batch }) => batch],
        ['FROM', ({ from_revision }) => from_revision],
        ['CHANGES', ({ plan: own }) => own?.changes.map(({ pointer }) => pointer).join(' '), 'flexible'],
        ['SKIPPED', ({ error }) => error, 'flexible'],
      ],
      plan.items,
    );
    if (plan.total > plan.items.length) output.note(`${plan.items.length} of ${plan.total}`);
  });
}

async function confirm(cli: Cli, question: string): Promise<void> {
  if (!isInteractive(cli.terminal)) throw usageError('nobody can be asked here', 'add --yes');
  if (!(await agrees(cli.terminal, question))) throw negativeResult('nothing was changed');
}

function addList(recipes: Noun, cli: Cli): void {
  recipes
    .command('rollouts')
    .description('list the rollouts of a recipe, newest first')
    .argument('<recipe>', 'id or name')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (wanted, flags) => {
      const acp = await cli.tenant();
      const { id: template_id } = await findRecipe(acp, wanted);
      await showList(cli, acp, 'list_rollouts', { path: { template_id } }, COLUMNS, flags);
    });
}

function addChange(
  recipes: Noun,
  cli: Cli,
  verb: 'pause' | 'resume' | 'stop' | 'rollback',
  name: string,
  words: string,
): void {
  recipes
    .command(name)
    .description(words)
    .argument('<recipe>', 'id or name')
    .action(async (wanted) => {
      const acp = await cli.tenant();
      const { id } = await findRecipe(acp, wanted);
      const rollout = await acp.rollouts[verb](id, (await lastOf(acp, id)).id);
      if (isUnderWay(rollout)) await followRollout(cli, acp, rollout);
      else cli.output.answer(rollout, () => cli.output.line(`rollout ${rollout.id}: ${stateOf(rollout)}`));
    });
}

/** Those before it are over, or were stopped. */
async function lastOf(acp: ControlPlane, recipe_id: string): Promise<Rollout> {
  const { items } = await acp.rollouts.list(recipe_id, { per_page: 1 });
  const [last] = items;
  if (!last)
    throw new CliError(EXIT.notFound, 'the recipe has no rollout', '"agentctl recipes rollout" begins one');
  return last;
}
