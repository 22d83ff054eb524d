import { ApiError, type Conversation, type Message } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { CliError, EXIT } from '../errors.ts';
import { findConversationId, findCustomerId, findInstance } from '../finding.ts';
import { showList } from '../lists.ts';
import { messageLines, responderOf, summaryOf } from '../message-text.ts';
import { allOption, idArgument, pageOption, perPageOption, wholeNumber } from '../options.ts';
import type { Noun, Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment, oneLine } from '../text.ts';

const MOST_MINUTES = 525_600;

const COLUMNS: readonly Column<Conversation>[] = [
  ['ID', ({ id }) => id],
  ['WITH', ({ display_name, external_id }) => display_name ?? external_id, 'flexible'],
  ['CHANNEL', ({ channel }) => channel],
  ['MODE', ({ mode, human_until }) => (human_until === null ? mode : `${mode} until ${moment(human_until)}`)],
  ['UNANSWERED', ({ unanswered }) => unanswered],
  ['AT', ({ last_message_at }) => moment(last_message_at)],
  ['LAST MESSAGE', ({ last_message: last }) => last && `${last.author}: ${last.text ?? ''}`, 'flexible'],
];

const conversationArgument = () => idArgument('<conversation>', 'id, or the sender’s address');

export function addConversations(program: Program, cli: Cli): void {
  const conversations = program
    .command('conversations')
    .description('conversations of agents with people: read, take over, answer');
  const { output } = cli;

  conversations
    .command('list')
    .description('list conversations, the latest message first')
    .option('--instance <instance>', 'id or hostname')
    .option('--customer <customer>', 'id or e-mail address')
    .addOption(new Option('--mode <mode>', 'who answers').choices(['agent', 'human'] as const))
    .option('--channel <channel>', 'chatapp, playground, …')
    .option('--unanswered', 'only those with a message that nobody has answered')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ instance, customer, mode, channel, unanswered, ...flags }) => {
      const acp = await cli.tenant();
      const query = {
        ...(instance !== undefined && { instance_id: (await findInstance(acp, instance)).id }),
        ...(customer !== undefined && { customer_id: await findCustomerId(acp, customer) }),
        ...(mode && { mode }),
        ...(channel && { channel }),
        ...(unanswered && { unanswered }),
      };
      await showList(cli, acp, 'list_conversations', { query }, COLUMNS, flags);
    });

  addShow(conversations, cli);
  addTakeover(conversations, cli);

  conversations
    .command('delete')
    .alias('erase')
    .description('erase a conversation with all its messages, for good; queued answers are not sent')
    .addArgument(idArgument('<conversation-id>', 'the id'))
    .action(async (id) => {
      await (await cli.tenant()).conversations.delete(id);
      output.note(`erased conversation ${id}`);
    });
}

function addShow(conversations: Noun, cli: Cli): void {
  conversations
    .command('show')
    .description('print the newest messages, oldest first, with why they wait or failed')
    .addArgument(conversationArgument())
    .option('-f, --follow', 'keep printing new messages and changes; with --json one message per line')
    .option('--before <message-id>', 'only messages before this one')
    .addOption(perPageOption())
    .action(async (wanted, { follow, before, perPage }) => {
      const { output } = cli;
      const acp = await cli.tenant();
      const id = await findConversationId(acp, wanted);
      const [conversation, page] = await Promise.all([
        acp.conversations.get(id),
        acp.conversations.listMessages(id, {
          ...(before && { before }),
          ...(perPage && { per_page: perPage }),
        }),
      ]);
      output.note(summaryOf(conversation));
      if (follow) for (const message of page.items) output.each(message, () => print(cli, message));
      else output.answer(page, () => page.items.forEach((message) => print(cli, message)));
      if (page.next_before !== null) output.note(`use --before ${page.next_before} for earlier messages`);
      if (follow) await followAfter(cli, id, page.items);
    });
}

const print = ({ output }: Cli, message: Message): void => output.line(messageLines(output, message));

async function followAfter(cli: Cli, id: string, page: readonly Message[]): Promise<void> {
  const { output } = cli;
  const shown = new Map(page.map((message) => [message.id, stateOf(message)]));
  const newest = page.at(-1)?.at ?? '';
  for await (const { change: _, ...message } of (await cli.tenant()).conversations.followMessages(id)) {
    const before = shown.get(message.id);
    // The stream begins with the conversation's first message.
    if (before === stateOf(message) || (before === undefined && message.at < newest)) continue;
    shown.set(message.id, stateOf(message));
    output.each(message, () => {
      if (before === undefined) return print(cli, message);
      const { author, at, status, error } = message;
      const why = error === null ? '' : `: ${oneLine(error)}`;
      output.line(output.style('dim', `  · ${author}, ${moment(at)}: ${status}${why}`));
    });
  }
}

const stateOf = ({ status, error, text }: Message) => JSON.stringify([status, error, text]);

function addTakeover(conversations: Noun, cli: Cli): void {
  const { output } = cli;

  const change = async (wanted: string, body: { mode: 'agent' | 'human'; minutes?: number }) => {
    const acp = await cli.tenant();
    const id = await findConversationId(acp, wanted);
    const conversation = await acp.conversations.update(id, body);
    output.answer(conversation, () => output.line(`${id}: ${responderOf(conversation)}`));
  };

  conversations
    .command('take-over')
    .description('answer in the agent’s place: nothing is forwarded to it any more')
    .addArgument(conversationArgument())
    .option('--minutes <number>', 'give it back after so long', wholeNumber(1, MOST_MINUTES))
    .action((id, { minutes }) => change(id, { mode: 'human', ...(minutes !== undefined && { minutes }) }));

  conversations
    .command('give-back')
    .description('let the agent answer again; it gets what nobody has answered')
    .addArgument(conversationArgument())
    .action((id) => change(id, { mode: 'agent' }));

  conversations
    .command('answer')
    .description('answer as a person in a conversation that was taken over')
    .addArgument(conversationArgument())
    .argument('<text>', 'the answer')
    .option('--idempotency-key <key>', 'repeating a key sends nothing again')
    .action(async (wanted, text, { idempotencyKey: idempotency_key }) => {
      const acp = await cli.tenant();
      const id = await findConversationId(acp, wanted);
      const body = { text, ...(idempotency_key && { idempotency_key }) };
      const message = await acp.conversations.sendMessage(id, body).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 409)) throw error;
        throw new CliError(
          EXIT.conflict,
          error.detail,
          `"agentctl conversations take-over ${id}" takes it over`,
        );
      });
      output.answer(message, () => output.line(`${message.status}: message ${message.id}`));
    });
}
