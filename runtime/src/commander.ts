import { LRUCache, type Perf } from 'lru-cache';
import type { Command } from './commands.ts';
import { ControlPlaneError, withHeaders } from './control-plane.ts';
import { type Exchange, offeredIn, type Reply } from './exchange.ts';
import { explain, introduction } from './explain.ts';
import { type InboundMessage, senderKey } from './inbound-message.ts';
import { errorName, type Log } from './log.ts';
import { Pins } from './pin.ts';
import type { Result } from './tools/tool.ts';
import { verify } from './tools/verify.ts';
import { WorkerUnverified } from './tools/worker.ts';

const verificationTtlMs = 10 * 60_000;
const consentTtlMs = 5 * 60_000;
const maxSenders = 10_000;

const notPart = 'That is not part of this agent.';

/** A command that is run, with the yes to its question if there was one. */
interface Order extends Command {
  isConfirmed?: true;
}

/** Runs commands: with the PIN, the verification and the yes that they need. Nothing here throws. */
export class Commander {
  readonly #log: Log;
  readonly #pins: Pins;
  readonly #unverified: LRUCache<string, true>;
  readonly #questions: LRUCache<string, Command>;

  constructor(log: Log, perf: Perf) {
    const bounds = { max: maxSenders, ttlResolution: 0, perf };
    this.#log = log;
    this.#pins = new Pins(perf);
    this.#unverified = new LRUCache({ ...bounds, ttl: verificationTtlMs });
    this.#questions = new LRUCache({ ...bounds, ttl: consentTtlMs });
  }

  async run(exchange: Exchange, order: Order): Promise<Reply> {
    try {
      return await this.#attempt(exchange, order);
    } catch (error) {
      return this.failure(exchange.message, error, order.tool.name);
    }
  }

  failure(message: InboundMessage, error: unknown, during: string): Reply {
    const isUnverified = error instanceof WorkerUnverified;
    const status = error instanceof ControlPlaneError ? error.status : undefined;
    // A verification that came to nothing is still open: a sender who is told to try again says the bare word once more.
    const isStillOpen = during === verify.name && status !== undefined;
    if (isUnverified || isStillOpen) this.#unverified.set(senderKey(message), true);
    this.#log.warn('failed', { message_id: message.message_id, during, error: errorName(error), status });
    return { text: explain(error), ends_turn: isUnverified };
  }

  isWaitingForPin(message: InboundMessage): boolean {
    return this.#pins.isWaiting(message);
  }

  /** Runs the command that waited for the PIN. @returns undefined when none did */
  async enterPin(exchange: Exchange, pin: string): Promise<Reply | undefined> {
    const entry = await this.#pins.enter(exchange, pin);
    if (entry === undefined) return undefined;
    return entry.verified ? await this.run(exchange, entry.command) : { text: entry.text, ends_turn: true };
  }

  /** The command whose question the sender was asked last. It is forgotten: a later yes is about something else. */
  takeQuestion(message: InboundMessage): Command | undefined {
    const question = this.#questions.get(senderKey(message));
    this.#questions.delete(senderKey(message));
    return question;
  }

  isUnverified(message: InboundMessage): boolean {
    return this.#unverified.get(senderKey(message)) === true;
  }

  endVerification(message: InboundMessage): void {
    this.#unverified.delete(senderKey(message));
  }

  async #attempt(exchange: Exchange, order: Order): Promise<Reply> {
    const { tool } = order;
    const { agent, message } = exchange;
    if (tool.skill !== undefined) {
      if (agent instanceof ControlPlaneError) throw agent;
      if (!agent.offers(tool)) return { text: notPart, ends_turn: false };
      // With a sender token the control plane decides, which also knows verified workers without an identity.
      const isStranger = message.identity_id === null && message.sender_token === undefined;
      if (tool.forKnownSenders && isStranger && !agent.isPublic(tool)) {
        return { text: introduction, ends_turn: true };
      }
    }
    const args = tool.prepare?.(order.args, exchange) ?? order.args;
    return await this.#runWithPin(exchange, { ...order, args });
  }

  /** Runs a command with the PIN session that it needs, or asks for the PIN; an entered PIN runs it again. */
  async #runWithPin(exchange: Exchange, order: Order): Promise<Reply> {
    const { tool, args } = order;
    const headers: Record<string, string> = {};
    if (tool.skill !== undefined || tool.replacesPin?.(args)) {
      const gate = await this.#pins.check(exchange, order);
      if (!gate.open) return { text: gate.text, ends_turn: true };
      if (gate.session !== undefined) headers['x-pin-session'] = gate.session;
    }
    const session = tool.purpose === undefined ? undefined : await this.#pins.findSession(exchange, tool);
    if (session !== undefined) headers['x-pin-session'] = session;
    const context = {
      ...exchange,
      controlPlane: withHeaders(exchange.controlPlane, headers),
      offered: offeredIn(exchange),
      isConfirmed: order.isConfirmed ?? false,
    };
    // The arguments of private tools are PINs and codes.
    if (!tool.private) exchange.tool_calls.push({ name: tool.name, arguments: JSON.stringify(args) });
    try {
      return this.#replyOf(exchange, order, await tool.run(context, args));
    } catch (error) {
      if (!(error instanceof ControlPlaneError) || error.pinRefusal === undefined) throw error;
      return { text: this.#pins.refused(exchange, order, error.pinRefusal), ends_turn: true };
    }
  }

  #replyOf({ message }: Exchange, { tool, args }: Order, result: Result): Reply {
    if (typeof result === 'string') return { text: result, ends_turn: false };
    if ('handover' in result) return { ...result, ends_turn: true };
    this.#questions.set(senderKey(message), { tool, args });
    return { text: result.question, ends_turn: true };
  }
}
