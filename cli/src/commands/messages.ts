import type { ChannelMessage } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { showList } from '../lists.ts';
import { allOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';
import { addSimulate } from './messages-simulate.ts';

const COLUMNS: readonly Column<ChannelMessage>[] = [
  ['ID', ({ id }) => id],
  ['STATUS', ({ status }) => status],
  ['FROM', ({ external_id }) => external_id, 'flexible'],
  ['INSTANCE', ({ instance_id }) => instance_id, 'flexible'],
  ['ATTEMPTS', ({ attempts }) => attempts],
  ['RECEIVED', ({ received_at }) => moment(received_at)],
  ['WHY', ({ last_error }) => last_error, 'flexible'],
];

export function addMessages(program: Program, cli: Cli): void {
  const messages = program
    .command('messages')
    .description('messages received from the channel, without what they say');
  const { output } = cli;

  messages
    .command('list')
    .description('list messages, newest first, with why they wait or were given up')
    .addOption(new Option('--status <status>').choices(['pending', 'delivered', 'dead'] as const))
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ status, ...flags }) => {
      const query = status ? { status } : {};
      await showList(cli, await cli.tenant(), 'list_channel_messages', { query }, COLUMNS, flags);
    });

  messages
    .command('retry')
    .description('forward a message that was given up, for another 24 hours')
    .addArgument(idArgument('<message-id>', 'the id'))
    .action(async (id) => {
      const message = await (await cli.tenant()).channels.retryMessage(id);
      output.answer(message, () => output.line(`${message.id} is ${message.status} again`));
    });

  addSimulate(messages, cli);
}
