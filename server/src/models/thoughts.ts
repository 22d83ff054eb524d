import { THOUGHT_TAGS } from './dialects.ts';

/** A text without its reasoning. */
export interface Told {
  content: string;
  reasoning: string;
}

/** A lone one ends reasoning whose beginning was part of the prompt. */
const CLOSING = '</think>';
const OPENING = '<think>';

/** Keeps the length, unlike `toLowerCase`. */
const lower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

const TAGS = THOUGHT_TAGS.map(([open, close]) => [lower(open), lower(close)] as const);

/** Separates the reasoning of a whole answer. */
export function splitThoughts(text: string): Told & { isUnopened: boolean } {
  const splitter = new ThoughtSplitter(true);
  const first = splitter.push(text);
  const last = splitter.end();
  const told = { content: first.content + last.content, reasoning: first.reasoning + last.reasoning };
  const later = told.content.replaceAll(/<think>([\s\S]*?)<\/think>\s*/gi, (_all, thought: string) => {
    told.reasoning += thought;
    return '';
  });
  return { content: later, reasoning: told.reasoning, isUnopened: splitter.isUnopened };
}

/** Separates the reasoning of a text that comes in pieces. A tag may be cut anywhere. */
export class ThoughtSplitter {
  /** Reasoning may begin without a tag, so nothing is told before its end. */
  readonly #isHeld: boolean;
  #rest = '';
  #held = '';
  /** `start`: only white space so far. `held`: text or reasoning. */
  #state: 'start' | 'thinking' | 'held' | 'text' = 'start';
  #close = CLOSING;
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
    return this.#rest.length + this.#held.length;
  }

  push(piece: string): Told {
    this.#rest += piece;
    const told = { content: '', reasoning: '' };
    while (this.#step(told)) {}
    return told;
  }

  /** Tells what is left. */
  end(): Told {
    const rest = this.#held + this.#rest;
    [this.#held, this.#rest] = ['', ''];
    if (this.#state === 'thinking') return { content: '', reasoning: rest };
    return { content: this.#state === 'start' && this.#hasThought ? '' : rest, reasoning: '' };
  }

  /** @returns false when the next piece has to come first */
  #step(told: Told): boolean {
    if (this.#state === 'start') return this.#begin();
    if (this.#state === 'thinking') return this.#think(told);
    return this.#talk(told);
  }

  #begin(): boolean {
    const text = lower(this.#rest.trimStart());
    const tag = TAGS.find(([open]) => text.startsWith(open));
    if (tag === undefined && (text === '' || TAGS.some(([open]) => open.startsWith(text)))) return false;
    const lead = this.#rest.length - text.length;
    if (tag === undefined) {
      if (this.#hasThought) this.#rest = this.#rest.slice(lead);
      this.#state = this.#isHeld && !this.#hasThought ? 'held' : 'text';
    } else {
      this.#rest = this.#rest.slice(lead + tag[0].length);
      this.#close = tag[1];
      this.#state = 'thinking';
    }
    return true;
  }

  #think(told: Told): boolean {
    const end = lower(this.#rest).indexOf(this.#close);
    if (end >= 0) {
      told.reasoning += this.#rest.slice(0, end);
      this.#endThought(end + this.#close.length);
      return true;
    }
    told.reasoning += this.#take(begunLength(this.#rest, this.#close));
    return false;
  }

  #talk(told: Told): boolean {
    const rest = lower(this.#rest);
    const end = rest.indexOf(CLOSING);
    const opening = rest.indexOf(OPENING);
    // A text that speaks of both tags thinks nothing.
    if (opening >= 0 && (end < 0 || opening < end)) this.#hasOpened = true;
    if (end >= 0 && !this.#hasOpened) {
      this.#isUnopened = true;
      told[this.#state === 'held' ? 'reasoning' : 'content'] += this.#held + this.#rest.slice(0, end);
      this.#held = '';
      this.#endThought(end + CLOSING.length);
      return true;
    }
    const text = this.#take(Math.max(begunLength(this.#rest, CLOSING), begunLength(this.#rest, OPENING)));
    if (this.#state === 'held') this.#held += text;
    else told.content += text;
    return false;
  }

  #endThought(length: number): void {
    this.#rest = this.#rest.slice(length);
    this.#hasThought = true;
    this.#state = 'start';
  }

  /** All but the last characters. */
  #take(left: number): string {
    const taken = this.#rest.slice(0, this.#rest.length - left);
    this.#rest = this.#rest.slice(taken.length);
    return taken;
  }
}

/** The length of the tag's beginning that stands at the end of the text. */
function begunLength(text: string, tag: string): number {
  const end = lower(text.slice(-(tag.length - 1)));
  for (let length = Math.min(tag.length - 1, end.length); length > 0; length--) {
    if (end.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
