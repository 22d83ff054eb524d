import OpenAI from 'openai';
import type { Usage } from './answer.ts';
import type { LlmConfig } from './config.ts';
import type { Reply } from './exchange.ts';
import { type ChatTurn, colleagueNote } from './history.ts';
import type { InboundMessage } from './inbound-message.ts';
import { isObject, type JsonObject, textOf } from './json.ts';
import { type Complete, createComplete } from './llm-endpoint.ts';
import { minuteIn, type TimeZone, weekdayIn } from './local-time.ts';
import { errorName, type Log } from './log.ts';
import type { Tool } from './tools/tool.ts';

const maxToolRounds = 5;
/** More than any message needs. A model that calls more tools is stuck, and each call may log hours. */
const maxToolCalls = 20;
const defaultPrompt = 'You are a helpful assistant that answers in a chat. Use the tools where they help.';

export interface LlmTurn {
  system_prompt: string | undefined;
  /** The customer's own. */
  instructions: readonly string[];
  /** The history and the question, which comes last. */
  chat: readonly ChatTurn[];
  /** Data URLs of the pictures that the question is about. */
  pictures: readonly string[];
  received_at: string;
  /** The customer's time zone. */
  zone: TimeZone;
  message: InboundMessage;
  tools: readonly Tool[];
  run: (tool: Tool, args: JsonObject) => Promise<Reply>;
}

export interface LlmAnswer {
  /** Undefined when the model failed before it ran any tool. */
  text: string | undefined;
  /** True for the model's words, false for tools' replies. */
  isMarkdown: boolean;
  handover?: string | undefined;
  usage?: Usage | undefined;
  /** Why the model failed. */
  failure?: LlmFailure | undefined;
}

/** Why a model gave no answer, in words for the people who run the agent. */
export interface LlmFailure {
  cause: string;
  /** True when a budget is spent. */
  isBudget: boolean;
}

/** Never throws. */
export type Llm = (turn: LlmTurn) => Promise<LlmAnswer>;

function parseArguments(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @param done gets the reply of a tool that was run */
async function runCall(
  turn: LlmTurn,
  { name, arguments: json }: { name: string; arguments: string },
  done: string[],
): Promise<Reply> {
  const tool = turn.tools.find((tool) => tool.name === name);
  const args = parseArguments(json);
  if (tool === undefined) return { text: `There is no tool ${name}.`, ends_turn: false };
  if (args === undefined) return { text: 'The arguments are not a JSON object.', ends_turn: false };
  const reply = await turn.run(tool, args);
  done.push(reply.text);
  return reply;
}

/** Includes the weekday, because a model guesses it from the date. */
function timeOf({ received_at, zone }: LlmTurn): string {
  const instant = Date.parse(received_at);
  return `It is ${weekdayIn(zone, instant)}, ${minuteIn(zone, instant)} ${zone.name}.`;
}

function systemOf(turn: LlmTurn): string {
  const hasColleague = turn.message.history.some(({ author }) => author === 'person');
  const rules = turn.instructions.map((text) => `- ${text}`);
  return [
    turn.system_prompt ?? defaultPrompt,
    ...(rules.length > 0 ? [['Rules that you always keep:', ...rules].join('\n')] : []),
    ...(hasColleague ? [colleagueNote] : []),
    timeOf(turn),
  ].join('\n\n');
}

const withPictures = (question: ChatTurn, pictures: readonly string[]): OpenAI.ChatCompletionMessageParam =>
  pictures.length === 0
    ? question
    : {
        role: 'user',
        content: [
          { type: 'text', text: question.content },
          ...pictures.map((url) => ({ type: 'image_url' as const, image_url: { url } })),
        ],
      };

/** The work on one answer so far. */
interface Progress {
  /** The replies of the tools that were run. */
  done: string[];
  usage: Usage | undefined;
}

function addUsage(progress: Progress, { model, usage }: OpenAI.ChatCompletion): void {
  if (!usage) return;
  const { usage: before } = progress;
  const cached = usage.prompt_tokens_details?.cached_tokens;
  progress.usage = {
    model: textOf(model) ?? '',
    input_tokens: (before?.input_tokens ?? 0) + countOf(usage.prompt_tokens),
    cached_input_tokens: (before?.cached_input_tokens ?? 0) + countOf(cached),
    output_tokens: (before?.output_tokens ?? 0) + countOf(usage.completion_tokens),
  };
}

/** A count as an endpoint says it, which may be anything. */
const countOf = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0);

