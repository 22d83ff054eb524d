import type { ControlPlane, Instance, Message } from '@agent-control-plane/sdk';
import { Dialogue } from '../chat/dialogue.ts';
import { chatLive } from '../chat/live-chat.ts';
import { onboardingQuestions } from '../chat/onboarding.ts';
import { chatPlainly, inputLines } from '../chat/plain-chat.ts';
import { remedyFor, whyHopeless, whyUnanswered } from '../chat/why-unanswered.ts';
import type { Cli } from '../cli.ts';
import { CliError, EXIT, usageError } from '../errors.ts';
import { findIdentity, findInstance } from '../finding.ts';
import { reachesSender, responderOf } from '../message-text.ts';
import { wholeNumber } from '../options.ts';
import type { Program } from '../program.ts';

const SHOWN_EARLIER = 10;

interface Flags {
  readonly once?: string | undefined;
  readonly conversation?: string | undefined;
  readonly identity?: string | undefined;
  readonly timeout: number;
}

export function addChat(program: Program, cli: Cli): void {
  program
    .command('chat')
    .description(
      'talk to an agent without a phone, until Ctrl-D; each line of standard input is a message, unless it is a terminal',
    )
    .argument('<instance>', 'id or hostname')
    .option('--once <text>', 'send one message and print the answer; exits with 1 when none comes')
    .option('--conversation <id>', 'go on with an earlier conversation of "agentctl chat"')
    .option(
      '--identity <identity>',
      'who writes, in a new conversation: id or address; a shared instance needs the id',
    )
    .option(
      '--timeout <seconds>',
      'how long an answer may take, not on a terminal',
      wholeNumber(1, 86_400),
      60,
    )
    .action((wanted, flags) => chat(cli, wanted, flags));
}

async function chat(cli: Cli, wanted: string, flags: Flags): Promise<void> {
  const { output, terminal } = cli;
  const acp = await cli.tenant();
  const instance = await findInstance(acp, wanted);
  requireAnswerable(instance, flags);
  const earlier =
    flags.conversation === undefined ? [] : await resume(cli, acp, instance, flags.conversation);
  const dialogue = new Dialogue({
    acp,
    instance_id: instance.id,
    earlier: flags.conversation === undefined ? undefined : lastOf(flags.conversation, earlier),
    identity_id: flags.identity === undefined ? undefined : await identityOf(acp, instance, flags.identity),
    questions: await onboardingQuestions(acp, instance.id),
  });
  const why = (id: string) => whyUnanswered(acp, instance.id, dialogue.id ?? '', id);
  const isLive = flags.once === undefined && terminal.stdin.isTTY && terminal.stdout.isTTY && !output.json;
  try {
    if (isLive) {
      output.note(
        `${instance.hostname}: ${instance.template_name} r${instance.recipe_revision}. Ctrl-D ends.`,
      );
      await chatLive(cli, { dialogue, instance, earlier, why });
    } else {
      const texts = flags.once === undefined ? inputLines(cli) : [flags.once];
      await chatPlainly(cli, texts, {
        dialogue,
        timeoutMs: flags.timeout * 1000,
        why,
        whyHopeless: () => whyHopeless(acp, instance.id),
      });
    }
  } finally {
    dialogue.close();
    if (dialogue.id !== undefined) output.note(`(to go on: --conversation ${dialogue.id})`);
  }
}

/** By id, or by address in a dedicated instance. */
async function identityOf(acp: ControlPlane, instance: Instance, wanted: string): Promise<string> {
  const { customer_id, hosting_mode } = instance;
  if (customer_id === null || hosting_mode === 'shared') return wanted;
  return (await findIdentity(acp, customer_id, wanted)).id;
}

function requireAnswerable(instance: Instance, { conversation, identity, once }: Flags): void {
  if (once?.trim() === '') throw usageError('--once has no text');
  if (instance.status !== 'running') {
    const message = `${instance.hostname} is ${instance.status}, so nobody answers`;
    throw new CliError(EXIT.conflict, message, remedyFor(instance));
  }
  if (instance.hosting_mode === 'shared' && identity === undefined && conversation === undefined) {
    throw usageError(
      `${instance.hostname} serves several customers, and has to be told who writes`,
      'use --identity with the id of a customer’s identity',
    );
  }
}

/** Checks a conversation to continue, and notes when a person has it. @returns its newest messages, oldest first */
async function resume(
  { output }: Cli,
  acp: ControlPlane,
  instance: Instance,
  id: string,
): Promise<readonly Message[]> {
  const conversation = await acp.conversations.get(id);
  if (conversation.instance_id !== instance.id || conversation.channel !== 'playground') {
    throw new CliError(
      EXIT.notFound,
      `${id} is not a conversation that "agentctl chat ${instance.hostname}" began`,
      `"agentctl conversations show ${id}" shows it`,
    );
  }
  const { items } = await acp.conversations.listMessages(id, { per_page: SHOWN_EARLIER });
  if (conversation.mode === 'human') {
    output.note(
      `${responderOf(conversation)}, so the agent does not answer; "agentctl conversations give-back ${id}" returns it`,
    );
  }
  return items;
}

const lastOf = (id: string, messages: readonly Message[]) => ({
  id,
  last_at: messages.at(-1)?.at ?? new Date(0).toISOString(),
  latest: messages.findLast(reachesSender),
});
