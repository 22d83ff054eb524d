import OpenAI from 'openai';
import type { LlmConfig } from './config.ts';
import { isObject, type JsonObject } from './json.ts';
import { minuteIn, type TimeZone, weekdayIn } from './local-time.ts';
import { errorName, type Log } from './log.ts';
import type { Tool } from './tools/tool.ts';

/** Many times the size of any chat answer. */
const maxAnswerBytes = 1024 * 1024;
const maxToolRounds = 5;
/** More than any message needs. A model that calls more tools is stuck, and each call may log hours. */
const maxToolCalls = 20;
const defaultPrompt = 'You are a helpful assistant that answers in a chat. Use the tools where they help.';

/** A tool's reply. With `ends_turn`, the person has to act first, so the model does not continue. */
export interface Reply {
  text: string;
  ends_turn: boolean;
}

export interface LlmTurn {
  system_prompt: string | undefined;
  text: string;
  received_at: string;
  /** The customer's time zone. */
  zone: TimeZone;
  tools: readonly Tool[];
  run: (tool: Tool, args: JsonObject) => Promise<Reply>;
}

/** @returns the model's answer; undefined when it failed before running any tool. Never throws */
export type Llm = (turn: LlmTurn) => Promise<string | undefined>;

function parseArguments(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function runCall(turn: LlmTurn, name: string, json: string): Promise<Reply> {
  const tool = turn.tools.find((tool) => tool.name === name);
  const args = parseArguments(json);
  if (tool === undefined) return { text: `There is no tool ${name}.`, ends_turn: false };
  if (args === undefined) return { text: 'The arguments are not a JSON object.', ends_turn: false };
  return await turn.run(tool, args);
}

/** Includes the weekday, because a model guesses it from the date. */
function timeOf({ received_at, zone }: LlmTurn): string {
  const instant = Date.parse(received_at);
  return `It is ${weekdayIn(zone, instant)}, ${minuteIn(zone, instant)} ${zone.name}.`;
}

/** Lets the model answer and call tools. */
export function createLlm(config: LlmConfig, log: Log, timeoutMs: number): Llm {
  const complete = createComplete(config, timeoutMs);

  async function converse(turn: LlmTurn, done: string[]): Promise<string> {
    const run: LlmTurn['run'] = async (tool, args) => {
      const reply = await turn.run(tool, args);
      done.push(reply.text);
      return reply;
    };
    const noting = { ...turn, run };
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: `${turn.system_prompt ?? defaultPrompt}\n\n${timeOf(turn)}` },
      { role: 'user', content: turn.text },
    ];
    const tools = turn.tools.map(
      ({ name, description, parameters }): OpenAI.ChatCompletionTool => ({
        type: 'function',
        function: { name, description, parameters },
      }),
    );
    let callsLeft = maxToolCalls;
    for (let round = 0; ; round += 1) {
      const tool_choice = round < maxToolRounds ? 'auto' : 'none';
      const completion = await complete({ messages, tools, tool_choice });
      const message = completion.choices[0]?.message;
      const calls = message?.tool_calls ?? [];
      if (message === undefined || calls.length === 0 || tool_choice === 'none') {
        if (!message?.content?.trim()) throw new TypeError('The model gave no answer');
        return message.content;
      }
      callsLeft -= calls.length;
      if (callsLeft < 0) throw new TypeError('The model called too many tools');
      messages.push(message);
      for (const call of calls) {
        if (call.type !== 'function')
          throw new TypeError('The model called something that is not a function');
        const reply = await runCall(noting, call.function.name, call.function.arguments);
        // The replies of earlier tools are included: the model will not report them, and a repeat would log hours twice.
        if (reply.ends_turn) return done.join('\n\n');
        messages.push({ role: 'tool', tool_call_id: call.id, content: reply.text });
      }
    }
  }

  return async (turn) => {
    const done: string[] = [];
    try {
      return await converse(turn, done);
    } catch (error) {
      log.warn('llm_failed', { error: errorName(error), tools_run: done.length });
      // After a tool has run, the plain commands must not repeat it: its replies are the answer.
      return done.length === 0 ? undefined : done.join('\n\n');
    }
  };
}

/** Rejects unless the whole response arrives in time. */
type Complete = (
  question: Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model'>,
) => Promise<OpenAI.ChatCompletion>;

/** Chat completions at any OpenAI-compatible endpoint. `timeoutMs` covers a second attempt too. */
function createComplete({ baseUrl, apiKey, model }: LlmConfig, timeoutMs: number): Complete {
  const client = new OpenAI({
    baseURL: baseUrl,
    // The client requires a key; local endpoints need none.
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    timeout: timeoutMs,
    maxRetries: 1,
    logLevel: 'off',
    fetch: async (...request) => bounded(await fetch(...request), timeoutMs),
  });

  return (question) => {
    // The client's timeout ends with the headers, and Node's fetch may ignore the signal once a body has begun.
    const signal = AbortSignal.timeout(timeoutMs);
    return Promise.race([
      client.chat.completions.create({ ...question, model }, { signal }),
      rejectionBy(signal),
    ]);
  };
}

/** Aborts a response that is too large, and prevents a second attempt after a Retry-After beyond the timeout. */
function bounded(response: Response, timeoutMs: number): Response {
  const headers = new Headers(response.headers);
  if (Number(headers.get('retry-after')) * 1000 > timeoutMs) headers.set('x-should-retry', 'false');
  let left = maxAnswerBytes;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error('The response is too large'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText } = response;
  return new Response(response.body?.pipeThrough(bound), { status, statusText, headers });
}

const rejectionBy = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
