import { randomUUID } from 'node:crypto';
import { LRUCache, type Perf } from 'lru-cache';
import type { ToolCall } from './answer.ts';
import { yesOrNo } from './choices.ts';
import type { Command } from './commands.ts';
import { ControlPlaneError, withHeaders } from './control-plane.ts';
import { CutOff, isCutOff } from './cut-off.ts';
import { type Exchange, offeredIn, type Reply } from './exchange.ts';
import { explain } from './explain.ts';
import { type InboundMessage, senderKey } from './inbound-message.ts';
import { languageOf } from './language.ts';
import { errorName, type Log } from './log.ts';
import { Pins } from './pin.ts';
import type { Result, Tool } from './tools/tool.ts';
import { verify } from './tools/verify.ts';
import { WorkerUnverified } from './tools/worker.ts';

const verificationTtlMs = 10 * 60_000;
const consentTtlMs = 5 * 60_000;
const maxSenders = 10_000;
/** Characters of a result that are kept for the people who read the conversation. */
const maxResult = 4000;

function textOfResult(result: Result): string {
  if (typeof result === 'string') return result;
  if ('question' in result) return result.question;
  return 'for_model' in result ? result.for_model : result.text;
}

interface AskedCommand extends Command {
  /** The question's. */
  key: string;
}

interface ConfirmableCommand extends Command {
  /** The sender said yes to the tool's question. */
  isConfirmed?: true;
}

/** Runs commands after the PIN, the verification and the confirmation that they need. Never throws. */
export class Commander {
  readonly #log: Log;
  readonly #pins: Pins;
  readonly #unverified: LRUCache<string, true>;
  readonly #questions: LRUCache<string, AskedCommand>;

  constructor(log: Log, perf: Perf) {
    const bounds = { max: maxSenders, ttlResolution: 0, perf };
    this.#log = log;
    this.#pins = new Pins(perf);
    this.#unverified = new LRUCache({ ...bounds, ttl: verificationTtlMs });
    this.#questions = new LRUCache({ ...bounds, ttl: consentTtlMs });
  }

  /** Throws nothing but CutOff. */
  async run(exchange: Exchange, command: ConfirmableCommand): Promise<Reply> {
    try {
      return await this.#attempt(exchange, command);
    } catch (error) {
      if (isCutOff(error)) throw new CutOff();
      return this.failure(exchange.message, error, command.tool.name);
    }
  }

  failure(message: InboundMessage, error: unknown, during: string): Reply {
    const isUnverified = error instanceof WorkerUnverified;
    const status = error instanceof ControlPlaneError ? error.status : undefined;
    // After a failed call the verification stays open, so that the sender can repeat the bare word.
    const isStillOpen = during === verify.name && status !== undefined;
    if (isUnverified || isStillOpen) this.#unverified.set(senderKey(message), true);
    this.#log.warn('failed', { message_id: message.message_id, during, error: errorName(error), status });
    return { text: explain(error, languageOf(message)), ends_exchange: isUnverified };
  }

  isWaitingForPin(message: InboundMessage): boolean {
    return this.#pins.isWaiting(message);
  }

  /** Runs the command that waits for the PIN. @returns undefined when none does */
  async enterPin(exchange: Exchange, pin: string): Promise<Reply | undefined> {
    const entry = await this.#pins.enter(exchange, pin);
    if (entry === undefined) return undefined;
    return entry.verified
      ? await this.run(exchange, entry.command)
      : { text: entry.text, ends_exchange: true };
  }

  /** The command whose question was asked last. Forgets it, because a later yes is about something else. */
  takeQuestion(message: InboundMessage): Command | undefined {
    const question = this.#questions.get(senderKey(message));
    // A tap on an earlier question leaves the later one open.
    if (message.answered_question !== undefined && message.answered_question !== question?.key)
      return undefined;
    this.#questions.delete(senderKey(message));
    return question;
  }

  isUnverified(message: InboundMessage): boolean {
    return this.#unverified.get(senderKey(message)) === true;
  }

  endVerification(message: InboundMessage): void {
    this.#unverified.delete(senderKey(message));
  }

  async #attempt(exchange: Exchange, command: ConfirmableCommand): Promise<Reply> {
    const { tool } = command;
    const { agent, message } = exchange;
    const { say } = languageOf(message);
    if (tool.skill !== undefined) {
      if (agent instanceof ControlPlaneError) throw agent;
      if (!agent.offers(tool)) return { text: say('not_part'), ends_exchange: false };
      // With a sender token the control plane decides: it also knows verified workers without an identity.
      const isStranger = message.identity_id === null && message.sender_token === undefined;
      if (tool.forKnownSenders && isStranger && !agent.isPublic(tool)) {
        return { text: say('introduction'), ends_exchange: true };
      }
    }
    const args = tool.prepare?.(command.args, exchange) ?? command.args;
    return await this.#runWithPin(exchange, { ...command, args });
  }

  /** Asks for the PIN when the command needs one and there is no session. The PIN then runs the command again. */
  async #runWithPin(exchange: Exchange, command: ConfirmableCommand): Promise<Reply> {
    const { tool, args } = command;
    const { agent } = exchange;
    const headers: Record<string, string> = {};
    if (tool.skill !== undefined || tool.replacesPin?.(args)) {
      const gate = await this.#pins.check(exchange, command);
      if (!gate.open) return { text: gate.text, ends_exchange: true };
      if (gate.session !== undefined) headers['x-pin-session'] = gate.session;
    }
    const session = tool.purpose === undefined ? undefined : await this.#pins.findSession(exchange, tool);
    if (session !== undefined) headers['x-pin-session'] = session;
    const context = {
      ...exchange,
      controlPlane: withHeaders(exchange.controlPlane, headers),
      offered: offeredIn(exchange),
      isPublic: (each: Tool) => !(agent instanceof ControlPlaneError) && agent.isPublic(each),
      isConfirmed: command.isConfirmed ?? false,
    };
    const call: ToolCall = { name: tool.name, arguments: JSON.stringify(args), at: new Date().toISOString() };
    // Arguments of private tools are PINs and codes.
    if (!tool.private) exchange.tool_calls.push(call);
    const began = performance.now();
    try {
      const result = await tool.run(context, args);
      call.result = textOfResult(result).replaceAll('\0', '').slice(0, maxResult).toWellFormed();
      return this.#replyOf(exchange, command, result);
    } catch (error) {
      call.error = errorName(error);
      if (!(error instanceof ControlPlaneError) || error.pinRefusal === undefined) throw error;
      return { text: this.#pins.refused(exchange, command, error.pinRefusal), ends_exchange: true };
    } finally {
      call.latency_ms = Math.round(performance.now() - began);
    }
  }

  #replyOf({ message }: Exchange, { tool, args }: ConfirmableCommand, result: Result): Reply {
    if (typeof result === 'string') return { text: result, ends_exchange: false };
    if ('for_model' in result) return { ...result, ends_exchange: false };
    if ('choices' in result) return result;
    if ('handover' in result) return { ...result, ends_exchange: true };
    const key = randomUUID();
    this.#questions.set(senderKey(message), { tool, args, key });
    return { text: result.question, choices: yesOrNo(languageOf(message), key), ends_exchange: true };
  }
}
