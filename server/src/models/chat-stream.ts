import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { figureOver, JSON_BOUNDS } from '../platform/json/json-scan.ts';
import { DONE_EVENT, eventOf, readSaid } from './answer-shape.ts';
import { finishOf } from './dialects.ts';
import { EventSplitter } from './event-splitter.ts';
import type { TokenCounts } from './llm-calls.db.ts';
import { StreamedCalls } from './streamed-calls.ts';
import { ThoughtSplitter } from './thoughts.ts';
import { estimatedCounts, outputBytes, usageIn, usageOf } from './token-counts.ts';
import { BadAnswer, failureIn, StreamEnd, ToldFailure } from './told-failure.ts';

/** The average of long texts is lower, so an honest answer is never taken for longer than it is. */
const MOST_BYTES_PER_TOKEN = 8;
/** Far more than models that think without a beginning write before the end. */
const MOST_HELD = 1024 * 1024;
const MOST_CHOICES = 128;
/** An event costs time also where it is short. */
const EVENT_WEIGHT = 256;
/** Shorter events have fewer values than the bound. */
const MEASURED_LENGTH = 4096;
/** Beside events with words. Some providers send an empty event for each hidden token. */
const SPARE_WEIGHT = 1.5 * 1024 * 1024;
/** With the alternatives of a token and their logarithms. */
const WEIGHT_PER_TOKEN = 4096;
const MOST_WEIGHT = 128 * 1024 * 1024;

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
  /** Bytes as they came, and `EVENT_WEIGHT` for each event. */
  #weight = 0;
  /** Characters of all choices that are not told yet. */
  #held = 0;
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
      this.#weigh(chunk.byteLength);
      for (const event of this.#events.push(chunk)) told += this.#translate(event);
    } catch (error) {
      this.#failure = error;
    }
    return told;
  }

  /** ToldFailure for an error of the provider, BadAnswer for what cannot be read, StreamEnd for too much; undefined so far. */
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

  #weigh(weight: number): void {
    this.#weight += weight;
    const most = SPARE_WEIGHT + this.leastTokens * WEIGHT_PER_TOKEN;
    if (this.#weight > Math.min(most, MOST_WEIGHT))
      throw new StreamEnd('output_limit', 'The model’s answer is larger than its words can be');
  }

  #translate({ data, isError }: { data: string; isError: boolean }): string {
    this.#weigh(EVENT_WEIGHT);
    if (data === '[DONE]') this.#isDone = true;
    const part = parse(data);
    if (isError) throw new ToldFailure(part ?? { message: data }, undefined, this.hasBegun);
    if (part === undefined) return '';
    const failure = failureIn(part);
    if (failure !== undefined) throw new ToldFailure(failure, usageIn(part), this.hasBegun);
    const given: unknown[] = Array.isArray(part.choices) ? part.choices : [];
    if (given.length > MOST_CHOICES) throw tooManyChoices();
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
    const heldBefore = choice.thoughts.heldLength;
    const { delta, message, usage: _usage, finish_reason, ...rest } = given;
    const said = readSaid([delta, message].find(isJsonObject) ?? {});
    const told = choice.thoughts.push(said.content ?? '');
    this.#held += choice.thoughts.heldLength - heldBefore;
    if (this.#held > MOST_HELD) throw new BadAnswer('The model thinks too long');
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
    if (this.#choices.size >= MOST_CHOICES) throw tooManyChoices();
    const choice = {
      hasRole: false,
      thoughts: new ThoughtSplitter(this.#options.isHeld),
      calls: new StreamedCalls(),
    };
    this.#choices.set(index, choice);
    return choice;
  }
}

const tooManyChoices = () => new BadAnswer('The model’s answer has too many choices');

const aboutIn = ({ id, created, model }: JsonObject): JsonObject => ({
  id: typeof id === 'string' && id !== '' ? id : `chatcmpl-${randomUUID()}`,
  created: Number.isInteger(created) ? created : Math.floor(Date.now() / 1000),
  model: typeof model === 'string' ? model : '',
});

function parse(data: string): JsonObject | undefined {
  if (data.length > MEASURED_LENGTH && figureOver(Buffer.from(data), JSON_BOUNDS))
    throw new BadAnswer('An event of the model is nested too deeply or has too many values');
  try {
    const value: unknown = JSON.parse(data);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return isJsonObject(first) ? first : undefined;
  } catch {
    return undefined;
  }
}
