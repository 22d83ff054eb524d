import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { EXIT, negativeResult } from '../errors.ts';
import { findCustomerId, findRecipe, findRegion, findTier } from '../finding.ts';
import { progressOf } from '../instance-log.ts';
import { wholeNumber } from '../options.ts';
import { overrideOption, readOverrides } from '../overrides.ts';
import type { Program } from '../program.ts';
import { printMissing } from './check.ts';

export function addDeploy(program: Program, cli: Cli): void {
  program
    .command('deploy')
    .description('deploy a recipe for a customer')
    .argument('<recipe>', 'id or name')
    .requiredOption('--customer <customer>', 'id or e-mail address')
    .requiredOption('--hostname <name>', 'the agent’s hostname')
    .option('--tier <tier>', 'id or name; optional when only one is open')
    .option('--region <region>', 'id; optional when only one is open')
    .addOption(overrideOption())
    .addOption(new Option('--hosting-mode <mode>').choices(['dedicated', 'shared'] as const))
    .option('--plan-hash <hash>', 'deploy only the exact plan that "check" showed')
    .option('--idempotency-key <key>', 'repeating a key repeats no deploy')
    .option('--wait', 'follow the instance until it runs; exits with 1 when it fails')
    .option('--timeout <seconds>', 'how long to wait', wholeNumber(1, 86_400), 600)
    .action(async (wanted, flags) => {
      const { output } = cli;
      const {
        hostname,
        hostingMode: hosting_mode,
        planHash: plan_hash,
        idempotencyKey: idempotency_key,
      } = flags;
      const overrides = await readOverrides(cli.terminal, flags.override);
      const acp = await cli.tenant();
      const { id: recipe_id, name } = await findRecipe(acp, wanted);
      const customer_id = await findCustomerId(acp, flags.customer);
      const tier_id = await findTier(acp, flags.tier);
      const region_id = await findRegion(acp, flags.region);
      const place = { recipe_id, customer_id, tier_id, region_id, hostname };
      const chosen = {
        ...(hosting_mode && { hosting_mode }),
        ...(plan_hash && { plan_hash }),
        ...(idempotency_key && { idempotency_key }),
      };
      const deployed = await acp.deployment.deployRecipe({ ...place, ...overrides, ...chosen });
      const { instance_id, violations } = deployed;
      output.answer(deployed, () => {
        if (instance_id !== null) output.line(`${name} is deployed: instance ${instance_id}`);
      });
      for (const { path, message } of violations) output.note(`violation: ${path}: ${message}`);
      if (instance_id === null) {
        printMissing(cli, deployed);
        throw negativeResult(
          'nothing was deployed: the customer lacks connections',
          '"agentctl connections create" adds one',
        );
      }
      if (!flags.wait) return;
      process.prependOnceListener('SIGINT', () => {
        output.note(
          `The deploy continues; follow it with "agentctl instances events ${instance_id} --follow".`,
        );
        process.exit(EXIT.interrupted);
      });
      const wait = { timeoutMs: flags.timeout * 1000, onEvent: progressOf(cli) };
      const { status } = await acp.instances.waitUntilRunning(instance_id, wait);
      if (!output.json) output.line(`${hostname} is ${status}`);
    });
}
