import { EventEmitter, once } from 'node:events';
import type { ControlPlane, FollowedMessage, Message } from '@agent-control-plane/sdk';

/** answered: by the agent or a person. dead: given up. */
type Outcome = 'waiting' | 'answered' | 'dead';

interface DialogueOptions {
  readonly acp: ControlPlane;
  readonly instance_id: string;
  /** A playground conversation to continue, and the time of its last message. */
  readonly earlier?: { readonly id: string; readonly last_at: string } | undefined;
  readonly identity_id?: string | undefined;
}

/** A playground conversation. `change` comes for new messages, too. */
export class Dialogue extends EventEmitter<{ message: [Message]; change: [Message | undefined] }> {
  readonly #options: DialogueOptions;
  readonly #messages = new Map<string, FollowedMessage>();
  readonly #sentIds: string[] = [];
  readonly #end = new AbortController();
  #id: string | undefined;
  #failure: unknown;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: DialogueOptions) {
    super();
    this.#options = options;
    if (options.earlier) this.#begin(options.earlier.id);
  }

  /** Undefined before the first message was accepted. */
  get id(): string | undefined {
    return this.#id;
  }

  get waiting(): readonly string[] {
    return this.#sentIds.filter((id) => this.outcomeOf(id) === 'waiting');
  }

  /** Sends texts in order. @returns the message's id */
  say(text: string): Promise<string> {
    const sent = this.#last.then(() => this.#send(text));
    this.#last = sent.catch(() => {});
    return sent;
  }

  /** Resolves once a message is no longer waiting. Throws when the conversation cannot be followed. */
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
    // The agent may send several answers before it has handled a message. A person's answer leaves it unhandled.
    const isAnswered = since.some(
      ({ author }) => author === 'person' || (author === 'agent' && status === 'handled'),
    );
    return isAnswered ? 'answered' : 'waiting';
  }

  errorOf(id: string): string | null {
    return this.#messages.get(id)?.error ?? null;
  }

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
    this.#sentIds.push(message_id);
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
