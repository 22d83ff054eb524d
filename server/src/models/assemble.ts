import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';

interface Assembled {
  index: number;
  message: JsonObject;
  finish_reason: unknown;
}

/** Builds a completion from the events of ChatStream. */
export function assemble(events: string): JsonObject {
  const parts = [...events.matchAll(/^data: (\{.*)$/gm)].map(
    ([, data = '']) => JSON.parse(data) as JsonObject,
  );
  const choices = new Map<number, Assembled>();
  for (const choice of parts.flatMap((part) => part.choices as JsonObject[])) {
    const index = Number(choice.index);
    const so_far = choices.get(index) ?? {
      index,
      message: { role: 'assistant', content: null },
      finish_reason: null,
    };
    addDelta(so_far.message, choice.delta as JsonObject);
    choices.set(index, { ...so_far, finish_reason: choice.finish_reason ?? so_far.finish_reason });
  }
  const { id, model, created }: JsonObject = parts[0] ?? {};
  const usage = parts.at(-1)?.usage;
  return { id, created, model, choices: [...choices.values()], ...(usage !== undefined && { usage }) };
}

/** Texts grow by each event, and so do the texts of a function call. */
function addDelta(message: JsonObject, { tool_calls, function_call, ...delta }: JsonObject): void {
  for (const name of ['content', 'refusal', 'reasoning_content']) {
    const text = delta[name];
    if (typeof text === 'string') message[name] = textOf(message[name]) + text;
  }
  if (isJsonObject(function_call)) message.function_call = added(message.function_call, function_call);
  if (!Array.isArray(tool_calls)) return;
  const calls = (message.tool_calls ??= []) as JsonObject[];
  for (const { index, function: called, ...call } of tool_calls as JsonObject[]) {
    const place = Number(index);
    const before = calls[place];
    calls[place] = {
      ...before,
      ...call,
      index,
      ...(isJsonObject(called) && { function: added(before?.function, called) }),
    };
  }
}

function added(before: unknown, { name, arguments: args, ...more }: JsonObject): JsonObject {
  const so_far = isJsonObject(before) ? before : {};
  return {
    ...so_far,
    ...more,
    name: textOf(so_far.name) + textOf(name),
    arguments: textOf(so_far.arguments) + textOf(args),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
