import type { Perf } from 'lru-cache';
import { createAgents } from './agent.ts';
import { AgentModel, type Draft } from './agent-model.ts';
import type { Answer } from './answer.ts';
import { noteOf, sentenceOf } from './approval.ts';
import { wordsOf } from './background.ts';
import { aPerson } from './choices.ts';
import { Commander } from './commander.ts';
import { consentIn, parseCommand, verificationReply } from './commands.ts';
import { type ControlPlane, ControlPlaneError, forMessage } from './control-plane.ts';
import { CutOff, isCutOff } from './cut-off.ts';
import { type Exchange, type Reply, zoneOf } from './exchange.ts';
import { createGateway } from './gateway.ts';
import { type ChatMessage, hidden } from './history.ts';
import type { InboundMessage, Part } from './inbound-message.ts';
import { languageOf } from './language.ts';
import type { Llm } from './llm.ts';
import type { Log } from './log.ts';
import type { LoadPictures } from './pictures.ts';
import { mayHoldPin, pinOf } from './pin-text.ts';
import type { SentenceKey } from './sentences/en.ts';
import { verify } from './tools/verify.ts';
import { WorkerUnverified } from './tools/worker.ts';

/** Four times the channel's limit. Parsing a megabyte would block all conversations for seconds. */
const maxTextLength = 16_384;

const noCaption = '[A picture without words.]';

interface Dependencies {
  controlPlane: ControlPlane;
  llm: Llm | undefined;
  loadPictures: LoadPictures;
  log: Log;
  perf: Perf;
  /** Grows when secrets arrive. */
  secretsVersion: () => number;
}

/** For a message without text. */
function cannotRead({ kind, media }: InboundMessage): SentenceKey {
  const types = [kind, ...media.map(({ mime_type }) => mime_type)];
  const has = (pattern: RegExp) => types.some((type) => pattern.test(type));
  if (has(/^(?:audio|voice)/)) return 'no_voice';
  if (has(/^image/)) return 'no_pictures';
  return has(/^(?:document|video|application)/) || media.length > 0 ? 'no_files' : 'text_only';
}

export class Conversation {
  readonly #controlPlane: ControlPlane;
  readonly #loadPictures: LoadPictures;
  readonly #agents: ReturnType<typeof createAgents>;
  readonly #commander: Commander;
  readonly #model: AgentModel | undefined;

  constructor({ controlPlane, llm, loadPictures, log, perf, secretsVersion }: Dependencies) {
    this.#controlPlane = controlPlane;
    this.#loadPictures = loadPictures;
    this.#agents = createAgents(perf, secretsVersion);
    this.#commander = new Commander(log, perf);
    const gateway = createGateway(log, perf, secretsVersion);
    this.#model = llm && new AgentModel(llm, gateway, this.#commander);
  }

  /** Throws nothing but CutOff. @returns undefined: no answer */
  async answer(message: InboundMessage): Promise<Answer | undefined> {
    const asSender = forMessage(this.#controlPlane, message);
    const agent = await this.#agents(message.customer_id, asSender).catch((error: unknown) =>
      error instanceof ControlPlaneError ? error : new ControlPlaneError(0, '', { cause: error }),
    );
    if (isCutOff(agent)) throw new CutOff();
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
    const { say } = languageOf(message);
    const text = message.text?.trim() ?? '';
    if (message.approval) {
      const answer = await this.#model?.ask(exchange, noteOf(message.approval));
      return answer && !answer.isSilent
        ? answer
        : { text: sentenceOf(message.approval, languageOf(message)), usage: answer?.usage };
    }
    if (text === '') {
      const pictures = this.#model === undefined ? [] : await this.#loadPictures(exchange);
      const seen =
        pictures.length > 0 ? await this.#model?.ask(exchange, noCaption, { pictures }) : undefined;
      return seen ?? { text: say(cannotRead(message)) };
    }
    if (text.length > maxTextLength) return { text: say('too_long') };
    // The text of a trigger is not a person's: it confirms nothing, and without a model it has no answer.
    if (message.kind !== 'trigger') return await this.#reply(exchange);
    const answer = await this.#model?.ask(exchange, text);
    return answer?.isSilent ? undefined : answer;
  }

