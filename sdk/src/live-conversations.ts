import type { Caller } from './caller.ts';
import type { Connection } from './connection.ts';
import { type FollowedMessage, followMessages, type MessagesOptions } from './conversation-messages.ts';
import { Conversations } from './generated/resources.ts';

export class LiveConversations extends Conversations {
  readonly #connection: Connection;

  constructor(caller: Caller, connection: Connection) {
    super(caller);
    this.#connection = connection;
  }

  /** See followMessages. */
  followMessages(
    conversation_id: string,
    options: MessagesOptions = {},
  ): AsyncGenerator<FollowedMessage, void> {
    const { signal, after = 0 } = options;
    return followMessages({ connection: this.#connection, conversation_id, signal }, after);
  }
}
