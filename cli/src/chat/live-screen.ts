import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import stringWidth from 'string-width';
import type { Terminal } from '../terminal.ts';

interface Entry {
  readonly prompt: string;
  readonly onLine: (line: string) => void;
  /** Ctrl-C, or the end of the input. */
  readonly onEnd: (by: 'interrupt' | 'end') => void;
}

/** A line editor at the bottom of a terminal, with text that arrives above it, and a status between both. */
export class LiveScreen {
  readonly #terminal: Terminal;
  readonly #entry: Entry;
  readonly #lines: Interface;
  /** A terminal without a width, or without a cursor that moves, is written to line by line. */
  readonly #moves: boolean;
  #status = '';
  #isOpen = true;

  constructor(terminal: Terminal, env: Readonly<NodeJS.ProcessEnv>, entry: Entry) {
    const { stdin: input, stdout: output } = terminal;
    this.#terminal = terminal;
    this.#entry = entry;
    this.#moves = Boolean(output.columns) && env.TERM !== 'dumb';
    this.#lines = createInterface({ input, output, terminal: this.#moves, prompt: entry.prompt });
    this.#lines.on('line', (line) => this.#entered(line));
    this.#lines.once('SIGINT', () => this.#ended('interrupt'));
    this.#lines.once('close', () => this.#ended('end'));
    this.#lines.prompt();
  }

  /** Prints above what is being entered. */
  print(text: string): void {
    const { stdout } = this.#terminal;
    if (!this.#moves || !this.#isOpen) {
      stdout.write(`${text}\n`);
      return;
    }
    const { rows } = this.#lines.getCursorPos();
    moveCursor(stdout, 0, -rows);
    cursorTo(stdout, 0);
    clearScreenDown(stdout);
    // The editor goes up by as many rows before it draws itself again.
    stdout.write(`${text}\n${'\n'.repeat(rows)}`);
    this.#lines.prompt(true);
  }

  /** Shows one line above the prompt; an empty one removes it. */
  setStatus(text: string): void {
    if (!this.#moves || !this.#isOpen || text === this.#status) return;
    this.#status = text;
    this.#lines.setPrompt(text === '' ? this.#entry.prompt : `${text}\n${this.#entry.prompt}`);
    this.#lines.prompt(true);
  }

  close(): void {
    this.#isOpen = false;
    this.#lines.close();
  }

  #entered(line: string): void {
    const { stdout } = this.#terminal;
    if (this.#moves && this.#status !== '') {
      // Otherwise the status would stay in the history, above what was entered.
      const written = `${this.#entry.prompt}${line}`;
      moveCursor(stdout, 0, -(this.#rowsOf(this.#status) + this.#rowsOf(written)));
      clearScreenDown(stdout);
      stdout.write(`${written}\n`);
    }
    this.#entry.onLine(line);
    if (this.#isOpen) this.#lines.prompt();
  }

  #ended(by: 'interrupt' | 'end'): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { stdout } = this.#terminal;
    if (this.#status !== '') {
      // Not by the editor: drawing itself again, it would read on after its end.
      moveCursor(stdout, 0, -this.#lines.getCursorPos().rows);
      cursorTo(stdout, 0);
      clearScreenDown(stdout);
      stdout.write(`${this.#entry.prompt}${this.#lines.line}`);
    }
    stdout.write('\n');
    this.#lines.close();
    this.#entry.onEnd(by);
  }

  #rowsOf(text: string): number {
    return Math.max(1, Math.ceil(stringWidth(text) / (this.#terminal.stdout.columns ?? Infinity)));
  }
}
