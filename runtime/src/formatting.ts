import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';

/** More than a chat answer has. The parser would block all conversations for seconds on text full of marks. */
const maxParsed = 16_384;
const maxMarks = 1000;

/**
 * Markdown to WhatsApp's formatting: *bold*, _italic_, ~strike~, ```mono```, lists, links as text (address). Headings become
 * bold lines, tables lines of cells.
 */
export function toChannelFormatting(markdown: string): string {
  const marks = markdown.match(/[*_~[\]`<>]/g)?.length ?? 0;
  if (markdown.length > maxParsed || marks > maxMarks) return markdown;
  try {
    return blocksOf(new Lexer({ gfm: true, breaks: true }).lex(markdown), '\n\n').trim();
  } catch {
    // Thousands of nested quotes exhaust the stack.
    return markdown;
  }
}

/** Without extensions, every token is one of Marked's own. */
const known = (tokens: readonly Token[] | undefined) => (tokens ?? []) as readonly MarkedToken[];

function blocksOf(tokens: readonly Token[] | undefined, between: string): string {
  return known(tokens)
    .map(blockOf)
    .filter((block) => block !== '')
    .join(between);
}

const mono = (text: string) => `\`\`\`${text}\`\`\``;

function blockOf(token: MarkedToken): string {
  switch (token.type) {
    case 'space':
    case 'def':
      return '';
    case 'heading':
      // An inner star would end the bold text.
      return `*${inlineOf(token.tokens).replaceAll('*', '')}*`;
    case 'code':
      return mono(token.text);
    case 'blockquote':
      return indented(blocksOf(token.tokens, '\n'), '> ');
    case 'list':
      return listOf(token);
    case 'table':
      return tableOf(token);
    case 'hr':
      return '———';
    case 'paragraph':
      return inlineOf(token.tokens);
    case 'html':
      return token.text.trim();
    case 'text':
      return token.tokens ? inlineOf(token.tokens) : token.text;
    default:
      return inlineOf([token]);
  }
}

const indented = (text: string, indent: string, first = indent) =>
  first + text.split('\n').join(`\n${indent}`);

function listOf({ items, ordered, start }: Tokens.List): string {
  const markOf = (item: Tokens.ListItem, index: number) => {
    if (item.task) return item.checked ? '☑ ' : '☐ ';
    return ordered ? `${(start || 1) + index}. ` : '• ';
  };
  return items
    .map((item, index) => indented(blocksOf(item.tokens, '\n'), '  ', markOf(item, index)))
    .join('\n');
}

const lineOf = (cells: readonly Tokens.TableCell[]) => cells.map((cell) => inlineOf(cell.tokens)).join(' | ');

function tableOf({ header, rows }: Tokens.Table): string {
  const head = lineOf(header).replaceAll('*', '');
  return [`*${head}*`, ...rows.map(lineOf)].join('\n');
}

/** The channel wants marks next to a character, so spaces stay outside. */
function marked(mark: string, text: string): string {
  return text.trim() === '' ? text : text.replace(/^(\s*)(.*?)(\s*)$/s, `$1${mark}$2${mark}$3`);
}

const inlineOf = (tokens: readonly Token[] | undefined): string => known(tokens).map(spanOf).join('');

function spanOf(token: MarkedToken): string {
  switch (token.type) {
    case 'strong':
      return marked('*', inlineOf(token.tokens).replaceAll('*', ''));
    case 'em':
      return marked('_', inlineOf(token.tokens));
    case 'del':
      return marked('~', inlineOf(token.tokens));
    case 'codespan':
      return mono(token.text);
    case 'br':
      return '\n';
    case 'link':
      return linkOf(inlineOf(token.tokens), token.href);
    case 'image':
      return linkOf(token.text, token.href);
    case 'text':
      return token.tokens ? inlineOf(token.tokens) : token.text;
    case 'checkbox':
      return '';
    default:
      return 'text' in token ? token.text : token.raw;
  }
}

/** Only the address if the text is the same. */
function linkOf(text: string, href: string): string {
  const address = href.replace(/^mailto:/, '');
  return text === '' || text === address || text === href ? address : `${text} (${address})`;
}
