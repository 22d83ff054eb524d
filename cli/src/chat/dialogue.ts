import { EventEmitter, once } from 'node:events';
import type { ControlPlane, FollowedMessage, Message } from '@agent-control-plane/sdk';
import { choicesOf, reachesSender } from '../message-text.ts';

/** answered: by the agent or a person. asked: a reply is due before the agent gets the message. dead: given up. */
type Outcome = 'waiting' | 'answered' | 'asked' | 'dead';

interface DialogueOptions {
  readonly acp: ControlPlane;
  readonly instance_id: string;
  /** A playground conversation to continue, the time of its last message, and the last one for the sender. */
  readonly earlier?:
    | { readonly id: string; readonly last_at: string; readonly latest: Message | undefined }
    | undefined;
  readonly identity_id?: string | undefined;
  /** Texts of the control plane to which the sender has to reply. */
  readonly questions: ReadonlySet<string>;
}

/** A playground conversation. `change` comes for new messages, too. */
export class Dialogue extends EventEmitter<{ message: [Message]; change: [Message | undefined] }> {
  readonly #options: DialogueOptions;
  readonly #messages = new Map<string, FollowedMessage>();
  readonly #sentIds: string[] = [];
  /** The last message that was for the sender. */
  #latest: Message | undefined;
  readonly #end = new AbortController();
  #id: string | undefined;
  #failure: unknown;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: DialogueOptions) {
    super();
    this.#options = options;
    this.#latest = options.earlier?.latest;
    if (options.earlier) this.#begin(options.earlier.id);
  }

  /** Undefined before the first message was accepted. */
  get id(): string | undefined {
    return this.#id;
  }

  get waiting(): readonly string[] {
    return this.#sentIds.filter((id) => this.outcomeOf(id) === 'waiting');
  }

  /** Sends texts in order; the number of a choice of the last message is a tap on it. @returns the message's id */
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
    if (isAnswered) return 'answered';
    const { questions } = this.#options;
    const isAsked = since.some(({ author, text }) => author === 'system' && questions.has(text ?? ''));
    return isAsked ? 'asked' : 'waiting';
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
      ...this.#bodyOf(text),
      ...(this.#id === undefined ? identity_id && { identity_id } : { conversation_id: this.#id }),
    });
    this.#sentIds.push(message_id);
    if (this.#id === undefined) this.#begin(conversation_id);
    return message_id;
  }

  #bodyOf(text: string): { text: string } | { reply_id: string } {
    const number = /^\s*\d{1,2}\s*$/.test(text) ? Number(text) : 0;
    const choice = this.#latest && choicesOf(this.#latest)[number - 1];
    return choice ? { reply_id: choice.id } : { text };
  }

  #note(message: Message): void {
    const isNewer = Date.parse(message.at) >= Date.parse(this.#latest?.at ?? message.at);
    if (reachesSender(message) && isNewer) this.#latest = message;
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
      this.#note(message);
      const isNew = !this.#messages.has(message.id);
      this.#messages.set(message.id, message);
      if (isNew) this.emit('message', message);
      this.emit('change', message);
    }
  }
}
