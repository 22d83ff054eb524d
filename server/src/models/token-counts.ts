import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { USAGE_NAMES, USAGE_PATHS, valueAt } from './dialects.ts';
import type { TokenCounts } from './llm-calls.db.ts';

/** Less than usual, so that estimates are rather too high than too low. */
const BYTES_PER_TOKEN = 3;
const TOKENS_PER_IMAGE = 1500;
const IMAGE = /^data:image\/[\w.+-]{1,100};base64,/i;
/** More than any call uses, and small enough for sums. */
const MOST_TOKENS = 1_000_000_000;

/** Everything counts by its length but the pictures of messages. */
export function estimateInput({ messages, tools, functions, response_format }: JsonObject): number {
  let images = 0;
  const read = (part: unknown): unknown => {
    if (!isJsonObject(part) || part.type !== 'image_url') return part;
    const { image_url } = part;
    const url = isJsonObject(image_url) ? image_url.url : image_url;
    images += 1;
    if (typeof url !== 'string' || !IMAGE.test(url)) return part;
    return { ...part, image_url: isJsonObject(image_url) ? { ...image_url, url: '' } : '' };
  };
  const withoutImages = Array.isArray(messages)
    ? messages.map((message: unknown) =>
        isJsonObject(message) && Array.isArray(message.content)
          ? { ...message, content: message.content.map(read) }
          : message,
      )
    : messages;
  const text = JSON.stringify([withoutImages, tools, functions, response_format]);
  return estimateTokens(Buffer.byteLength(text)) + images * TOKENS_PER_IMAGE;
}

const estimateTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** The usage of an answer or of an event, as its provider says it; undefined without a valid one. */
export function usageIn(answer: JsonObject): TokenCounts | undefined {
  const choices: unknown[] = Array.isArray(answer.choices) ? answer.choices : [];
  const places = [
    ...USAGE_PATHS.map((path) => valueAt(answer, path)),
    ...choices.map((one) => valueAt(one, 'usage')),
  ];
  return places.map(countsIn).find((counts) => counts !== undefined);
}

/**
 * Providers differ in what their numbers contain: reasoning may stand beside the output, and what was read from a cache
 * beside the input. The total tells, or a part that is larger than its whole.
 */
function countsIn(usage: unknown): TokenCounts | undefined {
  const [prompt, answered] = [countAt(usage, 'input'), countAt(usage, 'output')];
  if (prompt === undefined || answered === undefined) return undefined;
  const {
    cached = 0,
    cacheWritten = 0,
    reasoned = 0,
    total = 0,
  } = {
    cached: countAt(usage, 'cached'),
    cacheWritten: countAt(usage, 'cacheWritten'),
    reasoned: countAt(usage, 'reasoned'),
    total: countAt(usage, 'total'),
  };
  const besides = cached + cacheWritten;
  const more = total - prompt - answered;
  const isBeside = cached > prompt || (besides > 0 && more === besides) || isAnthropics(usage);
  const input = prompt + (isBeside ? besides : 0);
  const output = Math.max(answered, total - input, reasoned > answered ? answered + reasoned : 0);
  const input_tokens = Math.min(input, MOST_TOKENS);
  return {
    input_tokens,
    cached_input_tokens: Math.min(cached, input_tokens),
    output_tokens: Math.min(output, MOST_TOKENS),
    estimated: false,
  };
}

/** Its own API never counts the cache as input. */
const isAnthropics = (usage: unknown): boolean =>
  isJsonObject(usage) && isCount(usage.input_tokens) && isCount(usage.cache_read_input_tokens);

const countAt = (usage: unknown, what: keyof typeof USAGE_NAMES): number | undefined =>
  USAGE_NAMES[what].map((path) => valueAt(usage, path)).find(isCount);

/** As OpenAI's API has it, with all output and what came from the cache. */
export const usageOf = ({ input_tokens, cached_input_tokens, output_tokens }: TokenCounts): JsonObject => ({
  prompt_tokens: input_tokens,
  completion_tokens: output_tokens,
  total_tokens: input_tokens + output_tokens,
  prompt_tokens_details: { cached_tokens: cached_input_tokens },
});

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

/** For providers that send no usage with a whole answer. */
export const estimatedCounts = (input_tokens: number, output_bytes: number): TokenCounts => ({
  input_tokens,
  cached_input_tokens: 0,
  output_tokens: estimateTokens(output_bytes),
  estimated: true,
});

/** Members of a message that are not generated. */
const NAMES: ReadonlySet<string> = new Set(['role', 'id', 'index', 'type', 'format']);

/** Some providers send the same reasoning in parts, too. */
const isRepeated = (key: string, { reasoning, reasoning_content }: JsonObject): boolean =>
  NAMES.has(key) ||
  (key === 'reasoning_details' && (typeof reasoning === 'string' || typeof reasoning_content === 'string'));

/** Bytes of all texts: content, refusals, reasoning, tool and function calls, audio, and kinds to come. */
export function outputBytes(choices: unknown): number {
  let bytes = 0;
  const left: unknown[] = Array.isArray(choices)
    ? choices.map((choice: unknown) => (isJsonObject(choice) ? (choice.delta ?? choice.message) : undefined))
    : [];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') bytes += Buffer.byteLength(value);
    else if (Array.isArray(value)) for (const element of value as unknown[]) left.push(element);
    else if (isJsonObject(value))
      for (const [key, member] of Object.entries(value)) if (!isRepeated(key, value)) left.push(member);
  }
  return bytes;
}
