import { ApiError, type Instance, type Message } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { EXIT } from '../errors.ts';
import { explain } from '../explain.ts';
import { hanging, isHeard, wordsOf } from '../message-text.ts';
import { oneLine } from '../text.ts';
import type { Dialogue } from './dialogue.ts';
import { LiveScreen } from './live-screen.ts';

const LABELS = { sender: 'you', agent: 'agent', person: 'person', system: 'system' };
const LABEL_WIDTH = 6;
/** An agent that takes longer has a reason that can be asked for. */
const PATIENCE_MS = 5000;

export interface LiveChatOptions {
  readonly dialogue: Dialogue;
  readonly instance: Pick<Instance, 'hostname'>;
  /** Messages from before, oldest first. */
  readonly earlier: readonly Message[];
  /** Tells why a message has no answer. */
  readonly why: (message_id: string) => Promise<string>;
}

/** A conversation on a terminal: a prompt, and what the other side says above it as it arrives. */
class LiveChat {
  readonly #cli: Cli;
  readonly #options: LiveChatOptions;
  readonly #screen: LiveScreen;
  readonly done: Promise<void>;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #inFlight = 0;
  #patience: NodeJS.Timeout | undefined;
  #toldWhy = '';
  #isOver = false;

  constructor(cli: Cli, options: LiveChatOptions) {
    this.#cli = cli;
    this.#options = options;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    for (const message of options.earlier) cli.output.line(this.#linesOf(message));
    options.dialogue.on('message', (message) => this.#heard(message));
    options.dialogue.on('change', (message) => this.#changed(message));
    this.#screen = new LiveScreen(cli.terminal, cli.env, {
      prompt: this.#label('sender'),
      onLine: (line) => this.#entered(line),
      onEnd: (by) => {
        if (by === 'interrupt') cli.exitCode = EXIT.interrupted;
        this.#end();
      },
    });
  }

  #entered(line: string): void {
    if (line.trim() === '') return;
    this.#inFlight++;
    this.#update();
    const said = this.#options.dialogue.say(line).catch((error: unknown) => this.#failed(error));
    void said.finally(() => {
      this.#inFlight--;
      this.#update();
    });
  }

  #heard(message: Message): void {
    // The sender's own words are there as entered.
    if (isHeard(message)) this.#screen.print(this.#linesOf(message));
  }

  #changed(message: Message | undefined): void {
    try {
      this.#options.dialogue.check();
    } catch (error) {
      return this.#end(error);
    }
    if (message?.status === 'dead')
      this.#tell('red', `not answered: ${oneLine(message.error ?? 'given up')}`);
    this.#update();
  }

  /** Shows that an answer is due, and after a while why none has come. */
  #update(): void {
    // An answer may be due when the conversation is left.
    if (this.#isOver) return;
    const isDue = this.#inFlight > 0 || this.#options.dialogue.waiting.length > 0;
    const { hostname } = this.#options.instance;
    const status = this.#toldWhy === '' ? `${oneLine(hostname)} is typing…` : 'waiting for an answer…';
    this.#screen.setStatus(isDue ? this.#cli.output.style('dim', status) : '');
    if (isDue) {
      this.#patience ??= setInterval(() => void this.#explain(), PATIENCE_MS);
      return;
    }
    clearInterval(this.#patience);
    this.#patience = undefined;
    this.#toldWhy = '';
  }

  async #explain(): Promise<void> {
    const [oldest] = this.#options.dialogue.waiting;
    if (oldest === undefined) return;
    const why = await this.#options.why(oldest).catch(() => '');
    if (why === '' || why === this.#toldWhy || !this.#options.dialogue.waiting.includes(oldest)) return;
    this.#toldWhy = why;
    this.#tell('yellow', `no answer yet: ${why}`);
    this.#update();
  }

  #failed(error: unknown): void {
    // The next message would be refused, too.
    if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return this.#end(error);
    for (const line of explain(error, this.#cli.asked).lines) this.#tell('red', oneLine(line));
  }

  #tell(style: 'red' | 'yellow', text: string): void {
    this.#screen.print(this.#cli.output.style(style, `  · ${text}`));
  }

  #end(error?: unknown): void {
    this.#isOver = true;
    clearInterval(this.#patience);
    this.#screen.close();
    if (error === undefined) this.#resolve();
    else this.#reject(error);
  }

  #label(author: Message['author']): string {
    const label = `${LABELS[author].padEnd(LABEL_WIDTH)} › `;
    return this.#cli.output.style(author === 'sender' ? 'cyan' : 'green', label);
  }

  #linesOf(message: Message): string {
    return `${this.#label(message.author)}${hanging(wordsOf(message), LABEL_WIDTH + 3)}`;
  }
}

/** Talks on a terminal until Ctrl-C or Ctrl-D. Throws when the conversation cannot go on */
export const chatLive = (cli: Cli, options: LiveChatOptions): Promise<void> =>
  new LiveChat(cli, options).done;
