import type { Connection } from './connection.ts';
import { ConnectionError } from './errors.ts';
import { FIRST_PAUSE_MS, isTransient, longerPause, parsedData, streamed } from './event-stream.ts';
import type { Message } from './generated/shapes.ts';
import { pause } from './until.ts';

export interface MessagesOptions {
  /** Stops following, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The `change` of the last known message; 0, the default, begins with the conversation's first. */
  readonly after?: number | undefined;
}

/** A message as of one change of it. */
export type FollowedMessage = Message & {
  /** The position in the stream; `after` resumes behind it. */
  readonly change: number;
};

interface Thread {
  readonly connection: Connection;
  readonly conversation_id: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Follows a conversation: each message once, then each new one and each change of one. They come in the order of their
 * changes, so that of earlier messages an answer may come before its question, which was marked as handled after it.
 *
 * A dropped stream is opened again at its position. Throws when the server refuses, such as for a conversation that was
 * deleted, or cannot be reached at the first attempt.
 */
export async function* followMessages(thread: Thread, after: number): AsyncGenerator<FollowedMessage, void> {
  const { connection, conversation_id, signal } = thread;
  let last = after;
  let reached = false;
  let pauseMs = FIRST_PAUSE_MS;
  const open = async (until: AbortSignal) => {
    const response = await connection.openEvents('list_messages', { path: { conversation_id } }, last, until);
    reached = true;
    return response;
  };
  for (;;) {
    try {
      for await (const { id, data } of streamed(open, signal)) {
        const message = readMessage(id, data);
        if (message.change <= last) continue;
        last = message.change;
        pauseMs = FIRST_PAUSE_MS;
        yield message;
        // Several messages may have arrived together.
        signal?.throwIfAborted();
      }
    } catch (error) {
      if (!isTransient(error) || !reached) throw error;
    }
    await pause(pauseMs, signal);
    pauseMs = longerPause(pauseMs);
  }
}

function readMessage(id: string | undefined, data: string): FollowedMessage {
  const message = parsedData(data) as Message | null | undefined;
  const change = Number(id);
  if (typeof message?.conversation_id !== 'string' || !(change > 0))
    throw new ConnectionError('The event stream is not of a conversation');
  return { ...message, change };
}
