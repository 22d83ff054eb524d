import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { DONE_EVENT, eventOf, readSaid } from './answer-shape.ts';
import { finishOf } from './dialects.ts';
import { EventSplitter } from './event-splitter.ts';
import type { TokenCounts } from './llm-calls.db.ts';
import { StreamedCalls } from './streamed-calls.ts';
import { ThoughtSplitter } from './thoughts.ts';
import { estimatedCounts, outputBytes, usageIn, usageOf } from './token-counts.ts';
import { BadAnswer, failureIn, ToldFailure } from './told-failure.ts';

/** The average of long texts is lower, so an honest answer is never taken for longer than it is. */
const MOST_BYTES_PER_TOKEN = 8;
/** Far more than models that think without a beginning write before the end. */
const MOST_HELD = 1024 * 1024;
const MOST_CHOICES = 128;

interface StreamOptions {
  /** Estimated tokens. */
  input_tokens: number;
  /** False: the client did not ask for the event with the usage. */
  wantsUsage: boolean;
  /** The model may end reasoning that it never began. */
  isHeld: boolean;
}

interface Choice {
  hasRole: boolean;
  thoughts: ThoughtSplitter;
  calls: StreamedCalls;
}

/** Turns a provider's events into OpenAI's, and counts tokens. */
export class ChatStream {
  readonly #options: StreamOptions;
  readonly #events = new EventSplitter();
  readonly #choices = new Map<number, Choice>();
  #bytes = 0;
  /** Each has at least one token. */
  #outputEvents = 0;
  #usage: TokenCounts | undefined;
  /** Every event says the same. */
  #about: JsonObject | undefined;
  #isFinished = false;
  #isDone = false;
  #isWhole = false;
  #hasTold = false;
  #failure: unknown;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** Tells also what came before a failure. @returns the events that are complete with this chunk */
  pass(chunk: Uint8Array): string {
    let told = '';
    try {
      for (const event of this.#events.push(chunk)) told += this.#translate(event);
    } catch (error) {
      this.#failure = error;
    }
    return told;
  }

  /** ToldFailure for an error of the provider, BadAnswer for what cannot be read; undefined so far. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Throws BadAnswer when the model has not finished. @returns the last events */
  end(): string {
    const rest = this.#events
      .end()
      .map((event) => this.#translate(event))
      .join('');
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#isFinished) throw new BadAnswer('The model’s answer broke off');
    this.#isWhole = true;
    const usage =
      this.#usage && this.#options.wantsUsage
        ? eventOf({ ...this.#about, choices: [], usage: usageOf(this.#usage) })
        : '';
    return `${rest}${usage}${DONE_EVENT}`;
  }

  /** The provider's final usage; estimated for a whole answer without one; undefined for an answer that is not whole. */
  get counts(): TokenCounts | undefined {
    const { input_tokens } = this.#options;
    return this.#usage ?? (this.#isWhole ? estimatedCounts(input_tokens, this.#bytes) : undefined);
  }

  /** Tokens that there are at least, by the longest usual ones. */
  get leastTokens(): number {
    return Math.max(this.#outputEvents, Math.floor(this.#bytes / MOST_BYTES_PER_TOKEN));
  }

  /** Something is told that an answer begins with. */
  get hasTold(): boolean {
    return this.#hasTold;
  }

  /** The model has said something, or ended. */
  get hasBegun(): boolean {
    return this.#outputEvents > 0 || this.#isFinished;
  }

  /** Its last events were told. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Nothing comes after the model's end and the mark that some providers add. */
  get isDone(): boolean {
    return this.#isDone && this.#isFinished;
  }

  /** The model ended reasoning that it had not begun. */
  get isUnopened(): boolean {
    return [...this.#choices.values()].some(({ thoughts }) => thoughts.isUnopened);
  }

  #translate({ data, isError }: { data: string; isError: boolean }): string {
    if (data === '[DONE]') this.#isDone = true;
    const part = parse(data);
    if (isError) throw new ToldFailure(part ?? { message: data }, undefined, this.hasBegun);
    if (part === undefined) return '';
    const failure = failureIn(part);
    if (failure !== undefined) throw new ToldFailure(failure, usageIn(part), this.hasBegun);
    const given: unknown[] = Array.isArray(part.choices) ? part.choices : [];
    const bytes = outputBytes(given);
    this.#bytes += bytes;
    if (bytes > 0) this.#outputEvents += 1;
    const choices = given.filter(isJsonObject).flatMap((choice) => this.#choice(choice) ?? []);
    const usage = usageIn(part);
    // Some providers tell the usage so far with each event.
    if (usage && (this.#isFinished || given.length === 0)) this.#usage = usage;
    this.#about ??= aboutIn(part);
    if (choices.length === 0) return '';
    const { usage: _usage, x_groq: _groq, ...rest } = part;
    return eventOf({ ...rest, ...this.#about, choices });
  }

  /** @returns undefined where nothing is left to be told */
  #choice(given: JsonObject): JsonObject | undefined {
    const index = Number.isInteger(given.index) ? Number(given.index) : 0;
    const choice = this.#stateOf(index);
    const { delta, message, usage: _usage, finish_reason, ...rest } = given;
    const said = readSaid([delta, message].find(isJsonObject) ?? {});
    const told = choice.thoughts.push(said.content ?? '');
    if (choice.thoughts.heldLength > MOST_HELD) throw new BadAnswer('The model thinks too long');
    const calls = choice.calls.push(said.calls);
    const finish = finishOf(finish_reason === '' ? null : finish_reason, choice.calls.count > 0);
    if (finish === 'failed') {
      throw new ToldFailure(
        { message: `The model ended with ${String(finish_reason)}` },
        usageIn({ choices: [given] }),
        true,
      );
    }
    if (finish !== null) {
      this.#isFinished = true;
      const left = choice.thoughts.end();
      told.content += left.content;
      told.reasoning += left.reasoning;
      calls.push(...choice.calls.end());
    }
    const reasoning = said.reasoning + told.reasoning;
    const { role: _role, ...other } = said.rest;
    const output: JsonObject = {
      ...other,
      ...((told.content !== '' || said.content === '') && { content: told.content }),
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    this.#hasTold ||= finish !== null || outputBytes([{ delta: output }]) > 0;
    if (finish === null && Object.keys(output).length === 0) return undefined;
    const role = choice.hasRole ? {} : { role: 'assistant' };
    choice.hasRole = true;
    return { ...rest, index, delta: { ...role, ...output }, finish_reason: finish };
  }

  #stateOf(index: number): Choice {
    const known = this.#choices.get(index);
    if (known) return known;
    if (this.#choices.size >= MOST_CHOICES) throw new BadAnswer('The model’s answer has too many choices');
    const choice = {
      hasRole: false,
      thoughts: new ThoughtSplitter(this.#options.isHeld),
      calls: new StreamedCalls(),
    };
    this.#choices.set(index, choice);
    return choice;
  }
}

const aboutIn = ({ id, created, model }: JsonObject): JsonObject => ({
  id: typeof id === 'string' && id !== '' ? id : `chatcmpl-${randomUUID()}`,
  created: Number.isInteger(created) ? created : Math.floor(Date.now() / 1000),
  model: typeof model === 'string' ? model : '',
});

function parse(data: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return isJsonObject(first) ? first : undefined;
  } catch {
    return undefined;
  }
}