  /** In a burst, each message may be a command, of its own day. */
  async #reply(exchange: Exchange): Promise<Draft> {
    const replies: Draft[] = [];
    const done: ChatMessage[] = [];
    const rest: Part[] = [];
    // A failure must not prevent answers to other messages of the burst.
    const failed = (error: unknown) => {
      // A command that was run must not be run again.
      if (isCutOff(error) && replies.length === 0) throw new CutOff();
      return this.#commander.failure(exchange.message, error, 'reply');
    };
    for (const part of exchange.message.parts) {
      const { text, sent_at } = part;
      const own = { ...exchange, message: { ...exchange.message, text, sent_at } };
      const exact = await this.#answerExactly(own, text).catch(failed);
      if (exact === undefined) {
        rest.push(part);
        continue;
      }
      replies.push(exact);
      const isPublic = parseCommand(text)?.tool.private === undefined && pinOf(text) === undefined;
      done.push(
        { role: 'user', content: isPublic ? text : hidden },
        { role: 'assistant', content: exact.text },
      );
    }
    // After a handover, the person reads the rest.
    const isOver = replies.some(({ handover }) => handover !== undefined);
    if (rest.length > 0 && !isOver)
      replies.push(await this.#answerFreely(exchange, rest, done).catch(failed));
    return {
      text: replies.map((one) => one.text).join('\n\n'),
      // They stand below the last words.
      choices: replies.at(-1)?.choices,
      handover: replies.find(({ handover }) => handover !== undefined)?.handover,
      usage: replies.find(({ usage }) => usage !== undefined)?.usage,
      error: replies.find(({ error }) => error !== undefined)?.error,
    };
  }

  /** For text that a model must not read or decide about; undefined for other text. */
  async #answerExactly(exchange: Exchange, text: string): Promise<Reply | undefined> {
    const commander = this.#commander;
    const { message } = exchange;
    const language = languageOf(message);
    const question = commander.takeQuestion(message);
    const pin = pinOf(text);
    if (pin !== undefined && commander.isWaitingForPin(message)) return commander.enterPin(exchange, pin);
    const consent = question && consentIn(text, language);
    if (consent === 'no') return { text: language.say('dropped'), ends_exchange: true };
    if (question && consent === 'yes') return commander.run(exchange, { ...question, isConfirmed: true });
    const command = parseCommand(text);
    // The command answers the open question: otherwise a later bare "no" about something else would unlink the worker.
    if (command?.tool === verify) commander.endVerification(message);
    if (command && (command.isExact || this.#model === undefined)) return commander.run(exchange, command);
    const response = command === undefined ? verificationReply(text, language) : undefined;
    if (response === undefined || !commander.isUnverified(message)) return undefined;
    commander.endVerification(message);
    return commander.run(exchange, { tool: verify, args: { response } });
  }

  /** @param parts messages that are not exact commands */
  async #answerFreely(
    exchange: Exchange,
    parts: readonly Part[],
    done: readonly ChatMessage[],
  ): Promise<Draft> {
    const { message, agent } = exchange;
    const language = languageOf(message);
    const { say } = language;
    const isWaiting = this.#commander.isWaitingForPin(message);
    const isConfidential = parts.some(({ text }) => mayHoldPin(text, isWaiting));
    if (isConfidential && isWaiting) return { text: say('pin_alone') };
    const text = parts.map((part) => part.text).join('\n');
    const words = parts.map(wordsOf).join('\n');
    const answer = isConfidential
      ? undefined
      : await this.#model?.ask(exchange, words, { done, pictures: await this.#loadPictures(exchange) });
    const command = answer === undefined || answer.isSilent ? parseCommand(text) : undefined;
    const { usage, error } = answer ?? {};
    if (command) return { ...(await this.#commander.run(exchange, command)), usage, error };
    if (answer !== undefined) return answer;
    // Asks again, which also restarts the time to answer.
    if (this.#commander.isUnverified(message)) throw new WorkerUnverified();
    if (isConfidential) return { text: say('pin_not_awaited') };
    const excuse = say(agent instanceof ControlPlaneError && this.#model ? 'no_model' : 'not_understood');
    return { text: excuse, choices: aPerson(language) };
  }
}
