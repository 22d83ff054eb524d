import type OpenAI from 'openai';
import type { Usage } from './answer.ts';
import type { Choices } from './choices.ts';
import { type Cut, continued, readTurn, type ToolRequest, type Turn } from './completion.ts';
import type { LlmConfig } from './config.ts';
import { CutOff } from './cut-off.ts';
import type { Reply } from './exchange.ts';
import { type ChatMessage, colleagueNote } from './history.ts';
import type { InboundMessage } from './inbound-message.ts';
import { isObject, type JsonObject, textOf } from './json.ts';
import { languageOf } from './language.ts';
import { type Complete, createComplete } from './llm-endpoint.ts';
import { failureOf, isGatewayGone, type LlmFailure, outcomeOf } from './llm-failures.ts';
import { minuteIn, type TimeZone, weekdayIn } from './local-time.ts';
import type { Log } from './log.ts';
import type { SentenceKey } from './sentences/en.ts';
import type { Tool } from './tools/tool.ts';

const maxToolRounds = 5;
/** More than any message needs: a model that calls more is stuck, and each call may log hours. */
const maxToolCalls = 20;
/** An answer that is cut more often becomes too long for a chat. */
const maxContinuations = 2;
const goOn = 'Your answer was cut. Go on exactly where it stopped, and repeat nothing.';
const cutNotes: Readonly<Record<Cut, SentenceKey>> = { length: 'model_cut', content_filter: 'model_stopped' };
const cutCall = 'This call was cut, because it was too long, and has not run. Make it shorter.';
const defaultPrompt = 'You are a helpful assistant that answers in a chat. Use the tools where they help.';

interface LlmRequest {
  system_prompt: string | undefined;
  /** The customer's. */
  instructions: readonly string[];
  /** The history and the question, which comes last. */
  chat: readonly ChatMessage[];
  /** Data URLs. */
  pictures: readonly string[];
  sent_at: string;
  /** The customer's time zone. */
  zone: TimeZone;
  message: InboundMessage;
  tools: readonly Tool[];
  run: (tool: Tool, args: JsonObject) => Promise<Reply>;
}

export interface LlmAnswer {
  /** undefined: the model failed before it ran any tool. */
  text: string | undefined;
  /** False for replies of tools. */
  isMarkdown: boolean;
  choices?: Choices | undefined;
  handover?: string | undefined;
  usage?: Usage | undefined;
  failure?: LlmFailure | undefined;
}

/** Never throws. */
export type Llm = (request: LlmRequest) => Promise<LlmAnswer>;

