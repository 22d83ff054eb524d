import { isJsonObject } from '../platform/json/json-object.ts';

/** Differences between a provider's words and those of OpenAI's API. Paths have dots. */
interface Dialect {
  spokenBy: string;
  /** Its addresses, where the address decides. */
  host?: RegExp;
  /** The only limit of output that its newer models take. */
  limit?: 'max_tokens' | 'max_completion_tokens';
  /** Where the usage stands in an answer or an event. */
  usage?: readonly string[];
  /** Within the usage. */
  input?: readonly string[];
  output?: readonly string[];
  total?: readonly string[];
  reasoned?: readonly string[];
  /** Input that was read from the provider's cache, and that was written to it. */
  cached?: readonly string[];
  cacheWritten?: readonly string[];
  /** Fields of a message that hold reasoning, as text or as parts. */
  reasoning?: readonly string[];
  /** Types of parts of the content that hold reasoning. */
  reasoningParts?: readonly string[];
  /** Tags around reasoning at the beginning of the text. */
  tags?: readonly (readonly [string, string])[];
  /** Each `finish_reason`, without regard to case. */
  finish?: Readonly<Record<string, FinishReason | 'failed'>>;
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/**
 * Every row holds for every address, because gateways and local servers speak the dialects of the models behind them.
 * docs/models.md has the sources.
 */
const DIALECTS: readonly Dialect[] = [
  {
    spokenBy: 'OpenAI, Azure',
    host: /(?:^|\.)(?:openai\.com|openai\.azure\.com|cognitiveservices\.azure\.com)$/,
    limit: 'max_completion_tokens',
    usage: ['usage'],
    input: ['prompt_tokens'],
    output: ['completion_tokens'],
    total: ['total_tokens'],
    reasoned: ['completion_tokens_details.reasoning_tokens'],
    cached: ['prompt_tokens_details.cached_tokens'],
    finish: {
      stop: 'stop',
      length: 'length',
      tool_calls: 'tool_calls',
      content_filter: 'content_filter',
      function_call: 'function_call',
    },
  },
  {
    spokenBy: 'proxies of OpenAI’s Responses and of xAI, Perplexity',
    input: ['input_tokens'],
    output: ['output_tokens'],
    cached: ['input_tokens_details.cached_tokens'],
    reasoned: ['output_tokens_details.reasoning_tokens', 'reasoning_tokens'],
    finish: { completed: 'stop', max_output_tokens: 'length', incomplete: 'length' },
  },
  {
    spokenBy: 'Anthropic, Bedrock, and their proxies',
    input: ['inputTokens'],
    output: ['outputTokens'],
    total: ['totalTokens'],
    cached: ['cache_read_input_tokens', 'cacheReadInputTokens'],
    cacheWritten: ['cache_creation_input_tokens', 'cacheWriteInputTokens'],
    reasoning: ['thinking', 'thinking_blocks'],
    reasoningParts: ['thinking', 'redacted_thinking', 'reasoning', 'reasoning_content', 'reasoningContent'],
    tags: [['<thinking>', '</thinking>']],
    finish: {
      end_turn: 'stop',
      stop_sequence: 'stop',
      pause_turn: 'stop',
      tool_use: 'tool_calls',
      max_tokens: 'length',
      model_context_window_exceeded: 'length',
      refusal: 'content_filter',
      content_filtered: 'content_filter',
      guardrail_intervened: 'content_filter',
    },
  },
  {
    spokenBy: 'Gemini',
    usage: ['usageMetadata', 'usage_metadata'],
    input: ['promptTokenCount', 'prompt_token_count'],
    output: ['candidatesTokenCount', 'candidates_token_count'],
    total: ['totalTokenCount', 'total_token_count'],
    reasoned: ['thoughtsTokenCount', 'thoughts_token_count'],
    cached: ['cachedContentTokenCount', 'cached_content_token_count'],
    tags: [['<thought>', '</thought>']],
    finish: {
      safety: 'content_filter',
      recitation: 'content_filter',
      blocklist: 'content_filter',
      prohibited_content: 'content_filter',
      spii: 'content_filter',
      malformed_function_call: 'failed',
    },
  },
  {
    spokenBy: 'DeepSeek',
    cached: ['prompt_cache_hit_tokens'],
    reasoning: ['reasoning_content'],
    tags: [['<think>', '</think>']],
    finish: { insufficient_system_resource: 'failed' },
  },
  {
    spokenBy: 'Mistral',
    reasoningParts: ['thinking'],
    tags: [['[THINK]', '[/THINK]']],
    finish: { model_length: 'length' },
  },
  {
    spokenBy: 'Moonshot',
    cached: ['cached_tokens'],
    tags: [['◁think▷', '◁/think▷']],
  },
  { spokenBy: 'Groq', usage: ['x_groq.usage'], reasoning: ['reasoning'] },
  {
    spokenBy: 'OpenRouter, Ollama, vLLM',
    reasoning: ['reasoning', 'reasoning_details'],
    finish: { error: 'failed', abort: 'failed', load: 'failed', unload: 'failed' },
  },
  {
    spokenBy: 'Together, TGI, SGLang',
    finish: { eos: 'stop', eos_token: 'stop', matched_stop: 'stop', max_length: 'length' },
  },
  {
    spokenBy: 'Cohere',
    finish: {
      complete: 'stop',
      tool_call: 'tool_calls',
      error_toxic: 'content_filter',
      error_limit: 'length',
      timeout: 'failed',
    },
  },
  {
    spokenBy: 'Zhipu',
    finish: { sensitive: 'content_filter', network_error: 'failed' },
  },
];

type Names =
  | 'usage'
  | 'input'
  | 'output'
  | 'total'
  | 'reasoned'
  | 'cached'
  | 'cacheWritten'
  | 'reasoning'
  | 'reasoningParts';

const all = (what: Names): readonly string[] => [
  ...new Set(DIALECTS.flatMap((dialect) => dialect[what] ?? [])),
];

export const USAGE_PATHS = all('usage');
export const USAGE_NAMES = {
  input: all('input'),
  output: all('output'),
  total: all('total'),
  reasoned: all('reasoned'),
  cached: all('cached'),
  cacheWritten: all('cacheWritten'),
};
export const REASONING_FIELDS = all('reasoning');
export const REASONING_PARTS: ReadonlySet<unknown> = new Set(all('reasoningParts'));
export const THOUGHT_TAGS: readonly (readonly [string, string])[] = DIALECTS.flatMap(
  ({ tags }) => tags ?? [],
);

const FINISH = new Map(DIALECTS.flatMap(({ finish }) => Object.entries(finish ?? {})));

/** In OpenAI's words. An unknown reason is a stop, for example the word at which a model stopped. `failed`: it is no answer. */
export function finishOf(reason: unknown, hasCalls: boolean): FinishReason | 'failed' | null {
  if (typeof reason !== 'string') return reason === null || reason === undefined ? null : 'stop';
  const known = FINISH.get(reason.toLowerCase()) ?? 'stop';
  if (known === 'stop' && hasCalls) return 'tool_calls';
  return known === 'tool_calls' && !hasCalls ? 'stop' : known;
}

/** The field that limits the output at an address, until the model refuses it. */
export function limitAt(base_url: string): 'max_tokens' | 'max_completion_tokens' {
  const { hostname } = new URL(base_url);
  return DIALECTS.find(({ host }) => host?.test(hostname))?.limit ?? 'max_tokens';
}

/** Follows a path with dots. */
export const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value);
