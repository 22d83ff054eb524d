import type { ModelCall } from '@agent-control-plane/sdk';
import { type ToolCall, toolCallOf } from './tool-call.ts';
import type { Turn } from './transcript.ts';

/** A call within a turn, in milliseconds from the turn’s begin. */
export type Step = { key: string; begins: number; ends: number } & (
  | { is: 'model'; call: ModelCall }
  | { is: 'tool'; call: ToolCall }
);

export interface Trace {
  /** From the first message that is answered until the answer was written. */
  ms: number;
  steps: readonly Step[];
  /** Until the first step began: where the message waited for the agent, or for more messages. */
  waited: number;
}

/** @param tool_calls of the answer; those without a time stand in no place of it */
export function traceOf(
  turn: Turn,
  model_calls: readonly ModelCall[],
  tool_calls: readonly unknown[],
): Trace {
  const begin = Date.parse(turn.from);
  const ms = Math.max(1, Date.parse(turn.to) - begin);
  const place = (at: string, latency_ms: number | null | undefined) => {
    const begins = Math.min(ms, Math.max(0, Date.parse(at) - begin));
    return { begins, ends: Math.min(ms, begins + (latency_ms ?? 0)) };
  };
  const models = model_calls.map(
    (call): Step => ({ is: 'model', key: call.id, call, ...place(call.at, call.latency_ms) }),
  );
  const tools = tool_calls.flatMap((element, nth): Step[] => {
    const call = toolCallOf(element);
    if (call.at === undefined) return [];
    return [{ is: 'tool', key: `tool ${nth}`, call, ...place(call.at, call.latency_ms) }];
  });
  const steps = [...models, ...tools].toSorted((a, b) => a.begins - b.begins || a.ends - b.ends);
  return { ms, steps, waited: steps[0]?.begins ?? ms };
}

export interface Spent {
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  /** US dollars; null where nothing has a price. */
  cost: number | null;
  unpriced: number;
}

export function spentOf(calls: readonly ModelCall[]): Spent {
  const sum = (of: (call: ModelCall) => number) => calls.reduce((total, call) => total + of(call), 0);
  const priced = calls.filter(({ cost }) => cost !== null);
  return {
    input_tokens: sum(({ input_tokens }) => input_tokens),
    cached_input_tokens: sum(({ cached_input_tokens }) => cached_input_tokens),
    output_tokens: sum(({ output_tokens }) => output_tokens),
    cost: priced.length === 0 ? null : sum(({ cost }) => Number(cost ?? 0)),
    unpriced: calls.length - priced.length,
  };
}
