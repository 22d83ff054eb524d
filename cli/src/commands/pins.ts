import type { PinPolicy } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { changesOf, listOrClear } from '../fields.ts';
import { findCustomerId, findIdentity, findInstanceId } from '../finding.ts';
import { customerArgument, gather, idArgument, instanceArgument, wholeNumber } from '../options.ts';
import type { Noun, Program } from '../program.ts';
import { readNewSecret } from '../secret-input.ts';

export function addPins(program: Program, cli: Cli): void {
  const pins = program
    .command('pins')
    .description('PINs of customers and senders, and when agents ask for them');
  const { output } = cli;

  pins
    .command('status')
    .description('show whether a customer has a PIN, and whether it is locked')
    .addArgument(customerArgument())
    .action(async (customer) => {
      const acp = await cli.tenant();
      const status = await acp.pins.getCustomerPin(await findCustomerId(acp, customer));
      output.answer(status, () => output.details(status));
    });

  pins
    .command('set')
    .description('set a customer’s PIN, 4 to 12 digits: from standard input, or asked for; ends its locks')
    .addArgument(customerArgument())
    .action(async (customer) => {
      const pin = await readNewSecret(cli, 'PIN');
      const acp = await cli.tenant();
      const status = await acp.pins.setCustomerPin(await findCustomerId(acp, customer), { pin });
      output.answer(status, () => output.line(`the PIN of ${customer} is set`));
    });

  pins
    .command('delete')
    .description('remove a customer’s PIN, if there is one')
    .addArgument(customerArgument())
    .action(async (customer) => {
      const acp = await cli.tenant();
      await acp.pins.deleteCustomerPin(await findCustomerId(acp, customer));
      output.note(`removed the PIN of ${customer}`);
    });

  pins
    .command('reset')
    .description('let a sender try again who forgot a PIN of their own, or is locked')
    .addArgument(customerArgument())
    .addArgument(idArgument('<identity>', 'id or address'))
    .action(async (customer, wanted) => {
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      const { id } = await findIdentity(acp, customer_id, wanted);
      await acp.pins.resetIdentityPin(customer_id, id);
      output.note(`reset identity ${id}`);
    });

  addPolicy(pins, cli);
}

function addPolicy(pins: Noun, cli: Cli): void {
  const policy = pins.command('policy').description('when an instance asks for a PIN');
  const { output } = cli;
  const show = (policy: PinPolicy) => output.answer(policy, () => output.details(policy));

  policy
    .command('show')
    .description('show the policy of an instance')
    .addArgument(instanceArgument())
    .action(async (instance) => {
      const acp = await cli.tenant();
      const id = await findInstanceId(acp, instance);
      show(await acp.pins.getPolicy(id));
    });

  policy
    .command('set')
    .description('change the policy of an instance; what is not named stays')
    .addArgument(instanceArgument())
    .addOption(
      new Option('--applies-to <senders>', 'who is asked').choices(['owner', 'customer', 'all'] as const),
    )
    .option('--skill <slug>', 'a skill that needs a PIN; may be repeated, and replaces the list', gather)
    .option('--session-minutes <number>', 'how long a right PIN counts', wholeNumber(1, 1440))
    .option('--enforced', 'the control plane itself asks for the proof')
    .option('--no-enforced', 'the runtime alone asks')
    .option('--require-sender-token', 'refuse runtimes that do not say who writes')
    .option('--no-require-sender-token', 'take them')
    .action(async (instance, { appliesTo, skill, sessionMinutes, enforced, requireSenderToken }) => {
      const changes = changesOf({
        pin_applies_to: appliesTo,
        pin_required_skills: listOrClear(skill),
        pin_session_ttl_minutes: sessionMinutes,
        enforced,
        require_sender_token: requireSenderToken,
      });
      const acp = await cli.tenant();
      const id = await findInstanceId(acp, instance);
      show(await acp.pins.updatePolicy(id, changes));
    });
}
