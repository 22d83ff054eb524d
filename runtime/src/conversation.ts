import type { Perf } from 'lru-cache';
import { createAgents } from './agent.ts';
import { AgentModel, type Draft, noModel } from './agent-model.ts';
import type { Answer } from './answer.ts';
import { noteOf, sentenceOf } from './approval.ts';
import { Commander } from './commander.ts';
import { consentIn, parseCommand, verificationReply } from './commands.ts';
import { type ControlPlane, ControlPlaneError, forMessage } from './control-plane.ts';
import { type Exchange, type Reply, zoneOf } from './exchange.ts';
import { createGateway } from './gateway.ts';
import { type ChatTurn, hidden } from './history.ts';
import type { InboundMessage } from './inbound-message.ts';
import type { Llm } from './llm.ts';
import type { Log } from './log.ts';
import { mayHoldPin, pinOf } from './pin-text.ts';
import type { Sight } from './sight.ts';
import { verify } from './tools/verify.ts';
import { WorkerUnverified } from './tools/worker.ts';

/** Four times the channel's longest. To look for a command in a megabyte takes seconds, in which everybody waits. */
const maxTextLength = 16_384;

const textOnly = 'I can only read text messages. Send "help" to see what I can do.';
const noVoice = 'I cannot listen to voice notes here. Please write to me instead.';
const noPictures = 'I cannot look at pictures here. Please write what it is about.';
const noFiles = 'I cannot open files or videos here. Please write what it is about.';
const tooLong = 'That is too long for me. Please send it in shorter messages.';
const notUnderstood = 'I did not understand that. Send "help" to see what I can do.';
const noWords = '[A picture without words.]';
const dropped = 'All right, I leave it as it is.';
const digitsAlone =
  'I am not waiting for that number. If it is your PIN, send the command first, then the PIN alone.';
const pinAlone = 'Please send the PIN alone, in the digits 0 to 9.';

interface Dependencies {
  controlPlane: ControlPlane;
  llm: Llm | undefined;
  sight: Sight;
  log: Log;
  perf: Perf;
  /** Increases when secrets arrive. */
  secretsVersion: () => number;
}

/** An honest sentence about what came without words. */
function wordless({ kind, media }: InboundMessage): string {
  const types = [kind, ...media.map(({ mime_type }) => mime_type)];
  const has = (pattern: RegExp) => types.some((type) => pattern.test(type));
  if (has(/^(?:audio|voice)/)) return noVoice;
  if (has(/^image/)) return noPictures;
  return has(/^(?:document|video|application)/) || media.length > 0 ? noFiles : textOnly;
}

/** The flow of a conversation: a message in, the answer out. */
export class Conversation {
  readonly #controlPlane: ControlPlane;
  readonly #sight: Sight;
  readonly #agents: ReturnType<typeof createAgents>;
  readonly #commander: Commander;
  readonly #model: AgentModel | undefined;

  constructor({ controlPlane, llm, sight, log, perf, secretsVersion }: Dependencies) {
    this.#controlPlane = controlPlane;
    this.#sight = sight;
    this.#agents = createAgents(perf, secretsVersion);
    this.#commander = new Commander(log, perf);
    const gateway = createGateway(log, perf, secretsVersion);
    this.#model = llm && new AgentModel(llm, gateway, this.#commander);
  }

  /** Never throws. @returns undefined where nothing is to be said */
  async answer(message: InboundMessage): Promise<Answer | undefined> {
    const asSender = forMessage(this.#controlPlane, message);
    const agent = await this.#agents(message.customer_id, asSender).catch((error: unknown) =>
      error instanceof ControlPlaneError ? error : new ControlPlaneError(0, '', { cause: error }),
    );
    if (!(agent instanceof ControlPlaneError) && !agent.speaksIn(message.channel)) return undefined;
    const exchange: Exchange = {
      message,
      controlPlane: asSender,
      zone: zoneOf(agent),
      agent,
      tool_calls: [],
    };
    const draft = await this.#draft(exchange);
    return draft && { ...draft, tool_calls: exchange.tool_calls };
  }

