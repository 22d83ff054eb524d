import { isObject, type JsonObject } from './recipe-patch.ts';

/** A call of a tool, as far as the runtime told it. */
export interface ToolCall {
  name: string;
  /** By name; a text where the runtime wrote something else. */
  arguments?: JsonObject | string;
  at?: string;
  latency_ms?: number;
  result?: string;
  error?: string;
}

/** Runtimes choose the shape of an element of `tool_calls`: a text, or an object with any of these fields. */
export function toolCallOf(element: unknown): ToolCall {
  if (typeof element === 'string') return { name: element };
  if (!isObject(element)) return { name: 'a tool' };
  const given = isObject(element.function) ? { ...element, ...element.function } : element;
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : undefined);
  const args = argumentsOf(given.arguments ?? given.args ?? given.input);
  const at = text('at');
  return {
    name: text('name') ?? text('tool') ?? 'a tool',
    ...(args !== undefined && { arguments: args }),
    ...(at !== undefined && !Number.isNaN(Date.parse(at)) && { at }),
    ...(typeof given.latency_ms === 'number' && { latency_ms: given.latency_ms }),
    ...(given.result !== undefined && given.result !== null && { result: resultText(given.result) }),
    ...(text('error') !== undefined && { error: text('error') ?? '' }),
  };
}

function argumentsOf(given: unknown): ToolCall['arguments'] {
  if (isObject(given)) return given;
  if (typeof given !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(given);
    return isObject(parsed) ? parsed : given;
  } catch {
    return given;
  }
}

/** The words of a result as MCP tells it: its texts, else what it holds as JSON. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result;
  if (isObject(result) && Array.isArray(result.content)) {
    const texts = result.content.map((part: unknown) => {
      if (!isObject(part)) return '';
      if (typeof part.text === 'string') return part.text;
      return `[${typeof part.type === 'string' ? part.type : 'something else'}]`;
    });
    if (texts.some((text) => text !== '')) return texts.join('\n');
  }
  return JSON.stringify(isObject(result) ? (result.structuredContent ?? result) : result, null, 2);
}

export const isFailedResult = (result: unknown): boolean => isObject(result) && result.isError === true;
