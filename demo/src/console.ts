import { stripVTControlCharacters, styleText } from 'node:util';

const TITLE_WIDTH = 30;
const BUBBLE_WIDTH = 84;
const INDENT = { you: 40, agent: 4 };

export interface Screen {
  line(text?: string): void;
  heading(text: string): void;
  done(title: string, fact: string, ms: number): void;
  /** Below the current or previous step. */
  detail(text: string, ms?: number): void;
  failed(title: string, why: string): void;
  bubble(who: 'you' | 'agent', text: string): void;
}

type Style = Parameters<typeof styleText>[0];

/** Failures go to `err`. No colour without a terminal or with NO_COLOR (no-color.org). */
export function createScreen(
  out: NodeJS.WriteStream,
  err: NodeJS.WriteStream,
  env: Readonly<NodeJS.ProcessEnv>,
): Screen {
  const styleFor = (stream: NodeJS.WriteStream) => (format: Style, text: string) =>
    stream.isTTY && !env.NO_COLOR ? styleText(format, text) : text;
  const style = styleFor(out);
  const line = (text = '') => void out.write(`${text}\n`);
  const took = (ms: number) => style('dim', `${Math.round(ms)} ms`);
  return {
    line,
    heading: (text) => line(`\n${style('bold', text)}`),
    done: (name, fact, ms) => line(`  ${style('green', '✓')} ${title(name)} ${printable(fact)}  ${took(ms)}`),
    detail: (text, ms) =>
      line(`      ${style('dim', `· ${printable(text)}`)}${ms === undefined ? '' : `  ${took(ms)}`}`),
    failed: (name, why) => void err.write(`  ${styleFor(err)('red', '✗')} ${name}: ${printable(why)}\n`),
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

const title = (text: string) => text.padEnd(TITLE_WIDTH);

const printable = (text: string) => stripVTControlCharacters(text).replace(/(?!\n)\p{Cc}/gu, ' ');

/** A word longer than the width is cut. */
function wrap(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const space = text.lastIndexOf(' ', width);
  const end = space > 0 ? space : width;
  return [text.slice(0, end), ...wrap(text.slice(end).trimStart(), width)];
}
