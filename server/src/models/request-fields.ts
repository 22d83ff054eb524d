import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';

/** `limit`: a count from 1; others say nothing. */
type Kind = 'number' | 'count' | 'limit' | 'any';

/** The fields of a request that providers get (docs/models.md). `model` and the limits of the output are set by us. */
const PASSED: Readonly<Record<string, Kind>> = {
  messages: 'any',
  stream: 'any',
  stream_options: 'any',
  temperature: 'number',
  top_p: 'number',
  top_k: 'count',
  min_p: 'number',
  presence_penalty: 'number',
  frequency_penalty: 'number',
  repetition_penalty: 'number',
  max_tokens: 'limit',
  max_completion_tokens: 'limit',
  stop: 'any',
  seed: 'count',
  logit_bias: 'any',
  logprobs: 'any',
  top_logprobs: 'count',
  response_format: 'any',
  tools: 'any',
  tool_choice: 'any',
  parallel_tool_calls: 'any',
  functions: 'any',
  function_call: 'any',
  reasoning_effort: 'any',
  verbosity: 'any',
  modalities: 'any',
  audio: 'any',
  user: 'any',
};

/**
 * Fields that choose models, routes, plugins, keys, addresses, storage or priority at some provider: refused, because an answer
 * without it would not be what was asked for.
 */
const CHOOSING: ReadonlySet<string> = new Set(
  `n best_of
   models model_list model_group fallbacks context_window_fallbacks content_policy_fallbacks default_fallbacks
   route routes router routing provider providers provider_options providerOptions custom_llm_provider deployment deployment_id
   preset transforms mock_response
   plugins web_search web_search_options search_parameters enable_search online data_sources guardrails
   vector_store_ids file_ids mcp_servers container
   api_key api_keys apikey user_api_key authorization headers extra_headers default_headers extra_body extra_query
   organization project user_config litellm_params litellm_metadata
   api_base api_version base_url baseurl endpoint
   store stored conversation conversation_id previous_response_id background cache caching
   service_tier priority speed inference_geo`
    .trim()
    .split(/\s+/),
);

/** An empty object asks for this one. */
const ASKED_BY_NAME = 'web_search_options';

const saysNothing = (name: string, value: unknown): boolean =>
  (name === 'n' && Number(value) === 1) ||
  value === false ||
  value === null ||
  value === '' ||
  value === 'auto' ||
  value === 'default' ||
  (Array.isArray(value) && value.length === 0) ||
  (name !== ASKED_BY_NAME && isJsonObject(value) && Object.keys(value).length === 0);

/** `refused`: the name of a field. */
type Fields = { passed: JsonObject; ignored: string[] } | { refused: string; reason: string };

const CHOOSES = 'chooses what the operator’s configuration decides, and is not passed on';

/** Selects the fields that a provider gets. A number that came as text is passed on as a number. */
export function readFields(asked: JsonObject): Fields {
  const passed: JsonObject = {};
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(asked)) {
    const kind = Object.hasOwn(PASSED, name) ? PASSED[name] : undefined;
    if (name === 'model') continue;
    if (kind === undefined) {
      if (CHOOSING.has(name) && !saysNothing(name, value)) return { refused: name, reason: CHOOSES };
      ignored.push(name);
    } else if (value !== null) {
      const read = kind === 'any' ? value : numberIn(value, kind);
      if (read === undefined)
        return { refused: name, reason: `is no ${kind === 'number' ? '' : 'whole '}number` };
      if (kind === 'limit' && Number(read) < 1) ignored.push(name);
      else passed[name] = read;
    }
  }
  const chosen = chosenWithin(asked);
  if (chosen !== undefined) return { refused: chosen, reason: CHOOSES };
  if (passed.messages !== undefined) passed.messages = listOf(passed.messages).map(withoutPlaces);
  // Providers refuse an empty list, and what chooses among no tools.
  if (listOf(passed.tools).length > 0 || passed.tools === undefined) return { passed, ignored };
  const { tools: _tools, tool_choice: _choice, parallel_tool_calls: _parallel, ...rest } = passed;
  return { passed: rest, ignored };
}

/** Our answers number their calls, but providers take no such field back. */
function withoutPlaces(message: unknown): unknown {
  if (!isJsonObject(message) || !Array.isArray(message.tool_calls)) return message;
  const tool_calls = message.tool_calls.map((call: unknown) => {
    if (!isJsonObject(call)) return call;
    const { index: _index, ...rest } = call;
    return rest;
  });
  return { ...message, tool_calls };
}

function numberIn(value: unknown, kind: Exclude<Kind, 'any'>): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  return kind === 'number' || Number.isInteger(number) ? number : undefined;
}

/** Tools that a provider runs itself, and files that are kept there under the operator's key. */
function chosenWithin({ tools, messages }: JsonObject): string | undefined {
  for (const [index, tool] of listOf(tools).entries()) {
    if (isJsonObject(tool) && !OWN_TOOLS.has(tool.type ?? 'function')) return `tools[${index}].type`;
  }
  for (const [index, message] of listOf(messages).entries()) {
    const parts = isJsonObject(message) ? listOf(message.content) : [];
    const part = parts.findIndex((one) => isJsonObject(one) && fileIdIn(one));
    if (part >= 0) return `messages[${index}].content[${part}].file_id`;
  }
  return undefined;
}

const OWN_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom']);

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

const fileIdIn = (part: JsonObject): boolean =>
  [part, ...Object.values(part)].some((one) => isJsonObject(one) && (one.file_id ?? null) !== null);

const MAX_HEADER_LENGTH = 1000;

/** For `x-acp-ignored`, whose text may not hold every character. */
export const ignoredHeader = (ignored: readonly string[]): Record<string, string> =>
  ignored.length === 0
    ? {}
    : { 'x-acp-ignored': ignored.map(encodeName).join(', ').slice(0, MAX_HEADER_LENGTH) };

const encodeName = (name: string): string => encodeURIComponent(name.toWellFormed());
