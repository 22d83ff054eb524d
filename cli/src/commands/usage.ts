import type { Usage } from '@agent-control-plane/sdk';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';

type Item = Usage['items'][number];

const GROUPS = {
  day: ['DAY', ({ day }) => day],
  customer: [
    'CUSTOMER',
    ({ customer_id, customer_name }) => customer_name ?? customer_id ?? '(erased)',
    'flexible',
  ],
  instance: ['INSTANCE', ({ instance_id, hostname }) => hostname ?? instance_id, 'flexible'],
  model: ['MODEL', ({ model }) => model, 'flexible'],
  recipe: ['RECIPE', ({ recipe_id, recipe_name }) => recipe_name ?? recipe_id ?? '(erased)', 'flexible'],
} as const satisfies Record<string, Column<Item>>;

const isGroup = (text: string): text is keyof typeof GROUPS => Object.hasOwn(GROUPS, text);

const SUMS: readonly Column<Usage['total']>[] = [
  ['CALLS', ({ calls }) => calls],
  ['INPUT', ({ input_tokens }) => input_tokens],
  ['CACHED', ({ cached_input_tokens }) => cached_input_tokens],
  ['OUTPUT', ({ output_tokens }) => output_tokens],
  ['COST $', ({ cost }) => cost ?? 'no price'],
];

export function addUsage(program: Program, cli: Cli): void {
  program
    .command('usage')
    .description(
      'show what language models were used for, and what they cost; this month unless days are given',
    )
    .option('--from <day>', 'the first day, in UTC, e.g. 2027-01-01')
    .option('--to <day>', 'the last day, which is included')
    .option('--by <groups>', 'day, customer, instance, model and recipe, with commas between', readGroups, [
      'day',
    ])
    .action(async ({ from, to, by }) => {
      const { output } = cli;
      const usage = await (await cli.tenant()).models.getUsage({ from, to, group_by: by.join(',') });
      output.answer(usage, () => {
        output.table([...by.filter(isGroup).map((group) => GROUPS[group]), ...SUMS], usage.items);
        const { calls, unpriced_calls: unpriced, cost } = usage.total;
        const without = unpriced > 0 && cost !== null ? ` and ${unpriced} calls without a price` : '';
        if (usage.truncated)
          output.note(`only the first ${usage.items.length} rows; ask for fewer days or groups`);
        output.note(`${calls} calls in all${cost === null ? '' : `, $ ${cost}${without}`}`);
      });
    });
}

function readGroups(text: string): string[] {
  const groups = text.split(',');
  if (!groups.every(isGroup)) {
    throw new InvalidArgumentError(`It must be of ${Object.keys(GROUPS).join(', ')}, with commas between.`);
  }
  return groups;
}
