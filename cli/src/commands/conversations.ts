import { ApiError, type Conversation, type Message } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { CliError, EXIT, usageError } from '../errors.ts';
import { findConversationId, findCustomerId, findInstance } from '../finding.ts';
import { showList } from '../lists.ts';
import { messageLines, responderOf, summaryOf, takerOf } from '../message-text.ts';
import { allOption, gather, idArgument, pageOption, perPageOption, wholeNumber } from '../options.ts';
import type { Noun, Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment, oneLine } from '../text.ts';

const MOST_MINUTES = 525_600;

const COLUMNS: readonly Column<Conversation>[] = [
  ['ID', ({ id }) => id],
  ['WITH', ({ display_name, external_id }) => display_name ?? external_id, 'flexible'],
  ['CHANNEL', ({ channel }) => channel],
  ['MODE', ({ mode, human_until }) => (human_until === null ? mode : `${mode} until ${moment(human_until)}`)],
  ['BY', takerOf, 'flexible'],
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
    .description('list conversations, the latest message first, or who waits longest')
    .option('--search <text>', 'a part of a name or an address')
    .option('--instance <instance>', 'id or hostname')
    .option('--customer <customer>', 'id, e-mail address or company name')
    .addOption(new Option('--mode <mode>', 'who answers').choices(['agent', 'human'] as const))
    .option('--channel <channel>', 'chatapp, playground, …')
    .option('--unanswered', 'only those with a message that nobody has answered')
    .option('--failed', 'only those whose newest outgoing message failed')
    .option('--from <day-or-time>', 'only with a last message since then')
    .option('--to <day-or-time>', 'only with a last message until then, included')
    .addOption(
      new Option('--sort <order>', 'what comes first').choices(['last_message_at', 'waiting_since'] as const),
    )
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ instance, customer, page, perPage, all, sort, ...filters }) => {
      const acp = await cli.tenant();
      const query = {
        ...filters,
        ...(sort && { sort_by: sort }),
        ...(instance !== undefined && { instance_id: (await findInstance(acp, instance)).id }),
        ...(customer !== undefined && { customer_id: await findCustomerId(acp, customer) }),
      };
      await showList(cli, acp, 'list_conversations', { query }, COLUMNS, { page, perPage, all });
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

/** The messages that are new, or changed, since the page was read. */
async function followAfter(cli: Cli, id: string, page: readonly Message[]): Promise<void> {
  const { output } = cli;
  const shown = new Map(page.map((message) => [message.id, stateOf(message)]));
  const after = Math.max(0, ...page.map(({ change }) => change));
  for await (const message of (await cli.tenant()).conversations.followMessages(id, { after })) {
    const before = shown.get(message.id);
    if (before === stateOf(message)) continue;
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

interface ModeChange {
  mode: 'agent' | 'human';
  minutes?: number;
  expect_taken_by?: string | null;
}

function addTakeover(conversations: Noun, cli: Cli): void {
  const { output } = cli;

  const change = async (wanted: string, body: ModeChange) => {
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
    .option('--expect-taken-by <id>', 'only while this user or key has it, or "nobody"')
    .action((id, { minutes, expectTakenBy: expected }) =>
      change(id, {
        mode: 'human',
        ...(minutes !== undefined && { minutes }),
        ...(expected !== undefined && { expect_taken_by: expected === 'nobody' ? null : expected }),
      }),
    );

  conversations
    .command('give-back')
    .description('let the agent answer again; it gets what nobody has answered')
    .addArgument(conversationArgument())
    .action((id) => change(id, { mode: 'agent' }));

  addAnswer(conversations, cli);
}

function addAnswer(conversations: Noun, cli: Cli): void {
  const { output } = cli;

  conversations
    .command('answer')
    .description('answer as a person in a conversation that was taken over')
    .addArgument(conversationArgument())
    .argument('[text]', 'the answer')
    .option('--template <name>', 'a template in place of the text, once free text has ended')
    .option('--language <language>', 'the template’s, as "channels templates" shows it', 'en')
    .option('--parameter <text>', 'the text of the template’s next place, once for each', gather)
    .option('--idempotency-key <key>', 'repeating a key sends nothing again')
    .action(async (wanted, text, { template: name, language, parameter, idempotencyKey }) => {
      if ((text === undefined) === (name === undefined)) throw usageError('give either a text or --template');
      const acp = await cli.tenant();
      const id = await findConversationId(acp, wanted);
      const content = name === undefined ? { text } : { template: { name, language, parameters: parameter } };
      const body = { ...content, ...(idempotencyKey && { idempotency_key: idempotencyKey }) };
      const message = await acp.conversations.sendMessage(id, body).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 409)) throw error;
        throw new CliError(EXIT.conflict, error.detail, hintOf(error, id));
      });
      output.answer(message, () => output.line(`${message.status}: message ${message.id}`));
    });
}

const hintOf = ({ detail }: ApiError, id: string): string =>
  detail.includes('reply_until')
    ? '"agentctl channels templates" shows those that --template may name'
    : `"agentctl conversations take-over ${id}" takes it over`;