  async #draft(exchange: Exchange): Promise<Draft | undefined> {
    const { message } = exchange;
    const text = message.text?.trim() ?? '';
    if (message.approval) {
      const answer = await this.#model?.ask(exchange, noteOf(message.approval));
      return answer && answer.text !== noModel
        ? answer
        : { text: sentenceOf(message.approval), usage: answer?.usage };
    }
    if (text === '') {
      const pictures = this.#model === undefined ? [] : await this.#sight(exchange);
      const seen = pictures.length > 0 ? await this.#model?.ask(exchange, noWords, { pictures }) : undefined;
      return seen ?? { text: wordless(message) };
    }
    if (text.length > maxTextLength) return { text: tooLong };
    // Nobody wrote the words of a trigger, so they confirm nothing, and without a model there is nothing to say.
    if (message.kind !== 'trigger') return await this.#reply(exchange, text);
    const answer = await this.#model?.ask(exchange, text);
    return answer?.isSilent ? undefined : answer;
  }

  /** A burst is several messages, each of which may be a command. */
  async #reply(exchange: Exchange, text: string): Promise<Draft> {
    const isBurst = exchange.message.message_ids.length > 1;
    const lines = isBurst ? text.split('\n').filter((line) => line.trim() !== '') : [text];
    const replies: Draft[] = [];
    const done: ChatTurn[] = [];
    const rest: string[] = [];
    // A failure keeps nothing from being said about the other messages of the burst.
    const failed = (error: unknown) => this.#commander.failure(exchange.message, error, 'reply');
    for (const line of lines) {
      const exact = await this.#answerExactly(exchange, line).catch(failed);
      if (exact === undefined) {
        rest.push(line);
        continue;
      }
      replies.push(exact);
      const isPublic = parseCommand(line)?.tool.private === undefined && pinOf(line) === undefined;
      done.push(
        { role: 'user', content: isPublic ? line : hidden },
        { role: 'assistant', content: exact.text },
      );
    }
    // A person who takes over reads the rest.
    const isOver = replies.some(({ handover }) => handover !== undefined);
    if (rest.length > 0 && !isOver)
      replies.push(await this.#answerFreely(exchange, rest, done).catch(failed));
    return {
      text: replies.map((one) => one.text).join('\n\n'),
      handover: replies.find(({ handover }) => handover !== undefined)?.handover,
      usage: replies.find(({ usage }) => usage !== undefined)?.usage,
      error: replies.find(({ error }) => error !== undefined)?.error,
    };
  }

  /** Everything that no model may read or decide. @returns undefined for other text */
  async #answerExactly(exchange: Exchange, text: string): Promise<Reply | undefined> {
    const commander = this.#commander;
    const { message } = exchange;
    const question = commander.takeQuestion(message);
    const pin = pinOf(text);
    if (pin !== undefined && commander.isWaitingForPin(message)) return commander.enterPin(exchange, pin);
    const consent = question && consentIn(text);
    if (consent === 'no') return { text: dropped, ends_turn: true };
    if (question && consent === 'yes') return commander.run(exchange, { ...question, isConfirmed: true });
    const command = parseCommand(text);
    // The command answers the question, too: a bare "no" after it is about something else, and would unlink the worker.
    if (command?.tool === verify) commander.endVerification(message);
    if (command && (command.isExact || this.#model === undefined)) return commander.run(exchange, command);
    const response = command === undefined ? verificationReply(text) : undefined;
    if (response === undefined || !commander.isUnverified(message)) return undefined;
    commander.endVerification(message);
    return commander.run(exchange, { tool: verify, args: { response } });
  }

  /** Answers text that is no exact command; `lines` are the messages it came in. */
  async #answerFreely(exchange: Exchange, lines: string[], done: readonly ChatTurn[]): Promise<Draft> {
    const { message, agent } = exchange;
    const isWaiting = this.#commander.isWaitingForPin(message);
    const isConfidential = lines.some((line) => mayHoldPin(line, isWaiting));
    if (isConfidential && isWaiting) return { text: pinAlone };
    const text = lines.join('\n');
    const answer = isConfidential
      ? undefined
      : await this.#model?.ask(exchange, text, { done, pictures: await this.#sight(exchange) });
    const command = answer === undefined || answer.isSilent ? parseCommand(text) : undefined;
    const { usage, error } = answer ?? {};
    if (command) return { ...(await this.#commander.run(exchange, command)), usage, error };
    if (answer !== undefined) return answer;
    // As the first time: a sender who is asked once more has as long again to answer.
    if (this.#commander.isUnverified(message)) throw new WorkerUnverified();
    if (isConfidential) return { text: digitsAlone };
    return { text: agent instanceof ControlPlaneError && this.#model ? noModel : notUnderstood };
  }
}
