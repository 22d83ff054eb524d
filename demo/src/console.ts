import { stripVTControlCharacters, styleText } from 'node:util';

const TITLE_WIDTH = 30;
const BUBBLE_WIDTH = 84;
const INDENT = { you: 40, agent: 4 };

export interface Console {
  line(text?: string): void;
  heading(text: string): void;
  done(title: string, fact: string, ms: number): void;
  /** Something that belongs to the step before or under way. */
  detail(text: string, ms?: number): void;
  skipped(title: string, why: string): void;
  failed(title: string, why: string): void;
  bubble(who: 'you' | 'agent', text: string): void;
}

type Style = Parameters<typeof styleText>[0];

/** Writes for a person; in colour on a terminal, unless NO_COLOR is set (no-color.org). */
export function createConsole(out: NodeJS.WriteStream, env: Readonly<NodeJS.ProcessEnv>): Console {
  const isColourful = out.isTTY && !env.NO_COLOR;
  const style = (format: Style, text: string) => (isColourful ? styleText(format, text) : text);
  const line = (text = '') => void out.write(`${text}\n`);
  const took = (ms: number) => style('dim', `${Math.round(ms)} ms`);
  const title = (text: string) => text.padEnd(TITLE_WIDTH);
  return {
    line,
    heading: (text) => line(`\n${style('bold', text)}`),
    done: (name, fact, ms) => line(`  ${style('green', '✓')} ${title(name)} ${printable(fact)}  ${took(ms)}`),
    detail: (text, ms) =>
      line(`      ${style('dim', `· ${printable(text)}`)}${ms === undefined ? '' : `  ${took(ms)}`}`),
    skipped: (name, why) => line(`  ${style('yellow', '–')} ${title(name)} ${why}`),
    failed: (name, why) => line(`  ${style('red', '✗')} ${name}: ${printable(why)}`),
    bubble(who, text) {
      const lines = text.split('\n').flatMap((part) => wrap(printable(part), BUBBLE_WIDTH));
      const width = Math.max(...lines.map((part) => part.length), who.length + 2);
      const colour = who === 'you' ? 'cyan' : 'magenta';
      const side = style(colour, '│');
      const row = (content: string) => line(' '.repeat(INDENT[who]) + content);
      row(style(colour, `╭─ ${who} ${'─'.repeat(width - who.length - 1)}╮`));
      for (const part of lines) row(`${side} ${part.padEnd(width)} ${side}`);
      row(style(colour, `╰${'─'.repeat(width + 2)}╯`));
    },
  };
}

/** What others wrote must not move the cursor. */
const printable = (text: string) => stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' ');

/** At spaces where there are any; a longer word is cut. */
function wrap(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const space = text.lastIndexOf(' ', width);
  const end = space > 0 ? space : width;
  return [text.slice(0, end), ...wrap(text.slice(end).trimStart(), width)];
}
