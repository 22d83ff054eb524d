import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import type { TokenCounts } from './llm-calls.db.ts';
import { estimatedCounts, outputBytes, usageIn } from './token-counts.ts';

/** Longer events are passed on without being parsed. */
const MAX_EVENT = 1024 * 1024;
/** The average of long texts is lower, so an honest answer is never taken for longer than it is. */
const MOST_BYTES_PER_TOKEN = 8;
const END_OF_EVENT = /\r?\n\r?\n/;
/** Characters of an end of an event that may be in the piece before. */
const LONGEST_END = 3;
const PIECES_OF_A_BLOCK = 1024;

/** Counts the tokens of a streamed completion while passing its events on. */
export class ChatStream {
  readonly #input: number;
  readonly #wantsUsage: boolean;
  readonly #decoder = new TextDecoder();
  /** The begin of an event, in pieces, so that a piece costs what it weighs. */
  #pieces: string[] = [];
  #blocks: string[] = [];
  #length = 0;
  #tail = '';
  #bytes = 0;
  /** Each has at least one token. */
  #outputEvents = 0;
  #usage: TokenCounts | undefined;
  #isFinished = false;
  #isDone = false;

  /**
   * @param estimatedInput tokens
   * @param wantsUsage false: the event with the usage is not passed on, because the client did not ask for it
   */
  constructor(estimatedInput: number, wantsUsage: boolean) {
    this.#input = estimatedInput;
    this.#wantsUsage = wantsUsage;
  }

  /** @returns the events that are complete with this chunk */
  pass(chunk: Uint8Array): string {
    return this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  /** @returns the rest after the last complete event */
  end(): string {
    const rest = this.#take(`${this.#decoder.decode()}\n\n`);
    return rest.trim() === '' ? '' : rest;
  }

  /** The provider's final usage; estimated for a whole answer without one; undefined for an answer that is not whole. */
  get counts(): TokenCounts | undefined {
    return this.#usage ?? (this.#isDone ? estimatedCounts(this.#input, this.#bytes) : undefined);
  }

  /** Tokens that there are at least, by the longest usual ones. */
  get leastTokens(): number {
    return Math.max(this.#outputEvents, Math.floor(this.#bytes / MOST_BYTES_PER_TOKEN));
  }

  /** True after `data: [DONE]`. */
  get isDone(): boolean {
    return this.#isDone;
  }

  #take(text: string): string {
    const seam = this.#tail + text;
    this.#keep(text);
    const hasEnd = END_OF_EVENT.test(seam);
    if (!hasEnd && this.#length <= MAX_EVENT) return '';
    let rest = [...this.#blocks, ...this.#pieces].join('');
    [this.#blocks, this.#pieces, this.#length, this.#tail] = [[], [], 0, ''];
    let out = '';
    for (let end = END_OF_EVENT.exec(rest); end; end = END_OF_EVENT.exec(rest)) {
      const event = rest.slice(0, end.index);
      rest = rest.slice(end.index + end[0].length);
      if (event.trim() !== '' && this.#isPassed(event)) out += `${event}\n\n`;
    }
    if (rest.length <= MAX_EVENT) {
      this.#keep(rest);
      return out;
    }
    this.#bytes += rest.length;
    return out + rest;
  }

  #keep(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
    this.#tail = (this.#tail + text.slice(-LONGEST_END)).slice(-LONGEST_END);
    if (this.#pieces.length < PIECES_OF_A_BLOCK) return;
    this.#blocks.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  #isPassed(event: string): boolean {
    const data = /^data: ?(.*)$/m.exec(event)?.[1] ?? '';
    if (data === '[DONE]') this.#isDone = true;
    const part = parse(data);
    if (!part) return true;
    const bytes = outputBytes(part.choices, 'delta');
    this.#bytes += bytes;
    if (bytes > 0) this.#outputEvents += 1;
    const choices: unknown[] = Array.isArray(part.choices) ? part.choices : [];
    this.#isFinished ||= choices.some(
      (choice) => isJsonObject(choice) && (choice.finish_reason ?? null) !== null,
    );
    const usage = usageIn(part.usage);
    if (!usage) return true;
    // Some providers tell the usage so far with each event.
    if (this.#isFinished || choices.length === 0) this.#usage = usage;
    return this.#wantsUsage || !Array.isArray(part.choices) || choices.length > 0;
  }
}

/** Builds a completion from the events of a provider that only streams. */
export function assemble(events: string): JsonObject {
  const lines = [...events.matchAll(/^data: ?(.*)$/gm)].map(([, data = '']) => parse(data));
  const parts = lines.filter((part) => part !== undefined);
  const choices = new Map<number, Assembled>();
  for (const choice of parts.flatMap((part) =>
    Array.isArray(part.choices) ? (part.choices as unknown[]) : [],
  )) {
    if (!isJsonObject(choice)) continue;
    const index = Number(choice.index ?? 0);
    const so_far = choices.get(index) ?? {
      index,
      message: { role: 'assistant', content: null },
      finish_reason: null,
    };
    if (isJsonObject(choice.delta)) addDelta(so_far.message, choice.delta);
    choices.set(index, { ...so_far, finish_reason: choice.finish_reason ?? so_far.finish_reason });
  }
  const { id, model, created }: JsonObject = parts[0] ?? {};
  const usage = parts.findLast((part) => isJsonObject(part.usage))?.usage;
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [...choices.values()],
    ...(usage ? { usage } : {}),
  };
}

interface Assembled {
  index: number;
  message: JsonObject;
  finish_reason: unknown;
}

const MAX_CALLS = 128;

/** Texts grow by each event, and so do the texts of a function call. */
function addTexts(message: JsonObject, { function_call, ...delta }: JsonObject): void {
  for (const name of ['refusal', 'reasoning_content', 'reasoning']) {
    const text = delta[name];
    if (typeof text === 'string') message[name] = textOf(message[name]) + text;
  }
  if (!isJsonObject(function_call)) return;
  const before = isJsonObject(message.function_call) ? message.function_call : {};
  message.function_call = {
    name: textOf(before.name) + textOf(function_call.name),
    arguments: textOf(before.arguments) + textOf(function_call.arguments),
  };
}

function addDelta(message: JsonObject, delta: JsonObject): void {
  const { content, tool_calls } = delta;
  addTexts(message, delta);
  if (typeof content === 'string') message.content = textOf(message.content) + content;
  if (!Array.isArray(tool_calls)) return;
  const calls = (message.tool_calls ??= []) as JsonObject[];
  for (const call of tool_calls.filter(isJsonObject)) {
    const given = isJsonObject(call.function) ? call.function : {};
    const index = Number(call.index ?? calls.length);
    // A list with a hole of a billion places would be written out.
    if (!Number.isInteger(index) || index < 0 || index >= MAX_CALLS) continue;
    const before = calls[index];
    const called = (before?.function ?? { name: '', arguments: '' }) as { name: string; arguments: string };
    calls[index] = {
      id: before?.id ?? call.id,
      type: 'function',
      function: {
        name: called.name + textOf(given.name),
        arguments: called.arguments + textOf(given.arguments),
      },
    };
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function parse(data: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
