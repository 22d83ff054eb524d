import type { CustomerBudget } from '@agent-control-plane/sdk';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { changesOf, orClear } from '../fields.ts';
import { findCustomerId } from '../finding.ts';
import { customerArgument, wholeNumber } from '../options.ts';
import type { Program } from '../program.ts';
import { moment } from '../text.ts';

export function addBudgets(program: Program, cli: Cli): void {
  const budgets = program
    .command('budgets')
    .description('what a customer’s agents may spend on language models');
  const { output } = cli;

  const show = (budget: CustomerBudget) =>
    output.answer(budget, () => {
      const { monthly_cost, monthly_tokens, spent_cost, spent_tokens, resets_at } = budget;
      output.line(
        `$ ${spent_cost} of ${monthly_cost ?? 'any sum'}, ${spent_tokens} of ${monthly_tokens ?? 'any number of'} tokens`,
      );
      output.note(`until ${moment(resets_at)}`);
    });

  budgets
    .command('show')
    .description('show a customer’s budget and what is spent of it this month')
    .addArgument(customerArgument())
    .action(async (customer) => {
      const acp = await cli.tenant();
      show(await acp.models.getCustomerBudget(await findCustomerId(acp, customer)));
    });

  budgets
    .command('set')
    .description('limit a customer’s month; an empty value takes the limit away')
    .addArgument(customerArgument())
    .option('--cost <dollars>', 'US dollars, e.g. 12.50; refuses models without a price', readCost)
    .option('--tokens <number>', 'tokens, input and output together', readTokens)
    .action(async (customer, { cost, tokens }) => {
      const limits = changesOf({ monthly_cost: orClear(cost), monthly_tokens: orClear(tokens) });
      const acp = await cli.tenant();
      show(await acp.models.putCustomerBudget(await findCustomerId(acp, customer), limits));
    });

  budgets
    .command('delete')
    .description('remove a customer’s budget; what was spent stays counted')
    .addArgument(customerArgument())
    .action(async (customer) => {
      const acp = await cli.tenant();
      await acp.models.deleteCustomerBudget(await findCustomerId(acp, customer));
      output.note(`removed the budget of ${customer}`);
    });
}

/** Commander turns a null of the parser into an empty text, so null is set later. */
function readCost(text: string): string {
  if (!/^(?:\d+(?:\.\d+)?)?$/.test(text)) throw new InvalidArgumentError('It must be a sum like 12.50.');
  return text;
}

const readTokens = (text: string): number | '' =>
  text === '' ? '' : wholeNumber(0, Number.MAX_SAFE_INTEGER)(text);
