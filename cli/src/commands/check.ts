import type { ControlPlane, DeployCheckResult } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { EXIT } from '../errors.ts';
import { findCustomerId, findRecipe } from '../finding.ts';
import { hostnameOption } from '../options.ts';
import { overrideOption, readOverrides } from '../overrides.ts';
import { missingText, printViolations, withViolations } from '../plan-text.ts';
import type { Program } from '../program.ts';

export function addCheck(program: Program, cli: Cli): void {
  program
    .command('check')
    .description(
      'show what a deploy would do; exits with 1 when it is not ready (without --customer: on violations)',
    )
    .argument('<recipe>', 'id or name')
    .option('--customer <customer>', 'check a deploy for this customer: id, e-mail address or company name')
    .addOption(hostnameOption().default('agent'))
    .addOption(overrideOption())
    .action(async (wanted, { customer, hostname, override }) => {
      const overrides = await readOverrides(cli.terminal, override);
      const acp = await cli.tenant();
      const { id: recipe_id } = await findRecipe(acp, wanted);
      const plan = { recipe_id, ...overrides };
      if (customer === undefined) return compose(cli, acp, plan);
      const customer_id = await findCustomerId(acp, customer);
      const checked = await acp.deployment.checkDeploy({ ...plan, customer_id, hostname });
      cli.output.answer(checked, () => {
        cli.output.details(checked.resolved_config);
        printPlan(cli, checked);
        for (const missing of checked.missing_connections)
          cli.output.line(`connection needed: ${missingText(missing)}`);
        cli.output.line(`${checked.ready ? 'ready' : 'not ready'}${withViolations(checked.violations)}`);
      });
      if (!checked.ready) cli.exitCode = EXIT.no;
    });
}

async function compose(cli: Cli, acp: ControlPlane, plan: { recipe_id: string }): Promise<void> {
  const composed = await acp.deployment.composeRecipe(plan);
  cli.output.answer(composed, () => {
    cli.output.details(composed.resolved_config);
    printPlan(cli, composed);
  });
  if (composed.violations.length > 0) cli.exitCode = EXIT.no;
}

function printPlan(
  { output }: Cli,
  { violations, plan_hash }: Pick<DeployCheckResult, 'violations' | 'plan_hash'>,
): void {
  printViolations(output, violations);
  output.note(`plan ${plan_hash}`);
}
