import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { finishOf, REASONING_FIELDS, REASONING_PARTS } from './dialects.ts';
import { splitThoughts } from './thoughts.ts';
import { usageIn, usageOf } from './token-counts.ts';

/** A message or a delta, apart from what only one of them has. */
export interface Said {
  content: string | null;
  reasoning: string;
  calls: JsonObject[];
  /** All other fields. */
  rest: JsonObject;
}

const SAID: ReadonlySet<string> = new Set(['content', 'tool_calls', ...REASONING_FIELDS]);

/** Reads a message or a delta of any dialect. */
export function readSaid(message: JsonObject): Said {
  const { content, reasoning } = contentOf(message.content);
  const beside = REASONING_FIELDS.map((name) => textIn(message[name])).find((text) => text !== '') ?? '';
  const { tool_calls } = message;
  const calls = Array.isArray(tool_calls) ? tool_calls : isJsonObject(tool_calls) ? [tool_calls] : [];
  const rest = Object.fromEntries(Object.entries(message).filter(([name]) => !SAID.has(name)));
  return { content, reasoning: beside + reasoning, calls: calls.filter(isJsonObject), rest };
}

function contentOf(content: unknown): { content: string | null; reasoning: string } {
  if (typeof content === 'string') return { content, reasoning: '' };
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  const texts = parts.filter((part) => !isReasoning(part)).map(partText);
  const known = texts.filter((text) => text !== undefined);
  return {
    content: known.length > 0 ? known.join('') : null,
    reasoning: textIn(parts.filter(isReasoning)),
  };
}

const isReasoning = (part: unknown): boolean => isJsonObject(part) && REASONING_PARTS.has(part.type);

function partText(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  return isJsonObject(part) && typeof part.text === 'string' ? part.text : undefined;
}

/** Reasoning may be in lists of parts of parts. */
const MOST_LEVELS = 5;
const REASONING_TEXTS = [
  'text',
  'thinking',
  'reasoning',
  'summary',
  'content',
  'reasoning_text',
  'reasoning_content',
];

/** All text in a value. */
function textIn(value: unknown, level = 0): string {
  if (typeof value === 'string') return value;
  if (level >= MOST_LEVELS) return '';
  if (Array.isArray(value)) return value.map((one) => textIn(one, level + 1)).join('');
  if (!isJsonObject(value)) return '';
  return REASONING_TEXTS.map((name) => textIn(value[name], level + 1)).join('');
}

export const newCallId = (): string => `call_${randomUUID().replaceAll('-', '')}`;

/** A tool’s arguments as JSON text, or as much of it as there is; empty for none. */
export const argumentsIn = ({ function: called, ...call }: JsonObject): string => {
  const { arguments: given, parameters, input }: JsonObject = isJsonObject(called) ? called : call;
  const value = given ?? parameters ?? input ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

export function nameIn({ function: called, name }: JsonObject): string {
  const given = (isJsonObject(called) ? called.name : undefined) ?? name;
  return typeof given === 'string' ? given : '';
}

export const NO_ARGUMENTS = '{}';

/** A call with all that OpenAI's have, and with what else the provider wants to see again. */
export function shapeCall(call: JsonObject, index: number, args: string): JsonObject {
  const { name: _name, arguments: _arguments, parameters: _parameters, input: _input, ...other } = call;
  const id = typeof call.id === 'string' && call.id !== '' ? call.id : newCallId();
  if (call.type === 'custom') return { ...call, id, index };
  const called = isJsonObject(call.function) ? call.function : {};
  const { parameters: _others, ...others } = called;
  return {
    ...other,
    id,
    type: 'function',
    index,
    function: { ...others, name: nameIn(call), arguments: args },
  };
}

export interface ShapedAnswer {
  body: JsonObject;
  /** A choice ended with a failure, so it is no answer. */
  isFailed: boolean;
  /** The model ended reasoning that it had not begun. */
  isUnopened: boolean;
}

/** An answer in OpenAI's shape. @param answer with choices */
export function shapeAnswer(answer: JsonObject): ShapedAnswer {
  const shaped = (answer.choices as unknown[]).filter(isJsonObject).map(shapeChoice);
  const counts = usageIn(answer);
  const { usage: _usage, ...rest } = answer;
  const choices = shaped.map(({ choice }) => choice);
  return {
    body: { ...rest, object: 'chat.completion', choices, ...(counts && { usage: usageOf(counts) }) },
    isFailed: choices.some(({ finish_reason }) => finish_reason === 'failed'),
    isUnopened: shaped.some(({ isUnopened }) => isUnopened),
  };
}

function shapeChoice(given: JsonObject, place: number): { choice: JsonObject; isUnopened: boolean } {
  const { usage: _usage, message, ...rest } = given;
  const { content, reasoning, calls, rest: other } = readSaid(isJsonObject(message) ? message : {});
  const { isUnopened, ...told } = splitThoughts(content ?? '');
  const thought = reasoning + told.reasoning;
  const tool_calls = calls.map((call, index) => {
    const args = argumentsIn(call);
    return shapeCall(call, index, args.trim() === '' ? NO_ARGUMENTS : args);
  });
  const choice = {
    ...rest,
    index: Number.isInteger(given.index) ? given.index : place,
    message: {
      ...other,
      role: 'assistant',
      content: content === null || (told.content === '' && content !== '') ? null : told.content,
      ...(thought !== '' && { reasoning_content: thought }),
      ...(tool_calls.length > 0 && { tool_calls }),
    },
    finish_reason: finishOf(given.finish_reason ?? 'stop', tool_calls.length > 0),
  };
  return { choice, isUnopened };
}

const CHUNK = 'chat.completion.chunk';

export const eventOf = (event: JsonObject): string =>
  `data: ${JSON.stringify({ ...event, object: CHUNK })}\n\n`;

export const DONE_EVENT = 'data: [DONE]\n\n';

/** A whole answer as a stream. */
export function eventsOf({ choices, usage, ...rest }: JsonObject, wantsUsage: boolean): string {
  const chunks = (choices as JsonObject[]).map(({ message, ...choice }) => ({ ...choice, delta: message }));
  const last = wantsUsage && usage !== undefined ? eventOf({ ...rest, choices: [], usage }) : '';
  return `${eventOf({ ...rest, choices: chunks })}${last}${DONE_EVENT}`;
}
