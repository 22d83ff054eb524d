import type { Connection } from './connection.ts';
import { ConnectionError } from './errors.ts';
import { FIRST_BACKOFF_MS, isTransient, nextBackoff, parsedData, streamed } from './event-stream.ts';
import type { Message } from './generated/shapes.ts';
import { pause } from './until.ts';

export interface MessagesOptions {
  /** Stops following, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The `change` of the last known message; 0 by default, which is the start. */
  readonly after?: number | undefined;
}

export type FollowedMessage = Message & {
  /** The position in the stream, for `after`. */
  readonly change: number;
};

interface Thread {
  readonly connection: Connection;
  readonly conversation_id: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Yields each message once, then each new one and each change, ordered by change. So an answer may precede its
 * question.
 *
 * Reopens a dropped stream. Throws when the server refuses, or is unreachable at first.
 */
export async function* followMessages(thread: Thread, after: number): AsyncGenerator<FollowedMessage, void> {
  const { connection, conversation_id, signal } = thread;
  let last = after;
  let reached = false;
  let backoffMs = FIRST_BACKOFF_MS;
  const open = async (until: AbortSignal) => {
    const response = await connection.openEvents('list_messages', { path: { conversation_id } }, last, until);
    reached = true;
    return response;
  };
  for (;;) {
    try {
      for await (const { id, data } of streamed(open, signal)) {
        const message = parseMessage(id, data);
        if (message.change <= last) continue;
        last = message.change;
        backoffMs = FIRST_BACKOFF_MS;
        yield message;
        // Several messages may arrive together.
        signal?.throwIfAborted();
      }
    } catch (error) {
      if (!isTransient(error) || !reached) throw error;
    }
    await pause(backoffMs, signal);
    backoffMs = nextBackoff(backoffMs);
  }
}

function parseMessage(id: string | undefined, data: string): FollowedMessage {
  const message = parsedData(data) as Message | null | undefined;
  const change = Number(id);
  if (typeof message?.conversation_id !== 'string' || !(change > 0))
    throw new ConnectionError('The event stream is not of a conversation');
  return { ...message, change };
}
