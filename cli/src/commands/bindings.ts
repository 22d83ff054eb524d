import { randomInt } from 'node:crypto';
import type { Binding } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { negativeResult } from '../errors.ts';
import { findCustomerId, findInstanceId, findPersonId } from '../finding.ts';
import { readSecretInput } from '../input.ts';
import { showList } from '../lists.ts';
import {
  allOption,
  channelOption,
  customerArgument,
  idArgument,
  instanceArgument,
  pageOption,
  perPageOption,
  personArgument,
} from '../options.ts';
import type { Noun, Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const COLUMNS: readonly Column<Binding>[] = [
  ['ID', ({ id }) => id],
  ['CHANNEL', ({ channel_type }) => channel_type],
  ['ADDRESS', ({ channel_address }) => channel_address, 'flexible'],
  ['STATE', ({ state }) => state],
  ['CODE', ({ has_code }) => (has_code ? 'yes' : 'no')],
  ['CREATED', ({ created_at }) => moment(created_at)],
];

const codeInputOption = () =>
  new Option('--code-stdin', 'read the code from standard input').conflicts(['code', 'answer']);

export function addBindings(program: Program, cli: Cli): void {
  const bindings = program
    .command('bindings')
    .description('which person of the staff writes from an address; opens nothing until it is verified');
  const { output } = cli;

  bindings
    .command('list')
    .description('list the addresses of a person')
    .addArgument(customerArgument())
    .addArgument(personArgument())
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (customer, person, flags) => {
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      const path = { customer_id, person_id: await findPersonId(() => cli.user(), customer_id, person) };
      await showList(cli, acp, 'list_bindings', { path }, COLUMNS, flags);
    });

  addAdding(bindings, cli);
  addVerifying(bindings, cli);

  bindings
    .command('delete')
    .description('have an address be no worker’s any more')
    .addArgument(customerArgument())
    .addArgument(personArgument())
    .addArgument(idArgument('<binding-id>', 'the id'))
    .action(async (customer, person, id) => {
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      await acp.staff.deleteBinding(
        customer_id,
        await findPersonId(() => cli.user(), customer_id, person),
        id,
      );
      output.note(`removed binding ${id}`);
    });
}

function addAdding(bindings: Noun, cli: Cli): void {
  const { output } = cli;

  bindings
    .command('create')
    .description('bind an address to a person, who then has to say yes in the chat, or the code')
    .addArgument(customerArgument())
    .addArgument(personArgument())
    .argument('<address>', 'a phone number, or the channel’s own id of the sender')
    .addOption(channelOption())
    .option('--code', 'make a code for the person, and show it once')
    .addOption(codeInputOption())
    .action(async (customer, person, channel_address, { channel, code: makes, codeStdin }) => {
      const given = codeStdin ? await readSecretInput(cli.terminal, 'code') : undefined;
      const code = makes ? newCode() : given;
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      const person_id = await findPersonId(() => cli.user(), customer_id, person);
      const body = { channel_type: channel, channel_address, code };
      const made = await acp.staff.createBinding(customer_id, person_id, body);
      if (makes) output.note(`code of binding ${made.id}, shown once:`);
      output.answer({ ...made, ...(makes && { code }) }, () =>
        output.line(makes ? code : `${channel_address} is bound, ${made.state}: ${made.id}`),
      );
    });
}

const newCode = () => String(randomInt(1_000_000)).padStart(6, '0');

function addVerifying(bindings: Noun, cli: Cli): void {
  const { output } = cli;

  bindings
    .command('verify')
    .description('answer for a person, as an instance’s runtime does (needs the operations token)')
    .addArgument(instanceArgument())
    .argument('<address>', 'the bound address')
    .addOption(channelOption())
    .addOption(
      new Option('--answer <word>', 'for a binding without a code').choices(['yes', 'no']).default('yes'),
    )
    .addOption(codeInputOption())
    .action(async (instance, channel_address, { channel, answer, codeStdin }) => {
      const response = codeStdin ? await readSecretInput(cli.terminal, 'code') : answer;
      const operator = await cli.operator();
      const id = await findInstanceId(operator, instance);
      const verified = await operator.workers.verify(id, {
        channel_type: channel,
        channel_address,
        response,
      });
      output.answer(verified, () => output.line(`${verified.name} is ${verified.state}`));
      if (response !== 'no' && !verified.verified)
        throw negativeResult('that was not the answer', 'a binding with a code takes the code: --code-stdin');
    });
}
