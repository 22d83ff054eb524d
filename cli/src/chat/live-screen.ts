import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import stringWidth from 'string-width';
import type { Terminal } from '../terminal.ts';

interface Entry {
  readonly prompt: string;
  readonly onLine: (line: string) => void;
  readonly onEnd: (by: 'interrupt' | 'end') => void;
}

/** A line editor at the bottom of a terminal, below a status line and arriving text. */
export class LiveScreen {
  readonly #terminal: Terminal;
  readonly #entry: Entry;
  readonly #lines: Interface;
  /** False for terminals without a width or a movable cursor. */
  readonly #canMoveCursor: boolean;
  #status = '';
  #isOpen = true;

  constructor(terminal: Terminal, env: Readonly<NodeJS.ProcessEnv>, entry: Entry) {
    const { stdin: input, stdout: output } = terminal;
    this.#terminal = terminal;
    this.#entry = entry;
    this.#canMoveCursor = Boolean(output.columns) && env.TERM !== 'dumb';
    this.#lines = createInterface({ input, output, terminal: this.#canMoveCursor, prompt: entry.prompt });
    this.#lines.on('line', (line) => this.#onLine(line));
    this.#lines.once('SIGINT', () => this.#onEnd('interrupt'));
    this.#lines.once('close', () => this.#onEnd('end'));
    this.#lines.prompt();
  }

  print(text: string): void {
    const { stdout } = this.#terminal;
    if (!this.#canMoveCursor || !this.#isOpen) {
      stdout.write(`${text}\n`);
      return;
    }
    const { rows } = this.#lines.getCursorPos();
    moveCursor(stdout, 0, -rows);
    cursorTo(stdout, 0);
    clearScreenDown(stdout);
    // The editor moves up by these rows before it redraws.
    stdout.write(`${text}\n${'\n'.repeat(rows)}`);
    this.#lines.prompt(true);
  }

  /** An empty text removes the line. */
  setStatus(text: string): void {
    if (!this.#canMoveCursor || !this.#isOpen || text === this.#status) return;
    this.#status = text;
    this.#lines.setPrompt(text === '' ? this.#entry.prompt : `${text}\n${this.#entry.prompt}`);
    this.#lines.prompt(true);
  }

  close(): void {
    this.#isOpen = false;
    this.#lines.close();
  }

  #onLine(line: string): void {
    const { stdout } = this.#terminal;
    if (this.#canMoveCursor && this.#status !== '') {
      // Otherwise the status would stay above the entered line.
      const written = `${this.#entry.prompt}${line}`;
      moveCursor(stdout, 0, -(this.#rowsOf(this.#status) + this.#rowsOf(written)));
      clearScreenDown(stdout);
      stdout.write(`${written}\n`);
    }
    this.#entry.onLine(line);
    if (this.#isOpen) this.#lines.prompt();
  }

  #onEnd(by: 'interrupt' | 'end'): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { stdout } = this.#terminal;
    if (this.#status !== '') {
      // Don't let the editor redraw: it would read on after its end.
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
