import type OpenAI from 'openai';
import { createComplete } from './completions.ts';
import type { LlmConfig } from './config.ts';
import { isObject, type JsonObject } from './json.ts';
import { minuteIn, type TimeZone, weekdayIn } from './local-time.ts';
import { errorName, type Log } from './log.ts';
import type { Tool } from './tools/tool.ts';

const maxToolRounds = 5;
/** More than anybody asks for in one message: a model that calls more has lost its way, and each call may log hours. */
const maxToolCalls = 20;
const defaultPrompt = 'You are a helpful assistant that answers in a chat. Use the tools where they help.';

/** What a tool said; `ends_turn` when the person has to act first, so that no model comes in between. */
export interface Reply {
  text: string;
  ends_turn: boolean;
}

export interface LlmTurn {
  system_prompt: string | undefined;
  text: string;
  received_at: string;
  /** The customer's. */
  zone: TimeZone;
  tools: readonly Tool[];
  run: (tool: Tool, args: JsonObject) => Promise<Reply>;
}

/** The model's answer, or undefined when it failed before it did anything. Never throws. */
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

/** Of the weekday a model makes a guess when it is told the date alone. */
function timeOf({ received_at, zone }: LlmTurn): string {
  const instant = Date.parse(received_at);
  return `It is ${weekdayIn(zone, instant)}, ${minuteIn(zone, instant)} ${zone.name}.`;
}

/** Has the model answer, and run tools meanwhile. */
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
        if (call.type !== 'function') throw new TypeError('The model called something else than a function');
        const reply = await runCall(noting, call.function.name, call.function.arguments);
        // What was done before is said too: no model says it any more, and the same hours would be logged again.
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
      // What tools did must not be done again by the plain commands: their own words are the answer.
      return done.length === 0 ? undefined : done.join('\n\n');
    }
  };
}
