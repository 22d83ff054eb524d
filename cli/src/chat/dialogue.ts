import { EventEmitter, once } from 'node:events';
import type { ControlPlane, FollowedMessage, Message } from '@agent-control-plane/sdk';

/** answered: the agent or a person has spoken since. dead: the message was given up. */
export type Outcome = 'waiting' | 'answered' | 'dead';

export interface DialogueOptions {
  readonly acp: ControlPlane;
  readonly instance_id: string;
  /** A conversation of the playground to go on with, and the time of its last message. */
  readonly earlier?: { readonly id: string; readonly last_at: string } | undefined;
  /** The sender of a new conversation. */
  readonly identity_id?: string | undefined;
}

/** A conversation in an instance's playground. Emits each new message, and `change` also when one has changed. */
export class Dialogue extends EventEmitter<{ message: [Message]; change: [Message | undefined] }> {
  readonly #options: DialogueOptions;
  readonly #messages = new Map<string, FollowedMessage>();
  readonly #said: string[] = [];
  readonly #end = new AbortController();
  #id: string | undefined;
  #failure: unknown;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: DialogueOptions) {
    super();
    this.#options = options;
    if (options.earlier) this.#begin(options.earlier.id);
  }

  /** The conversation's id; undefined before the first message was accepted. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The messages that were said here and are not answered yet. */
  get waiting(): readonly string[] {
    return this.#said.filter((id) => this.outcomeOf(id) === 'waiting');
  }

  /** Sends a text after those before it. @returns the message's id. Throws as the client does */
  say(text: string): Promise<string> {
    const said = this.#last.then(() => this.#send(text));
    this.#last = said.catch(() => {});
    return said;
  }

  /** Resolves once a message is not waiting any more. Throws when the conversation cannot be followed */
  async settled(id: string, signal: AbortSignal): Promise<Outcome> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const outcome = this.outcomeOf(id);
      if (outcome !== 'waiting') return outcome;
      await once(this, 'change', { signal });
    }
  }

  outcomeOf(id: string): Outcome {
    const message = this.#messages.get(id);
    if (!message) return 'waiting';
    const { status, at } = message;
    if (status === 'dead') return 'dead';
    const since = [...this.#messages.values()].filter(
      (each) => each.direction === 'out' && Date.parse(each.at) >= Date.parse(at),
    );
    // The agent may say several things before it has handled a message; a person's answer leaves it unhandled.
    const isAnswered = since.some(
      ({ author }) => author === 'person' || (author === 'agent' && status === 'handled'),
    );
    return isAnswered ? 'answered' : 'waiting';
  }

  errorOf(id: string): string | null {
    return this.#messages.get(id)?.error ?? null;
  }

  /** Throws what ended the conversation's stream, if anything did. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  close(): void {
    this.#end.abort();
  }

  async #send(text: string): Promise<string> {
    const { acp, instance_id, identity_id } = this.#options;
    const { conversation_id, message_id } = await acp.conversations.writeInPlayground(instance_id, {
      text,
      ...(this.#id === undefined ? identity_id && { identity_id } : { conversation_id: this.#id }),
    });
    this.#said.push(message_id);
    if (this.#id === undefined) this.#begin(conversation_id);
    return message_id;
  }

  #begin(id: string): void {
    this.#id = id;
    this.#follow(id).catch((error: unknown) => {
      if (this.#end.signal.aborted) return;
      this.#failure = error;
      this.emit('change', undefined);
    });
  }

  async #follow(id: string): Promise<void> {
    const { acp, earlier } = this.#options;
    const { signal } = this.#end;
    for await (const message of acp.conversations.followMessages(id, { signal })) {
      if (earlier && Date.parse(message.at) <= Date.parse(earlier.last_at)) continue;
      const isNew = !this.#messages.has(message.id);
      this.#messages.set(message.id, message);
      const { change: _, ...plain } = message;
      if (isNew) this.emit('message', plain);
      this.emit('change', plain);
    }
  }
}
