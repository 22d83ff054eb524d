import { styleText } from 'node:util';
import { stringify } from 'yaml';
import { type Column, tableLines } from './table.ts';
import { printable } from './text.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface OutputFlags {
  readonly json?: true | undefined;
  readonly quiet?: true | undefined;
}

/** Answers on standard output, everything else on standard error. */
export class Output {
  readonly #flags: () => OutputFlags;
  readonly #isPlain: boolean;

  /** @param flags as they stand once the command line is read */
  constructor(flags: () => OutputFlags, env: Readonly<NodeJS.ProcessEnv>) {
    this.#flags = flags;
    this.#isPlain = Boolean(env.NO_COLOR);
  }

  get json(): boolean {
    return this.#flags().json ?? false;
  }

  get #quiet(): boolean {
    return this.#flags().quiet ?? false;
  }

  /** The API's answer as it came, for programs; for people, what `show` writes. */
  answer(value: unknown, show: () => void): void {
    if (this.json) this.line(JSON.stringify(value, null, 2));
    else show();
  }

  /** One of many answers: a line of JSON for programs. */
  each(value: unknown, show: () => void): void {
    if (this.json) this.line(JSON.stringify(value));
    else show();
  }

  line(text = ''): void {
    process.stdout.write(`${text}\n`);
  }

  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
    // A terminal that does not know its width says 0 (docker run -t, ssh -tt, script).
    const width = process.stdout.isTTY ? process.stdout.columns || 80 : Infinity;
    const [titles = '', ...lines] = tableLines(columns, rows, width);
    this.line(this.style('bold', titles));
    for (const line of lines) this.line(line);
  }

  /** One thing with its fields, as YAML. */
  details(value: unknown): void {
    this.line(toYaml(value).trimEnd());
  }

  /** Something beside the answer. */
  note(text: string): void {
    if (!this.#quiet) process.stderr.write(`${printable(text)}\n`);
  }

  /** A line of what goes on, with how long it took. */
  progress(text: string, ms?: number): void {
    if (this.#quiet) return;
    const took = ms === undefined ? '' : `  ${Math.round(ms)} ms`;
    const line = `  · ${printable(text)}${took}`;
    process.stderr.write(`${this.#styled(process.stderr, 'dim', line)}\n`);
  }

  failure([first = '', ...rest]: readonly string[]): void {
    const lines = [this.#styled(process.stderr, 'red', printable(first)), ...rest.map(printable)];
    process.stderr.write(`${lines.join('\n')}\n`);
  }

  style(style: Style, text: string): string {
    return this.#styled(process.stdout, style, text);
  }

  /** In colour on a terminal, unless NO_COLOR is set (no-color.org). */
  #styled(stream: NodeJS.WriteStream, style: Style, text: string): string {
    return stream.isTTY && !this.#isPlain ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** Long lines stay whole, what moves a cursor is escaped, and what older readers take for another thing is quoted. */
export const toYaml = (value: unknown, options: { sortMapEntries?: true } = {}): string =>
  stringify(value, { ...options, lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
