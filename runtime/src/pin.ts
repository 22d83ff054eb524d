import { LRUCache, type Perf } from 'lru-cache';
import type { Command } from './commands.ts';
import { ControlPlaneError } from './control-plane.ts';
import { type InboundMessage, senderKey } from './inbound-message.ts';
import { at, textOf } from './json.ts';
import { languageOf } from './language.ts';
import type { Situation, Tool } from './tools/tool.ts';

const maxSenders = 10_000;
const pendingTtlMs = 5 * 60_000;
const defaultSessionTtlMinutes = 15;

/** Names the action and its arguments: a PIN confirms exactly what the sender has read. */
const ask = ({ tool, args }: Command, situation: Situation) =>
  languageOf(situation.message).say(tool.replacesPin ? 'pin_ask_former' : 'pin_ask', {
    action: tool.action(args, situation),
  });

/** `text` is for the sender. */
type Gate = { open: true; session: string | undefined } | { open: false; text: string };
/** With a correct PIN, the pending command can run. */
export type Entry = { verified: true; command: Command } | { verified: false; text: string };

function idsOf({ customer_id, identity_id }: InboundMessage) {
  return { customer_id, ...(identity_id === null ? {} : { identity_id }) };
}

function isProtected(
  policy: unknown,
  { identity_id }: InboundMessage,
  { skill, replacesPin }: Tool,
): boolean {
  const [required, has_pin, skills] = ['required', 'has_pin', 'pin_required_skills'].map((key) =>
    at(policy, key),
  );
  if (typeof required !== 'boolean' || typeof has_pin !== 'boolean' || !Array.isArray(skills)) {
    throw new ControlPlaneError(0);
  }
  // An unknown sender cannot have a PIN.
  if (replacesPin) return has_pin && identity_id !== null;
  return required && skills.includes(skill);
}

/** A session is for one skill; a change of the PIN has a session for all (contract, section 14). */
const sessionKey = (message: InboundMessage, { skill, purpose = skill }: Tool) =>
  JSON.stringify([senderKey(message), purpose]);
const purposeOf = ({ skill, purpose = skill }: Tool) => (purpose === undefined ? {} : { purpose });

/** Specification 4.4: asks for PINs, verifies them and caches sessions per customer, sender and skill. */
export class Pins {
  readonly #pending: LRUCache<string, Command>;
  readonly #sessions: LRUCache<string, string>;

  constructor(perf: Perf) {
    const bounds = { max: maxSenders, ttlResolution: 0, perf };
    this.#pending = new LRUCache({ ...bounds, ttl: pendingTtlMs });
    this.#sessions = new LRUCache(bounds);
  }

  isWaiting(message: InboundMessage): boolean {
    return this.#pending.get(senderKey(message)) !== undefined;
  }

  /** undefined unless the control plane confirms the session. */
  async findSession({ message, controlPlane }: Situation, tool: Tool): Promise<string | undefined> {
    const key = sessionKey(message, tool);
    const session_token = this.#sessions.get(key);
    if (session_token === undefined) return undefined;
    const body = { session_token, ...purposeOf(tool) };
    const answer = await controlPlane('POST', '/pin/session', { body });
    if (at(answer, 'valid') === true) return session_token;
    this.#sessions.delete(key);
    return undefined;
  }

  /** Throws ControlPlaneError: without the control plane's decision, no command runs. */
  async check(situation: Situation, command: Command): Promise<Gate> {
    const { message, controlPlane } = situation;
    // The specification puts the ids in the query; the body repeats them.
    const ids = idsOf(message);
    const policy = await controlPlane('POST', '/pin/check-required', { query: ids, body: ids });
    const session = await this.findSession(situation, command.tool);
    if (session !== undefined || !isProtected(policy, message, command.tool)) return { open: true, session };
    const isLocked = at(policy, 'is_locked') === true && message.identity_id !== null;
    return {
      open: false,
      text: isLocked ? languageOf(message).say('pin_locked') : this.#askFor(situation, command),
    };
  }

  /** For the sender, when the control plane itself refused a call for lack of a PIN. */
  refused(situation: Situation, command: Command, refusal: 'pin_required' | 'pin_not_set'): string {
    const { message } = situation;
    this.#sessions.delete(sessionKey(message, command.tool));
    if (refusal === 'pin_not_set' && message.identity_id !== null)
      return languageOf(message).say('pin_not_set');
    return this.#askFor(situation, command);
  }

  /** @returns undefined: no command of this sender is pending */
  async enter({ message, controlPlane }: Situation, pin: string): Promise<Entry | undefined> {
    const sender = senderKey(message);
    const command = this.#pending.get(sender);
    if (command === undefined) return undefined;
    // Only one of two PINs sent at once may run the command.
    this.#pending.delete(sender);
    try {
      const body = { pin, ...idsOf(message), ...purposeOf(command.tool) };
      const result = await controlPlane('POST', '/pin/verify', { body });
      if (at(result, 'verified') !== true)
        return { verified: false, text: this.#refusal(message, command, result) };
      this.#keepSession(message, command.tool, result);
      return { verified: true, command };
    } catch (error) {
      this.#pending.set(sender, command);
      throw error;
    }
  }

  #keepSession(message: InboundMessage, tool: Tool, result: unknown): void {
    const token = textOf(at(result, 'session_token'));
    if (token === undefined) throw new ControlPlaneError(0);
    const ttl = at(result, 'session_ttl_minutes');
    const ttlMinutes = typeof ttl === 'number' ? ttl : defaultSessionTtlMinutes;
    this.#sessions.set(sessionKey(message, tool), token, { ttl: ttlMinutes * 60_000 });
  }

  #refusal(message: InboundMessage, command: Command, result: unknown): string {
    const { say } = languageOf(message);
    const left = at(result, 'remaining_attempts');
    const attempts = typeof left === 'number' ? [say('pin_attempts', { left })] : [];
    switch (at(result, 'error')) {
      case 'pin_locked':
        return say('pin_locked');
      case 'pin_not_set':
        return say('pin_not_set');
      case 'pin_invalid':
        if (left === 0) return `${say('pin_wrong')} ${say('pin_locked')}`;
        this.#pending.set(senderKey(message), command);
        return [say('pin_wrong'), ...attempts, say('pin_again')].join(' ');
      default:
        throw new ControlPlaneError(0);
    }
  }

  #askFor(situation: Situation, command: Command): string {
    const { message } = situation;
    if (message.identity_id === null) return languageOf(message).say('introduction');
    this.#pending.set(senderKey(message), command);
    return ask(command, situation);
  }
}
