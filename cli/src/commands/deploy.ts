import type { ControlPlane } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { EXIT, negativeResult } from '../errors.ts';
import { findCustomerId, findRecipe, findRegion, findTier } from '../finding.ts';
import { agrees, isInteractive } from '../input.ts';
import { progressOf } from '../instance-log.ts';
import { hostnameOption, wholeNumber } from '../options.ts';
import { overrideOption, readOverrides } from '../overrides.ts';
import { missingTexts, printViolations, violationText } from '../plan-text.ts';
import type { Program } from '../program.ts';

export function addDeploy(program: Program, cli: Cli): void {
  program
    .command('deploy')
    .description('deploy a recipe for a customer')
    .argument('<recipe>', 'id or name')
    .requiredOption('--customer <customer>', 'id, e-mail address or company name')
    .addOption(hostnameOption().makeOptionMandatory())
    .option('--tier <tier>', 'id or name; optional when only one is open')
    .option('--region <region>', 'id; optional when only one is open')
    .addOption(overrideOption())
    .addOption(new Option('--hosting-mode <mode>').choices(['dedicated', 'shared'] as const))
    .option('--plan-hash <hash>', 'deploy only the exact plan that "check" showed')
    .option('--idempotency-key <key>', 'repeating a key repeats no deploy')
    .option('-y, --yes', 'do not ask when another instance has the hostname')
    .option('--wait', 'follow the instance until it runs; exits with 1 when it fails')
    .option('--timeout <seconds>', 'how long to wait', wholeNumber(1, 86_400), 600)
    .action((wanted, flags) => deploy(cli, wanted, flags));
}

interface Flags {
  readonly customer: string;
  readonly hostname: string;
  readonly tier?: string | undefined;
  readonly region?: string | undefined;
  readonly override?: string | undefined;
  readonly hostingMode?: 'dedicated' | 'shared' | undefined;
  readonly planHash?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly yes?: true | undefined;
  readonly wait?: true | undefined;
  readonly timeout: number;
}

async function deploy(cli: Cli, wanted: string, flags: Flags): Promise<void> {
  const { output } = cli;
  const { hostname, hostingMode, planHash, idempotencyKey } = flags;
  const overrides = await readOverrides(cli.terminal, flags.override);
  const acp = await cli.tenant();
  const { id: recipe_id, name } = await findRecipe(acp, wanted);
  const customer_id = await findCustomerId(acp, flags.customer);
  const tier_id = await findTier(acp, flags.tier);
  const region_id = await findRegion(acp, flags.region);
  const plan = { recipe_id, customer_id, hostname, ...overrides };
  // A repeated key deploys nothing, and the hostname is that of its own instance.
  if (idempotencyKey === undefined) await agreeToHostname(cli, acp, plan, flags);
  const deployed = await acp.deployment.deployRecipe({
    ...plan,
    tier_id,
    region_id,
    ...(hostingMode && { hosting_mode: hostingMode }),
    ...(planHash && { plan_hash: planHash }),
    ...(idempotencyKey && { idempotency_key: idempotencyKey }),
  });
  const { instance_id, violations } = deployed;
  output.answer(deployed, () => {
    printViolations(output, violations);
    if (instance_id !== null) output.line(`${name} is deployed: instance ${instance_id}`);
  });
  if (instance_id === null)
    throw negativeResult(
      `nothing was deployed, because the customer lacks connections: ${missingTexts(deployed)}`,
      '"agentctl connections create" adds one',
    );
  if (flags.wait) await followed(cli, acp, { instance_id, hostname, timeoutMs: flags.timeout * 1000 });
}

/** Two instances of one name can be told apart by their ids alone. Throws CliError after a no. */
async function agreeToHostname(
  { output, terminal }: Cli,
  acp: ControlPlane,
  plan: Parameters<ControlPlane['deployment']['checkDeploy']>[0],
  { yes }: Flags,
): Promise<void> {
  const { violations } = await acp.deployment.checkDeploy(plan);
  const taken = violations.find(({ code }) => code === 'hostname_in_use');
  if (!taken) return;
  if (yes || !isInteractive(terminal)) return output.note(violationText(taken));
  if (!(await agrees(terminal, `${taken.message}. Deploy another?`)))
    throw negativeResult('nothing was deployed');
}

async function followed(
  cli: Cli,
  acp: ControlPlane,
  { instance_id, hostname, timeoutMs }: { instance_id: string; hostname: string; timeoutMs: number },
): Promise<void> {
  const { output } = cli;
  process.prependOnceListener('SIGINT', () => {
    output.note(`The deploy continues; follow it with "agentctl instances events ${instance_id} --follow".`);
    process.exit(EXIT.interrupted);
  });
  const wait = { timeoutMs, onEvent: progressOf(cli) };
  const { status } = await acp.instances.waitUntilRunning(instance_id, wait);
  if (!output.json) output.line(`${hostname} is ${status}`);
}