function parseArguments(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function runCall(
  request: LlmRequest,
  { name, arguments: json }: ToolRequest,
  progress: Progress,
): Promise<Reply> {
  const tool = request.tools.find((tool) => tool.name === name);
  const args = parseArguments(json);
  if (tool === undefined) return { text: `There is no tool ${name}.`, ends_exchange: false };
  if (args === undefined) return { text: 'The arguments are not a JSON object.', ends_exchange: false };
  if (tool.purpose === undefined) progress.isRepeatable = false;
  const reply = await request.run(tool, args);
  if (reply.text !== '') progress.done.push(reply.text);
  return reply;
}

/** With the weekday, which a model would guess from the date. */
function timeOf({ sent_at, zone }: LlmRequest): string {
  const instant = Date.parse(sent_at);
  return `It is ${weekdayIn(zone, instant)}, ${minuteIn(zone, instant)} ${zone.name}.`;
}

function systemOf(request: LlmRequest): string {
  const hasColleague = request.message.history.some(({ author }) => author === 'person');
  const rules = request.instructions.map((text) => `- ${text}`);
  return [
    request.system_prompt ?? defaultPrompt,
    ...(rules.length > 0 ? [['Rules that you always keep:', ...rules].join('\n')] : []),
    ...(hasColleague ? [colleagueNote] : []),
    timeOf(request),
  ].join('\n\n');
}

const withPictures = (
  question: ChatMessage,
  pictures: readonly string[],
): OpenAI.ChatCompletionMessageParam =>
  pictures.length === 0
    ? question
    : {
        role: 'user',
        content: [
          { type: 'text', text: question.content },
          ...pictures.map((url) => ({ type: 'image_url' as const, image_url: { url } })),
        ],
      };

interface Progress {
  /** Replies of tools, for the sender. */
  done: string[];
  /** Only tools of the gateway have run, which calls them once for a message. */
  isRepeatable: boolean;
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

/** Endpoints may return anything. */
const countOf = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0);

function messagesOf(request: LlmRequest): OpenAI.ChatCompletionMessageParam[] {
  return [
    { role: 'system', content: systemOf(request) },
    ...request.chat.slice(0, -1),
    ...request.chat.slice(-1).map((question) => withPictures(question, request.pictures)),
  ];
}

const toolsOf = ({ tools }: LlmRequest) =>
  tools.map(
    ({ name, description, parameters }): OpenAI.ChatCompletionTool => ({
      type: 'function',
      function: { name, description, parameters },
    }),
  );

/** Lets the model answer and call tools. */
export function createLlm(config: LlmConfig, log: Log, timeoutMs: number, send?: typeof fetch): Llm {
  const complete = createComplete(config, timeoutMs, send);

  return async (request) => {
    const progress: Progress = { done: [], isRepeatable: true, usage: undefined };
    try {
      const answer = await converse(complete, request, progress);
      return { ...answer, usage: progress.usage };
    } catch (error) {
      const { done, usage, isRepeatable } = progress;
      if (isRepeatable && isGatewayGone(error, config.isGateway)) throw new CutOff();
      log.warn('llm_failed', { ...outcomeOf(error), tools_run: done.length });
      // A plain command must not repeat a tool that has run: the tools' replies are the answer.
      const failure = failureOf(error, config.isGateway);
      return { text: done.length === 0 ? undefined : done.join('\n\n'), isMarkdown: false, usage, failure };
    }
  };
}

async function converse(complete: Complete, request: LlmRequest, progress: Progress): Promise<LlmAnswer> {
  const messages = messagesOf(request);
  const tools = toolsOf(request);
  let callsLeft = maxToolCalls;
  for (let round = 0; ; round += 1) {
    const tool_choice = round < maxToolRounds ? 'auto' : 'none';
    const completion = await complete({ messages, tools, tool_choice }, request.message);
    addUsage(progress, completion);
    const turn = readTurn(completion);
    if (turn.calls.length === 0 || tool_choice === 'none') {
      return turn.cut === undefined
        ? spoken(turn.text)
        : await finish(complete, request, progress, messages, turn);
    }
    callsLeft -= turn.calls.length;
    if (callsLeft < 0) throw new TypeError('The model called too many tools');
    messages.push(turn.message);
    const last = await runCalls(turn, request, progress, messages);
    if (last) return last;
  }
}

function spoken(text: string): LlmAnswer {
  if (text.trim() === '') throw new TypeError('The model gave no answer');
  return { text, isMarkdown: true };
}

/** Asks a model whose answer was cut to go on. Says that it was cut where that does not help. */
async function finish(
  complete: Complete,
  request: LlmRequest,
  progress: Progress,
  messages: OpenAI.ChatCompletionMessageParam[],
  first: Turn,
): Promise<LlmAnswer> {
  let { text, cut } = first;
  let last = first;
  for (let left = maxContinuations; cut === 'length' && last.text.trim() !== '' && left > 0; left -= 1) {
    messages.push(last.message, { role: 'user', content: goOn });
    const next = await complete(
      { messages, tools: toolsOf(request), tool_choice: 'none' },
      request.message,
    ).catch(() => undefined);
    if (next === undefined) break;
    addUsage(progress, next);
    last = readTurn(next);
    if (last.text.trim() === '') break;
    text = continued(text, last.text);
    cut = last.cut;
  }
  const failure = { cause: causeOfCut(first.cut, cut), isBudget: false };
  if (text.trim() === '') return { text: undefined, isMarkdown: false, failure };
  const note = cut && languageOf(request.message).say(cutNotes[cut]);
  return { text: note === undefined ? text : `${text}\n\n${note}`, isMarkdown: true, failure };
}

/** @param left undefined: the model went on to the end */
function causeOfCut(first: Cut | undefined, left: Cut | undefined): string {
  if ((left ?? first) === 'content_filter')
    return 'The model’s answer was stopped by its content filter (finish_reason content_filter)';
  const cause = 'The model’s answer was cut at its limit of length (finish_reason length)';
  return left === undefined ? `${cause} and completed by asking again` : cause;
}

/** Adds the replies to `messages`. @returns the answer if a reply ends the exchange */
async function runCalls(
  { calls, cut }: Turn,
  request: LlmRequest,
  progress: Progress,
  messages: OpenAI.ChatCompletionMessageParam[],
): Promise<LlmAnswer | undefined> {
  const { done } = progress;
  for (const call of calls) {
    // A tool must not run with half of its arguments.
    const isCut = cut === 'length' && call === calls.at(-1);
    const reply = isCut ? { text: cutCall, ends_exchange: false } : await runCall(request, call, progress);
    const { text, for_model = text, ends_exchange, choices, handover }: Reply = reply;
    // With the replies of earlier tools: the model will not report them, and a sender who repeats would log hours twice.
    if (ends_exchange) return { text: done.join('\n\n'), isMarkdown: false, choices, handover };
    messages.push({ role: 'tool', tool_call_id: call.id, content: for_model });
  }
  return undefined;
}
