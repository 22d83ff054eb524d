import { BadAnswer } from './told-failure.ts';

/** Far more than a provider sends in one event. */
const MOST_LENGTH = 1024 * 1024;

export interface SentEvent {
  data: string;
  /** Some servers name the event, or the field in place of `data`. */
  isError: boolean;
}

/** Server-sent events, also where a provider forgets the empty line between them or the name of the field. */
export class EventSplitter {
  readonly #decoder = new TextDecoder();
  /** The begin of a line, so that a piece costs what it weighs. */
  #pieces: string[] = [];
  #length = 0;
  #data = '';
  #mayBeWhole = false;
  #isError = false;

  push(chunk: Uint8Array): SentEvent[] {
    return this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  end(): SentEvent[] {
    return this.#take(`${this.#decoder.decode()}\n\n`);
  }

  #take(text: string): SentEvent[] {
    const events: SentEvent[] = [];
    this.#pieces.push(text);
    this.#length += text.length;
    if (text.includes('\n')) {
      const lines = this.#pieces.join('').split('\n');
      const rest = lines.pop() ?? '';
      [this.#pieces, this.#length] = [[rest], rest.length];
      for (const line of lines) this.#read(line.replace(/\r$/, ''), events);
    }
    if (this.#length + this.#data.length > MOST_LENGTH)
      throw new BadAnswer('An event of the model is too large');
    return events;
  }

  #read(line: string, events: SentEvent[]): void {
    if (line === '') return this.#dispatch(events);
    const [, field = '', value = ''] =
      /^(\w*): ?(.*)$/.exec(line) ?? (line.startsWith('{') ? ['', 'data', line] : []);
    if (field === 'event' && value.trim() === 'error') this.#isError = true;
    if (field === 'error') this.#isError = true;
    if (field !== 'data' && field !== 'error') return;
    if (this.#mayBeWhole && /^(?:\{|\[DONE\])/.test(value)) this.#dispatch(events);
    this.#data = this.#data === '' ? value.trim() : `${this.#data}\n${value}`;
    this.#mayBeWhole = value.trimEnd().endsWith('}');
  }

  #dispatch(events: SentEvent[]): void {
    if (this.#data !== '') events.push({ data: this.#data, isError: this.#isError });
    [this.#data, this.#isError, this.#mayBeWhole] = ['', false, false];
  }
}
