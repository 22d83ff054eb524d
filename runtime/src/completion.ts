import type OpenAI from 'openai';
import { isObject, type JsonObject, textOf } from './json.ts';

export interface ToolRequest {
  id: string;
  name: string;
  /** JSON. */
  arguments: string;
}

/** Why an answer is not whole. */
export type Cut = 'length' | 'content_filter';

/** A model's part of the exchange. */
export interface Turn {
  /** Without its thoughts; empty for none. */
  text: string;
  calls: ToolRequest[];
  cut: Cut | undefined;
  /** To be sent with the next question. */
  message: OpenAI.ChatCompletionAssistantMessageParam;
}

/** The gateway of the control plane gives everything one shape; other endpoints do not. Throws TypeError without a message. */
export function readTurn({ choices }: OpenAI.ChatCompletion): Turn {
  const { message: said, finish_reason } = choices[0] as { message: unknown; finish_reason: unknown };
  if (!isObject(said)) throw new TypeError('The model gave no answer');
  const text = withoutThoughts(joined(said['content']));
  const given: unknown[] = Array.isArray(said['tool_calls']) ? said['tool_calls'] : [];
  const asked = given.filter(isObject).map(callOf);
  const message = {
    ...said,
    role: 'assistant',
    content: text === '' ? null : text,
    ...(asked.length > 0 && { tool_calls: asked.map(({ sent }) => sent) }),
  } as unknown as OpenAI.ChatCompletionAssistantMessageParam;
  const cut = finish_reason === 'length' || finish_reason === 'content_filter' ? finish_reason : undefined;
  return { text, calls: asked.map(({ call }) => call), cut, message };
}

function joined(content: unknown): string {
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts
    .map((part) => (isObject(part) && part['type'] === 'text' ? part['text'] : part))
    .filter((part) => typeof part === 'string')
    .join('');
}

/** A model may think between tags, or before a closing one alone. */
function withoutThoughts(text: string): string {
  const [last = '', ...ended] = text.split(/<\/think>/i).toReversed();
  let told = '';
  for (const before of ended.toReversed()) {
    const opening = before.search(/<think>/i);
    told = opening < 0 ? '' : told + before.slice(0, opening);
  }
  told += last;
  const spoken = told.replace(/^\s*<think>[\s\S]*$/i, '');
  return spoken === text ? text : spoken.trim();
}

/** `sent`: with all that the endpoint wants to see again. */
function callOf(given: JsonObject, index: number): { call: ToolRequest; sent: JsonObject } {
  if (!isObject(given['function'])) throw new TypeError('The model called something that is not a function');
  const { name, arguments: args } = given['function'];
  const json = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  const call = {
    id: textOf(given['id']) ?? `call_${index}`,
    name: textOf(name) ?? '',
    arguments: json.trim() === '' ? '{}' : json,
  };
  const called = { ...given['function'], name: call.name, arguments: call.arguments };
  return { call, sent: { ...given, id: call.id, type: 'function', function: called } };
}

/** Closing marks of all scripts, and what belongs to the character before. */
const closing = /^[\s\p{Terminal_Punctuation}\p{Pe}\p{Pf}\p{Mark}…]/u;
const opening = /[\s\p{Ps}\p{Pi}¿¡]$/u;

/** Characters of scripts without spaces between words, and their marks. */
const unspaced =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}\\u3000-\\u303f\\uff00-\\uffef]';
const unspacedEnd = new RegExp(`${unspaced}$`, 'u');
const unspacedStart = new RegExp(`^${unspaced}`, 'u');

/** Adds a piece to a text that was cut anywhere: with a space where its script has spaces between words. */
export function continued(text: string, piece: string): string {
  const isAdjacent =
    opening.test(text) || closing.test(piece) || unspacedEnd.test(text) || unspacedStart.test(piece);
  return isAdjacent ? text + piece : `${text} ${piece}`;
}
