import { THOUGHT_TAGS } from './dialects.ts';

/** A text without its reasoning. */
export interface Told {
  content: string;
  reasoning: string;
}

/** `gi` looks from `lastIndex` on, `iy` there alone. Tags are letters without a rule of their own for cases. */
const patternOf = (text: string, flags: 'gi' | 'iy') =>
  new RegExp(text.replaceAll(/[[\]/]/g, String.raw`\$&`), flags);

/** A lone one ends reasoning whose beginning was part of the prompt. */
const CLOSING = patternOf('</think>', 'gi');
const OPENING = patternOf('<think>', 'gi');
const EITHER = /<\/?think>/gi;
const NOT_BLANK = /\S/g;

const TAGS = THOUGHT_TAGS.map(([open, close]) => ({
  open: { text: open, at: patternOf(open, 'iy') },
  close: { text: close, any: patternOf(close, 'gi') },
}));
type Closing = (typeof TAGS)[number]['close'];
const THINK_CLOSE: Closing = { text: '</think>', any: CLOSING };

/** Each search goes on where the last one ended, so that a text is read once. @returns the first match from a place on */
function find(
  pattern: RegExp,
  text: string,
  from: number,
): { at: number; end: number; text: string } | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? { at: match.index, end: pattern.lastIndex, text: match[0] } : undefined;
}

/** Separates the reasoning of a whole answer. */
export function splitThoughts(text: string): Told & { isUnopened: boolean } {
  const splitter = new ThoughtSplitter(true);
  const first = splitter.push(text);
  const last = splitter.end();
  const told = withoutPairs(first.content + last.content);
  const reasoning = first.reasoning + last.reasoning + told.reasoning;
  return { content: told.content, reasoning, isUnopened: splitter.isUnopened };
}

/** Thoughts in the middle of a text. */
function withoutPairs(text: string): Told {
  const told = { content: '', reasoning: '' };
  let from = 0;
  for (;;) {
    const opening = find(OPENING, text, from);
    const closing = opening && find(CLOSING, text, opening.end);
    if (!closing) return { ...told, content: told.content + text.slice(from) };
    told.content += text.slice(from, opening.at);
    told.reasoning += text.slice(opening.end, closing.at);
    from = find(NOT_BLANK, text, closing.end)?.at ?? text.length;
  }
}

/** Separates the reasoning of a text that comes in pieces. A tag may be cut anywhere. */
export class ThoughtSplitter {
  /** Reasoning may begin without a tag, so nothing is told before its end. */
  readonly #isHeld: boolean;
  /** White space in front of what is next, then text that is held. Nothing searches them. */
  #lead = '';
  #held = '';
  /** The beginning of a tag at the end of the last piece, then the piece. */
  #text = '';
  /** Read so far of the text. */
  #at = 0;
  /** `start`: only white space so far. `held`: text or reasoning. */
  #state: 'start' | 'thinking' | 'held' | 'text' = 'start';
  #close = THINK_CLOSE;
  #hasThought = false;
  #hasOpened = false;
  #isUnopened = false;

  constructor(isHeld: boolean) {
    this.#isHeld = isHeld;
  }

  /** A closing tag came that nothing had opened. */
  get isUnopened(): boolean {
    return this.#isUnopened;
  }

  /** Characters that are not told yet. */
  get heldLength(): number {
    return this.#lead.length + this.#held.length + this.#text.length;
  }

  push(piece: string): Told {
    this.#text += piece;
    this.#at = 0;
    const told = { content: '', reasoning: '' };
    while (this.#step(told)) {}
    this.#text = this.#text.slice(this.#at);
    return told;
  }

  /** Tells what is left. */
  end(): Told {
    const lead = this.#hasThought ? '' : this.#lead;
    const rest = this.#held + lead + this.#text;
    [this.#held, this.#lead, this.#text] = ['', '', ''];
    return this.#state === 'thinking' ? { content: '', reasoning: rest } : { content: rest, reasoning: '' };
  }

  /** @returns false when the next piece has to come first */
  #step(told: Told): boolean {
    if (this.#state === 'start') return this.#begin(told);
    if (this.#state === 'thinking') return this.#think(told);
    return this.#talk(told);
  }

  #begin(told: Told): boolean {
    const word = find(NOT_BLANK, this.#text, this.#at);
    this.#lead += this.#take(word?.at ?? this.#text.length);
    if (!word) return false;
    const tag = TAGS.find(({ open }) => find(open.at, this.#text, this.#at));
    if (!tag && TAGS.some(({ open }) => isBegun(open.text, this.#text.slice(this.#at)))) return false;
    const lead = this.#lead;
    this.#lead = '';
    if (tag) {
      this.#at += tag.open.text.length;
      this.#close = tag.close;
      this.#state = 'thinking';
      return true;
    }
    this.#state = this.#isHeld && !this.#hasThought ? 'held' : 'text';
    if (!this.#hasThought) this.#say(told, lead);
    return true;
  }

  #think(told: Told): boolean {
    const { text, any } = this.#close;
    const closing = find(any, this.#text, this.#at);
    told.reasoning += this.#take(closing?.at ?? this.#text.length - begunLength(this.#text, this.#at, text));
    if (closing) this.#endThought(closing.end);
    return closing !== undefined;
  }

  #talk(told: Told): boolean {
    const tag = this.#hasOpened ? undefined : find(EITHER, this.#text, this.#at);
    // A text that speaks of both tags thinks nothing.
    if (tag && !tag.text.startsWith('</')) this.#hasOpened = true;
    if (tag && !this.#hasOpened) {
      this.#isUnopened = true;
      const before = this.#held + this.#take(tag.at);
      told[this.#state === 'held' ? 'reasoning' : 'content'] += before;
      this.#held = '';
      this.#endThought(tag.end);
      return true;
    }
    const left = Math.max(...['</think>', '<think>'].map((one) => begunLength(this.#text, this.#at, one)));
    this.#say(told, this.#take(this.#text.length - left));
    return false;
  }

  #say(told: Told, text: string): void {
    if (this.#state === 'held') this.#held += text;
    else told.content += text;
  }

  #endThought(at: number): void {
    this.#at = at;
    this.#hasThought = true;
    this.#state = 'start';
  }

  /** Reads up to a place. */
  #take(end: number): string {
    const taken = this.#text.slice(this.#at, end);
    this.#at = end;
    return taken;
  }
}

/** Compares without the case of ASCII letters, as the patterns do. */
const isBegun = (tag: string, text: string): boolean =>
  text.length < tag.length && tag.slice(0, text.length).toLowerCase() === text.toLowerCase();

/** The length of the tag's beginning that stands at the end of the text. */
function begunLength(text: string, from: number, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length - from); length > 0; length--)
    if (isBegun(tag, text.slice(-length))) return length;
  return 0;
}
