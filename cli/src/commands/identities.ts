import type { Identity } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { changesOf, orClear } from '../fields.ts';
import { findCustomerId, findIdentity, findInstanceId } from '../finding.ts';
import { showList } from '../lists.ts';
import {
  allOption,
  channelOption,
  customerArgument,
  idArgument,
  instanceArgument,
  pageOption,
  perPageOption,
} from '../options.ts';
import type { Noun, Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const COLUMNS: readonly Column<Identity>[] = [
  ['ID', ({ id }) => id],
  ['CHANNEL', ({ channel }) => channel],
  ['ADDRESS', ({ external_id }) => external_id, 'flexible'],
  ['NAME', ({ display_name }) => display_name, 'flexible'],
  ['ROLE', ({ role_override }) => role_override, 'flexible'],
  ['VERIFIED', ({ verified }) => (verified ? 'yes' : 'no')],
  ['CREATED', ({ created_at }) => moment(created_at)],
];

const identityArgument = () => idArgument('<identity>', 'id or address');
const verifiedOption = () => new Option('--verified', 'you know that the address is the sender’s');

export function addIdentities(program: Program, cli: Cli): void {
  const identities = program
    .command('identities')
    .description('which customer a sender of a channel belongs to');

  identities
    .command('list')
    .description('list the identities of a customer, newest first')
    .addArgument(customerArgument())
    .option('--channel <channel>', 'only of this channel')
    .option('--address <address>', 'only this address, or the one that it is an alias of')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (customer, { channel, address: external_id, ...flags }) => {
      const acp = await cli.tenant();
      const path = { customer_id: await findCustomerId(acp, customer) };
      await showList(cli, acp, 'list_identities', { path, query: { channel, external_id } }, COLUMNS, flags);
    });

  addChanges(identities, cli);
  addLookup(identities, cli);
}

function addChanges(identities: Noun, cli: Cli): void {
  const { output } = cli;

  identities
    .command('create')
    .description('have a sender known as the customer’s')
    .addArgument(customerArgument())
    .argument('<address>', 'a phone number, or the channel’s own id of the sender')
    .addOption(channelOption())
    .option('--name <name>', 'what the sender is called')
    .option('--role <role>', 'what the sender is to the customer; "owner" counts for PIN policies')
    .addOption(verifiedOption())
    .action(async (customer, external_id, { channel, name, role, verified }) => {
      const acp = await cli.tenant();
      const made = await acp.identities.create(await findCustomerId(acp, customer), {
        channel,
        external_id,
        display_name: name,
        role_override: role,
        verified,
      });
      output.answer(made, () => output.line(`${made.external_id} is identity ${made.id}`));
    });

  identities
    .command('update')
    .description('change an identity; an empty value clears')
    .addArgument(customerArgument())
    .addArgument(identityArgument())
    .option('--address <address>', 'another address')
    .option('--channel <channel>', 'another channel')
    .option('--name <name>')
    .option('--role <role>')
    .addOption(verifiedOption())
    .option('--no-verified', 'nobody knows that the address is the sender’s')
    .action(async (customer, wanted, { address, channel, name, role, verified }) => {
      const changes = changesOf({
        channel,
        external_id: address,
        display_name: orClear(name),
        role_override: orClear(role),
        verified,
      });
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      const { id } = await findIdentity(acp, customer_id, wanted);
      const changed = await acp.identities.update(customer_id, id, changes);
      output.answer(changed, () => output.line(`changed identity ${id}`));
    });

  identities
    .command('delete')
    .description('have an address be a stranger’s again; its own PIN goes with it')
    .addArgument(customerArgument())
    .addArgument(identityArgument())
    .action(async (customer, wanted) => {
      const acp = await cli.tenant();
      const customer_id = await findCustomerId(acp, customer);
      const { id } = await findIdentity(acp, customer_id, wanted);
      await acp.identities.delete(customer_id, id);
      output.note(`removed identity ${id}`);
    });
}

function addLookup(identities: Noun, cli: Cli): void {
  const { output } = cli;

  identities
    .command('lookup')
    .description(
      'find whose sender an instance takes an address for, as its runtime does (needs the operations token)',
    )
    .addArgument(instanceArgument())
    .argument('<address>', 'a phone number, or the channel’s own id of the sender')
    .addOption(channelOption())
    .action(async (instance, external_id, { channel }) => {
      const operator = await cli.operator();
      const id = await findInstanceId(operator, instance);
      const found = await operator.identities.lookUpIdentity(id, { channel, external_id });
      output.answer(found, () => output.details(found));
    });
}
