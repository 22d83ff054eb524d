import { createHash } from 'node:crypto';
import { type ControlPlane, ControlPlaneError, forMessage } from './control-plane.ts';
import type { InboundMessage } from './inbound-message.ts';
import { errorName } from './log.ts';

/** A tool that was run for an answer; `arguments` is JSON. */
export interface ToolCall {
  name: string;
  arguments: string;
}

/** Tokens that a model used for an answer. */
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
  /** Why a model had no part in it, for the people who run the agent. */
  error?: string | undefined;
  /** A person takes the conversation over after this answer, for this reason. */
  handover?: string | undefined;
}

/** answered: the control plane has it. final: nobody will ever take it. failed: worth another copy of the message. */
export interface Delivery {
  result: 'answered' | 'final' | 'failed';
  /** 0 when no response came. */
  status: number;
  error?: string;
}

/** Hands an answer to the control plane, which sends it. Never throws. */
export type Deliver = (message: InboundMessage, answer: Answer) => Promise<Delivery>;

/** Less than the control plane takes, which splits what is too long for the channel. */
const maxCharacters = 60_000;
const maxToolCallCharacters = 60_000;
const maxModelName = 200;
const maxError = 1000;
const cutNote = '\n… (cut: the answer is too long)';

/** Storable text: without NUL, not in the middle of a character, and not too long. */
function storable(text: string): string {
  const clean = text.replaceAll('\0', '').toWellFormed();
  return clean.length <= maxCharacters ? clean : clean.slice(0, maxCharacters).toWellFormed() + cutNote;
}

/** Shorter than the longest key, however long the channel's id is. */
const digest = (text: string) => createHash('sha256').update(text).digest('hex');

function bodyOf({ message_id }: InboundMessage, { text, tool_calls, usage, error, handover }: Answer) {
  const isShort = JSON.stringify(tool_calls).length <= maxToolCallCharacters;
  return {
    text: storable(text),
    // The question stays unanswered for the person, and is forwarded again when the handover failed.
    ...(handover === undefined
      ? { in_reply_to: message_id }
      : { in_reply_to: null, idempotency_key: `handover:${digest(message_id)}` }),
    tool_calls: isShort ? tool_calls : tool_calls.map(({ name }) => ({ name })),
    ...(error !== undefined && { error: storable(error).slice(0, maxError) }),
    ...(usage && { usage: { ...usage, model: storable(usage.model).slice(0, maxModelName) } }),
  };
}

/** Answers through the control plane (contract, section 13). */
export function createDeliver(controlPlane: ControlPlane): Deliver {
  return async (message, answer) => {
    const call = forMessage(controlPlane, message);
    const path = `/conversations/${message.conversation_id}`;
    try {
      await call('POST', `${path}/messages`, { body: bodyOf(message, answer) });
      if (answer.handover !== undefined)
        await call('POST', `${path}/handover`, {
          body: { reason: storable(answer.handover).slice(0, 1000) },
        });
      return { result: 'answered', status: 200 };
    } catch (error) {
      const status = error instanceof ControlPlaneError ? error.status : 0;
      // 409: a person has the conversation. 404: it was deleted.
      const isFinal = status === 404 || status === 409;
      return { result: isFinal ? 'final' : 'failed', status, error: errorName(error) };
    }
  };
}
