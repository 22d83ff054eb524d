import { ApiError, type Instance, type Message } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { EXIT } from '../errors.ts';
import { explain } from '../explain.ts';
import { indentRest, messageText, reachesSender } from '../message-text.ts';
import { oneLine } from '../text.ts';
import type { Dialogue } from './dialogue.ts';
import { LiveScreen } from './live-screen.ts';

const LABELS = { sender: 'you', agent: 'agent', person: 'person', system: 'system' };
const LABEL_WIDTH = 6;
const EXPLAIN_AFTER_MS = 5000;

interface LiveChatOptions {
  readonly dialogue: Dialogue;
  readonly instance: Pick<Instance, 'hostname'>;
  /** Oldest first. */
  readonly earlier: readonly Message[];
  readonly why: (message_id: string) => Promise<string>;
}

class LiveChat {
  readonly #cli: Cli;
  readonly #options: LiveChatOptions;
  readonly #screen: LiveScreen;
  readonly done: Promise<void>;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #inFlight = 0;
  #explainTimer: NodeJS.Timeout | undefined;
  #shownReason = '';
  #isOver = false;

  constructor(cli: Cli, options: LiveChatOptions) {
    this.#cli = cli;
    this.#options = options;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    for (const message of options.earlier) cli.output.line(this.#linesOf(message));
    options.dialogue.on('message', (message) => this.#onMessage(message));
    options.dialogue.on('change', (message) => this.#onChange(message));
    this.#screen = new LiveScreen(cli.terminal, cli.env, {
      prompt: this.#label('sender'),
      onLine: (line) => this.#onLine(line),
      onEnd: (by) => {
        if (by === 'interrupt') cli.exitCode = EXIT.interrupted;
        this.#end();
      },
    });
  }

  #onLine(line: string): void {
    if (line.trim() === '') return;
    this.#inFlight++;
    this.#update();
    const sending = this.#options.dialogue.say(line).catch((error: unknown) => this.#showError(error));
    void sending.finally(() => {
      this.#inFlight--;
      this.#update();
    });
  }

  #onMessage(message: Message): void {
    // The sender's own texts are on the screen already.
    if (reachesSender(message)) this.#screen.print(this.#linesOf(message));
  }

  #onChange(message: Message | undefined): void {
    try {
      this.#options.dialogue.check();
    } catch (error) {
      return this.#end(error);
    }
    if (message?.status === 'dead')
      this.#printNote('red', `not answered: ${oneLine(message.error ?? 'given up')}`);
    this.#update();
  }

  #update(): void {
    if (this.#isOver) return;
    const isDue = this.#inFlight > 0 || this.#options.dialogue.waiting.length > 0;
    const { hostname } = this.#options.instance;
    const status = this.#shownReason === '' ? `${oneLine(hostname)} is typing…` : 'waiting for an answer…';
    this.#screen.setStatus(isDue ? this.#cli.output.style('dim', status) : '');
    if (isDue) {
      this.#explainTimer ??= setInterval(() => void this.#explain(), EXPLAIN_AFTER_MS);
      return;
    }
    clearInterval(this.#explainTimer);
    this.#explainTimer = undefined;
    this.#shownReason = '';
  }

  async #explain(): Promise<void> {
    const [oldest] = this.#options.dialogue.waiting;
    if (oldest === undefined) return;
    const why = await this.#options.why(oldest).catch(() => '');
    if (why === '' || why === this.#shownReason || !this.#options.dialogue.waiting.includes(oldest)) return;
    this.#shownReason = why;
    this.#printNote('yellow', `no answer yet: ${why}`);
    this.#update();
  }

  #showError(error: unknown): void {
    // The next message would be refused, too.
    if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return this.#end(error);
    for (const line of explain(error, this.#cli.target).lines) this.#printNote('red', oneLine(line));
  }

  #printNote(style: 'red' | 'yellow', text: string): void {
    this.#screen.print(this.#cli.output.style(style, `  · ${text}`));
  }

  #end(error?: unknown): void {
    this.#isOver = true;
    clearInterval(this.#explainTimer);
    this.#screen.close();
    if (error === undefined) this.#resolve();
    else this.#reject(error);
  }

  #label(author: Message['author']): string {
    const label = `${LABELS[author].padEnd(LABEL_WIDTH)} › `;
    return this.#cli.output.style(author === 'sender' ? 'cyan' : 'green', label);
  }

  #linesOf(message: Message): string {
    return `${this.#label(message.author)}${indentRest(messageText(message), LABEL_WIDTH + 3)}`;
  }
}

/** Runs until Ctrl-C or Ctrl-D. Throws when the conversation cannot continue. */
export const chatLive = (cli: Cli, options: LiveChatOptions): Promise<void> =>
  new LiveChat(cli, options).done;
