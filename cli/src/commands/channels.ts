import type { ChannelEndpoint, ChannelTemplate } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { nameOf, readObject } from '../documents.ts';
import { usageError } from '../errors.ts';
import { changesOf, orClear } from '../fields.ts';
import { findCustomerId, findEndpoint, findInstanceId } from '../finding.ts';
import { showList } from '../lists.ts';
import { allOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Noun, Program } from '../program.ts';
import { readSecrets } from '../secret-input.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const COLUMNS: readonly Column<ChannelEndpoint>[] = [
  ['ID', ({ id }) => id],
  ['CHANNEL', ({ channel }) => channel],
  ['PHONE NUMBER ID', ({ phone_number_id }) => phone_number_id, 'flexible'],
  ['INSTANCE', ({ instance_id, hostname }) => hostname ?? instance_id],
  ['CUSTOMER', ({ customer_id, customer_name }) => customer_name ?? customer_id, 'flexible'],
  ['CONNECTION', ({ connection_name }) => connection_name, 'flexible'],
  ['LAST MESSAGE', ({ last_received_at }) => moment(last_received_at)],
  ['CREATED', ({ created_at }) => moment(created_at)],
];

const TEMPLATE_COLUMNS: readonly Column<ChannelTemplate>[] = [
  ['NAME', ({ name }) => name],
  ['LANGUAGE', ({ language }) => language],
  ['STATUS', ({ status }) => status],
  ['PLACES', ({ parameters }) => parameters],
  ['TEXT', ({ text }) => text, 'flexible'],
];

const SECRETS = {
  verify_token: 'Verify token (a word of yours, which the channel’s console asks for)',
  app_secret: 'App secret (from the channel’s console)',
} as const;

const numberArgument = () => idArgument('<number>', 'the channel’s id of the number, or the id of the row');
const secretsOption = (when: string) =>
  new Option('-f, --file <path>', `verify_token and app_secret, YAML or JSON; - is standard input${when}`);

export function addChannels(program: Program, cli: Cli): void {
  const channels = program.command('channels').description('numbers of the chat channel that agents answer');
  const { output } = cli;

  channels
    .command('list')
    .description('list numbers, newest first')
    .option('--search <text>', 'part of the number’s id or the connection’s name')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ search, ...flags }) => {
      const query = search ? { search } : {};
      await showList(cli, await cli.tenant(), 'list_channel_endpoints', { query }, COLUMNS, flags);
    });

  channels
    .command('show')
    .description('show a number, without its secrets')
    .addArgument(numberArgument())
    .action(async (wanted) => {
      const number = await findEndpoint(await cli.tenant(), wanted);
      output.answer(number, () => output.details(number));
    });

  channels
    .command('templates')
    .description('ask the channel for the templates of a number; it takes those that are APPROVED')
    .addArgument(numberArgument())
    .action(async (wanted) => {
      const acp = await cli.tenant();
      const templates = await acp.channels.listTemplates((await findEndpoint(acp, wanted)).id);
      output.answer(templates, () => output.table(TEMPLATE_COLUMNS, templates.items));
    });

  addAdding(channels, cli);
  addUpdating(channels, cli);

  channels
    .command('delete')
    .description('receive no more messages for a number, and drop the ones that wait')
    .addArgument(numberArgument())
    .action(async (wanted) => {
      const acp = await cli.tenant();
      const { id, phone_number_id } = await findEndpoint(acp, wanted);
      await acp.channels.deleteEndpoint(id);
      output.note(`removed number ${phone_number_id}`);
    });
}

function addAdding(channels: Noun, cli: Cli): void {
  const { output } = cli;

  channels
    .command('create')
    .description('have an instance answer a number; its two secrets are encrypted and never shown')
    .argument('<phone-number-id>', 'the channel’s id of the number, not the number itself')
    .requiredOption('--instance <instance>', 'who answers: id or hostname')
    .option(
      '--customer <customer>',
      'whose number it is, on a shared instance: id, e-mail address or company name',
    )
    .option('--connection <name>', 'the connection that answers are sent with; else the oldest active one')
    .addOption(secretsOption('; asked for on a terminal'))
    .action(async (phone_number_id, { instance, customer, connection, file }) => {
      const secrets = await readSecrets(cli, file, SECRETS);
      const acp = await cli.tenant();
      const made = await acp.channels.createEndpoint({
        channel: 'chatapp',
        phone_number_id,
        instance_id: await findInstanceId(acp, instance),
        customer_id: customer === undefined ? undefined : await findCustomerId(acp, customer),
        connection_name: connection,
        ...secrets,
      });
      output.answer(made, () => output.line(`number ${phone_number_id} is answered: ${made.id}`));
      output.note(`callback URL for the channel’s console: ${made.webhook_url}`);
    });
}

function addUpdating(channels: Noun, cli: Cli): void {
  const { output } = cli;

  channels
    .command('update')
    .description('change a number, who answers it or its secrets; an empty value clears')
    .addArgument(numberArgument())
    .option('--phone-number-id <id>', 'another id of the channel’s')
    .option('--instance <instance>', 'who answers: id or hostname')
    .option(
      '--customer <customer>',
      'whose number it is, on a shared instance: id, e-mail address or company name',
    )
    .option('--connection <name>', 'the connection that answers are sent with')
    .addOption(secretsOption(', either or both'))
    .action(async (wanted, { phoneNumberId, instance, customer, connection, file }) => {
      const secrets = file === undefined ? {} : await changedSecrets(cli, file);
      const given = changesOf({
        phone_number_id: phoneNumberId,
        instance_id: instance,
        customer_id: orClear(customer),
        connection_name: orClear(connection),
        ...secrets,
      });
      const acp = await cli.tenant();
      const { id } = await findEndpoint(acp, wanted);
      const changed = await acp.channels.updateEndpoint(id, {
        ...given,
        ...(instance !== undefined && { instance_id: await findInstanceId(acp, instance) }),
        ...(customer && { customer_id: await findCustomerId(acp, customer) }),
      });
      output.answer(changed, () => output.line(`changed number ${changed.phone_number_id}`));
    });
}

async function changedSecrets(
  { terminal }: Cli,
  file: string,
): Promise<{ verify_token?: string; app_secret?: string }> {
  const given = await readObject(terminal, file);
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(SECRETS, name));
  if (unknown.length > 0) throw usageError(`${nameOf(file)}: unknown field ${unknown.join(', ')}`);
  return given;
}
