import { styleText } from 'node:util';
import { stringify } from 'yaml';
import { type Column, tableLines } from './table.ts';
import type { Terminal } from './terminal.ts';
import { printable, safeJson } from './text.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

interface OutputFlags {
  readonly json?: true | undefined;
  readonly quiet?: true | undefined;
}

/** Answers go to standard output, everything else to standard error. */
export class Output {
  readonly #flags: () => OutputFlags;
  readonly #isPlain: boolean;
  readonly #terminal: Terminal;

  /** @param flags is called after the command line was parsed */
  constructor(flags: () => OutputFlags, env: Readonly<NodeJS.ProcessEnv>, terminal: Terminal) {
    this.#flags = flags;
    this.#terminal = terminal;
    this.#isPlain = Boolean(env.NO_COLOR);
  }

  get json(): boolean {
    return this.#flags().json ?? false;
  }

  get #quiet(): boolean {
    return this.#flags().quiet ?? false;
  }

  answer(value: unknown, show: () => void): void {
    if (this.json) this.line(safeJson(value, 2));
    else show();
  }

  /** One of many answers: with --json, one line. */
  each(value: unknown, show: () => void): void {
    if (this.json) this.line(safeJson(value));
    else show();
  }

  line(text = ''): void {
    this.#terminal.stdout.write(`${text}\n`);
  }

  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
    // Some terminals report the width 0 (docker run -t, ssh -tt, script).
    const { isTTY, columns: reported } = this.#terminal.stdout;
    const width = isTTY ? reported || 80 : Infinity;
    const [titles = '', ...lines] = tableLines(columns, rows, width);
    this.line(this.style('bold', titles));
    for (const line of lines) this.line(line);
  }

  details(value: unknown): void {
    this.line(toYaml(value).trimEnd());
  }

  note(text: string): void {
    if (!this.#quiet) this.#terminal.stderr.write(`${printable(text)}\n`);
  }

  progress(text: string, ms?: number): void {
    if (this.#quiet) return;
    const took = ms === undefined ? '' : `  ${Math.round(ms)} ms`;
    const line = `  · ${printable(text)}${took}`;
    this.#terminal.stderr.write(`${this.#styled('stderr', 'dim', line)}\n`);
  }

  failure([first = '', ...rest]: readonly string[]): void {
    const lines = [this.#styled('stderr', 'red', printable(first)), ...rest.map(printable)];
    this.#terminal.stderr.write(`${lines.join('\n')}\n`);
  }

  style(style: Style, text: string): string {
    return this.#styled('stdout', style, text);
  }

  /** No colour without a terminal or with NO_COLOR (no-color.org). */
  #styled(stream: 'stdout' | 'stderr', style: Style, text: string): string {
    return this.#terminal[stream].isTTY && !this.#isPlain
      ? styleText(style, text, { validateStream: false })
      : text;
  }
}

/** Quotes strings that YAML 1.1 reads as other types. */
export const toYaml = (value: unknown, options: { sortMapEntries?: true } = {}): string =>
  stringify(value, { ...options, lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
