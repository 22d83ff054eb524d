import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import type { TokenCounts } from './llm-calls.db.ts';

/** Less than usual, so that estimates are rather too high than too low. */
const BYTES_PER_TOKEN = 3;
/** Counted in place of an image or file. */
const EMBEDDED = 'x'.repeat(1500 * BYTES_PER_TOKEN);
/** Requires base64, because a text may begin with `data:` too. */
const FILE = /^data:[^,\s]{0,200};base64,/i;

export function estimateInput({ messages, tools, functions, response_format }: JsonObject): number {
  const text = JSON.stringify([messages, tools, functions, response_format], (_, value: unknown) =>
    typeof value === 'string' && FILE.test(value) ? EMBEDDED : value,
  );
  return estimateTokens(Buffer.byteLength(text));
}

const estimateTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** undefined without a valid `usage`. */
export function usageIn(value: unknown): TokenCounts | undefined {
  if (!isJsonObject(value)) return undefined;
  const { prompt_tokens, completion_tokens, prompt_tokens_details: details } = value;
  if (!isCount(prompt_tokens) || !isCount(completion_tokens)) return undefined;
  const cached = isJsonObject(details) && isCount(details.cached_tokens) ? details.cached_tokens : 0;
  return {
    input_tokens: prompt_tokens,
    cached_input_tokens: Math.min(cached, prompt_tokens),
    output_tokens: completion_tokens,
    estimated: false,
  };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** For providers that send no usage. */
export const estimatedCounts = (input_tokens: number, output_bytes: number): TokenCounts => ({
  input_tokens,
  cached_input_tokens: 0,
  output_tokens: estimateTokens(output_bytes),
  estimated: true,
});

/** Bytes of texts and tool calls. */
export function outputBytes(choices: unknown, part: 'message' | 'delta'): number {
  if (!Array.isArray(choices)) return 0;
  const sizes = choices.map((choice: unknown) => {
    const message = isJsonObject(choice) ? choice[part] : undefined;
    if (!isJsonObject(message)) return 0;
    const { content, tool_calls, reasoning_content } = message;
    const texts = [content, reasoning_content].filter((text) => typeof text === 'string').join('');
    return Buffer.byteLength(texts) + (tool_calls ? JSON.stringify(tool_calls).length : 0);
  });
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
