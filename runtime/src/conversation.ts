import { LRUCache, type Perf } from 'lru-cache';
import { type Agent, createAgents } from './agent.ts';
import { type Command, parseCommand, verificationReply } from './commands.ts';
import { type ControlPlane, ControlPlaneError, withHeaders } from './control-plane.ts';
import { explain, introduction } from './explain.ts';
import type { Llm, Reply } from './llm.ts';
import { utc } from './local-time.ts';
import { errorName, type Log } from './log.ts';
import { type InboundMessage, senderKey } from './message.ts';
import { createPins } from './pin.ts';
import { mayHoldPin, pinOf } from './pin-text.ts';
import { tools } from './tools/index.ts';
import type { Tool } from './tools/tool.ts';
import { verify } from './tools/verify.ts';
import { WorkerUnverified } from './tools/worker.ts';

const verificationTtlMs = 10 * 60_000;
const maxSenders = 10_000;
/** Four times the channel's longest. To look for a command in a megabyte takes seconds, in which everybody waits. */
const maxTextLength = 16_384;

const textOnly = 'I can only read text messages. Send "help" to see what I can do.';
const tooLong = 'That is too long for me. Please send it in shorter messages.';
const notUnderstood = 'I did not understand that. Send "help" to see what I can do.';
const notPart = 'That is not part of this agent.';
const digitsAlone =
  'I am not waiting for that number. If it is your PIN, send the command first, then the PIN alone.';
const pinAlone = 'Please send the PIN alone, in the digits 0 to 9.';

interface Dependencies {
  controlPlane: ControlPlane;
  llm: Llm | undefined;
  log: Log;
  perf: Perf;
}

/** One message and the agent it was written to; no agent while its configuration cannot be had. */
interface Turn {
  message: InboundMessage;
  agent: Agent | ControlPlaneError;
}

const offeredIn = ({ agent }: Turn) =>
  tools.filter((tool) =>
    agent instanceof ControlPlaneError ? tool.skill === undefined : agent.offers(tool),
  );

const zoneOf = ({ agent }: Turn) => (agent instanceof ControlPlaneError ? utc : agent.zone);

/** The flow of a conversation: a message in, the text of the answer out. The answer never throws. */
export function createConversation({ controlPlane, llm, log, perf }: Dependencies) {
  const agents = createAgents(controlPlane, perf);
  const pins = createPins(controlPlane, perf);
  const unverified = new LRUCache<string, true>({
    max: maxSenders,
    ttl: verificationTtlMs,
    ttlResolution: 0,
    perf,
  });

  async function attempt(turn: Turn, command: Command): Promise<Reply> {
    const { tool } = command;
    const offered = offeredIn(turn);
    if (tool.skill !== undefined) {
      if (turn.agent instanceof ControlPlaneError) throw turn.agent;
      if (!offered.includes(tool)) return { text: notPart, ends_turn: false };
      const isStranger = turn.message.identity_id === null;
      if (tool.forKnownSenders && isStranger && !turn.agent.isPublic(tool)) {
        return { text: introduction, ends_turn: true };
      }
    }
    return await runWithPin(turn, command, offered);
  }

  /** Runs a command with the PIN session that it needs, or asks for the PIN; an entered PIN runs it again. */
  async function runWithPin(turn: Turn, command: Command, offered: Tool[]): Promise<Reply> {
    const { tool, args } = command;
    const { message } = turn;
    const headers: Record<string, string> = {};
    if (tool.skill !== undefined || tool.replacesPin?.(args)) {
      const gate = await pins.check(message, command);
      if (!gate.open) return { text: gate.text, ends_turn: true };
      if (gate.session !== undefined) headers['x-pin-session'] = gate.session;
    }
    const context = {
      controlPlane: withHeaders(controlPlane, headers),
      message,
      zone: zoneOf(turn),
      offered,
    };
    try {
      return { text: await tool.run(context, args), ends_turn: false };
    } catch (error) {
      if (!(error instanceof ControlPlaneError) || error.pinRefusal === undefined) throw error;
      return { text: pins.refused(message, command, error.pinRefusal), ends_turn: true };
    }
  }

  function failure(message: InboundMessage, error: unknown, during: string): Reply {
    const isUnverified = error instanceof WorkerUnverified;
    const status = error instanceof ControlPlaneError ? error.status : undefined;
    // A verification that came to nothing is still open: who is told to try again says the bare word once more.
    const isStillOpen = during === verify.name && status !== undefined;
    if (isUnverified || isStillOpen) unverified.set(senderKey(message), true);
    log.warn('failed', { message_id: message.message_id, during, error: errorName(error), status });
    return { text: explain(error), ends_turn: isUnverified };
  }

  const run = (turn: Turn, command: Command): Promise<Reply> =>
    attempt(turn, command).catch((error: unknown) => failure(turn.message, error, command.tool.name));

  async function enterPin(turn: Turn, pin: string): Promise<string> {
    const entry = await pins.enter(turn.message, pin);
    if (entry === undefined) return digitsAlone;
    return entry.verified ? (await run(turn, entry.command)).text : entry.text;
  }

  async function reply(turn: Turn, text: string): Promise<string> {
    const { message, agent } = turn;
    const pin = pinOf(text);
    const isWaiting = pins.isWaiting(message);
    if (pin !== undefined && isWaiting) return await enterPin(turn, pin);
    const command = parseCommand(text);
    // The command answers the question, too: a bare "no" after it is about something else, and would unlink the worker.
    if (command?.tool === verify) unverified.delete(senderKey(message));
    if (command?.tool.private) return (await run(turn, command)).text;
    const response = command === undefined ? verificationReply(text) : undefined;
    if (response !== undefined && unverified.get(senderKey(message))) {
      unverified.delete(senderKey(message));
      return (await run(turn, { tool: verify, args: { response } })).text;
    }
    const isConfidential = mayHoldPin(text, isWaiting);
    if (llm !== undefined && !isConfidential && !(agent instanceof ControlPlaneError)) {
      const answer = await llm({
        system_prompt: agent.system_prompt,
        text,
        received_at: message.received_at,
        zone: agent.zone,
        tools: offeredIn(turn).filter((tool) => !tool.private),
        run: (tool, args) => run(turn, { tool, args }),
      });
      if (answer !== undefined) return answer;
    }
    if (command !== undefined) return (await run(turn, command)).text;
    if (isConfidential && isWaiting) return pinAlone;
    // As the first time: who is asked once more has as long again to answer.
    if (unverified.get(senderKey(message))) throw new WorkerUnverified();
    return isConfidential ? digitsAlone : notUnderstood;
  }

  return async (message: InboundMessage): Promise<string> => {
    const text = message.text?.trim() ?? '';
    if (text === '') return textOnly;
    if (text.length > maxTextLength) return tooLong;
    try {
      const agent = await agents(message.customer_id).catch((error: unknown) => {
        if (error instanceof ControlPlaneError) return error;
        throw error;
      });
      return await reply({ message, agent }, text);
    } catch (error) {
      return failure(message, error, 'reply').text;
    }
  };
}
