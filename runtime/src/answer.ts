import { createHash } from 'node:crypto';
import type { Choices } from './choices.ts';
import { type ControlPlane, ControlPlaneError, forMessage } from './control-plane.ts';
import type { InboundMessage } from './inbound-message.ts';
import { languageOf } from './language.ts';
import { errorName } from './log.ts';

/** For the people who read the conversation. */
export interface ToolCall {
  name: string;
  /** JSON. */
  arguments: string;
  /** When it began. */
  at: string;
  latency_ms?: number;
  /** As the model or the sender was told it; absent where the call failed. */
  result?: string;
  error?: string;
}

export interface Usage {
  model: string;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
}

export interface Answer {
  text: string;
  tool_calls: readonly ToolCall[];
  usage?: Usage | undefined;
  choices?: Choices | undefined;
  /** Why the model failed, for the people who run the agent. */
  error?: string | undefined;
  /** The reason why a person takes over after this answer. */
  handover?: string | undefined;
}

/** final: will never be accepted. failed: the message should be delivered again. */
export interface Delivery {
  result: 'answered' | 'final' | 'failed';
  /** 0: no response. */
  status: number;
  error?: string;
}

/** Sends an answer to the control plane. Never throws. */
export type Deliver = (message: InboundMessage, answer: Answer) => Promise<Delivery>;

/** Less than the control plane's limit. It splits texts that are too long for the channel. */
const maxCharacters = 60_000;
const maxToolCallBytes = 60_000;
const maxModelName = 200;
const maxError = 1000;

/** Removes NUL and lone surrogates, and cuts long texts. */
function storable(text: string, cutNote: string): string {
  const clean = text.replaceAll('\0', '').toWellFormed();
  const isCut = clean.length > maxCharacters;
  return isCut ? `${clean.slice(0, maxCharacters).toWellFormed()}\n${cutNote}` : clean;
}

/** As much of the calls as the control plane takes: without results where they are long, else the names. */
function fitting(calls: readonly ToolCall[]): readonly Partial<ToolCall>[] {
  const isShort = (some: readonly Partial<ToolCall>[]) =>
    Buffer.byteLength(JSON.stringify(some)) <= maxToolCallBytes;
  const kinds = [calls, calls.map(({ result: _, ...call }) => call)];
  return kinds.find(isShort) ?? calls.map(({ name }) => ({ name }));
}

/** Keeps the key short, because a channel's id may be long. */
const digest = (text: string) => createHash('sha256').update(text).digest('hex');

function bodyOf(message: InboundMessage, { text, tool_calls, usage, choices, error, handover }: Answer) {
  const { message_id } = message;
  const cutNote = languageOf(message).say('answer_cut');
  return {
    text: storable(text, cutNote),
    ...choices,
    // Not a reply: the question stays open for the person, and is forwarded again if the handover fails.
    ...(handover === undefined
      ? { in_reply_to: message_id }
      : { in_reply_to: null, idempotency_key: `handover:${digest(message_id)}` }),
    tool_calls: fitting(tool_calls),
    ...(error !== undefined && { error: storable(error, '').slice(0, maxError) }),
    ...(usage && { usage: { ...usage, model: storable(usage.model, '').slice(0, maxModelName) } }),
  };
}

/** Contract, section 13. */
export function createDeliver(controlPlane: ControlPlane): Deliver {
  return async (message, answer) => {
    const call = forMessage(controlPlane, message);
    const path = `/conversations/${message.conversation_id}`;
    try {
      await call('POST', `${path}/messages`, { body: bodyOf(message, answer) });
      if (answer.handover !== undefined)
        await call('POST', `${path}/handover`, {
          body: { reason: storable(answer.handover, '').slice(0, 1000) },
        });
      return { result: 'answered', status: 200 };
    } catch (error) {
      const status = error instanceof ControlPlaneError ? error.status : 0;
      // 409: a person took over. 404: the conversation was deleted.
      const isFinal = status === 404 || status === 409;
      return { result: isFinal ? 'final' : 'failed', status, error: errorName(error) };
    }
  };
}