function messagesOf(turn: LlmTurn): OpenAI.ChatCompletionMessageParam[] {
  return [
    { role: 'system', content: systemOf(turn) },
    ...turn.chat.slice(0, -1),
    ...turn.chat.slice(-1).map((question) => withPictures(question, turn.pictures)),
  ];
}

const toolsOf = ({ tools }: LlmTurn) =>
  tools.map(
    ({ name, description, parameters }): OpenAI.ChatCompletionTool => ({
      type: 'function',
      function: { name, description, parameters },
    }),
  );

/** Lets the model answer and call tools. */
export function createLlm(config: LlmConfig, log: Log, timeoutMs: number): Llm {
  const complete = createComplete(config, timeoutMs);

  return async (turn) => {
    const progress: Progress = { done: [], usage: undefined };
    try {
      const answer = await converse(complete, turn, progress);
      return { ...answer, usage: progress.usage };
    } catch (error) {
      const { done, usage } = progress;
      log.warn('llm_failed', { error: errorName(error), tools_run: done.length });
      // After a tool has run, the plain commands must not repeat it: its replies are the answer.
      const failure = failureOf(error, config.isGateway);
      return { text: done.length === 0 ? undefined : done.join('\n\n'), isMarkdown: false, usage, failure };
    }
  };
}

async function converse(complete: Complete, turn: LlmTurn, progress: Progress): Promise<LlmAnswer> {
  const messages = messagesOf(turn);
  const tools = toolsOf(turn);
  let callsLeft = maxToolCalls;
  for (let round = 0; ; round += 1) {
    const tool_choice = round < maxToolRounds ? 'auto' : 'none';
    const completion = await complete({ messages, tools, tool_choice }, turn.message);
    addUsage(progress, completion);
    const message = completion.choices[0]?.message;
    const calls = message?.tool_calls ?? [];
    if (message === undefined || calls.length === 0 || tool_choice === 'none') {
      if (!message?.content?.trim()) throw new TypeError('The model gave no answer');
      return { text: message.content, isMarkdown: true };
    }
    callsLeft -= calls.length;
    if (callsLeft < 0) throw new TypeError('The model called too many tools');
    messages.push(message);
    const last = await runCalls(calls, turn, progress, messages);
    if (last) return last;
  }
}

/** Runs the tools that a model calls and adds their replies to `messages`. @returns the answer where a reply ends it */
async function runCalls(
  calls: readonly OpenAI.ChatCompletionMessageToolCall[],
  turn: LlmTurn,
  { done }: Progress,
  messages: OpenAI.ChatCompletionMessageParam[],
): Promise<LlmAnswer | undefined> {
  for (const call of calls) {
    if (call.type !== 'function') throw new TypeError('The model called something that is not a function');
    const { text, ends_turn, handover } = await runCall(turn, call.function, done);
    // The replies of earlier tools are included: the model will not report them, and a repeat would log hours twice.
    if (ends_turn) return { text: done.join('\n\n'), isMarkdown: false, handover };
    messages.push({ role: 'tool', tool_call_id: call.id, content: text });
  }
  return undefined;
}

/** The gateway's words hold no key; those of other endpoints may. */
function failureOf(error: unknown, isGateway: boolean): LlmFailure {
  if (error instanceof OpenAI.APIError && typeof error.status === 'number') {
    const cause = isGateway ? gatewaysCause(error) : `The model answered with ${error.status}`;
    return { cause, isBudget: error.code === 'insufficient_quota' };
  }
  const isLate = error instanceof OpenAI.APIConnectionTimeoutError || errorName(error) === 'TimeoutError';
  const isOther = error instanceof OpenAI.APIConnectionError || !(error instanceof TypeError);
  const cause = isOther ? 'The model could not be reached' : 'The model gave no answer that can be used';
  return { cause: isLate ? 'The model did not answer in time' : cause, isBudget: false };
}

/** The client's own words begin with the gateway's status, which is another than the provider's for a refused key. */
function gatewaysCause({ message, error }: InstanceType<typeof OpenAI.APIError>): string {
  const { message: words, status } = isObject(error) ? error : {};
  if (typeof words !== 'string' || words === '') return message;
  return typeof status === 'number' ? `The model’s provider answered ${status}: ${words}` : words;
}
