import type { Registry } from 'prom-client';
import { Outcomes } from '../platform/outcomes.ts';

const OUTCOMES = [
  'ok',
  'tool_error',
  'failed',
  'unknown',
  'pin_required',
  'waiting_for_approval',
  'too_many_waiting',
  'no_room',
  'too_large',
  'unknown_tool',
] as const;
export type ToolOutcome = (typeof OUTCOMES)[number];

export class ToolMetrics {
  readonly calls;

  constructor(registry: Registry) {
    this.calls = new Outcomes(registry, {
      name: 'acp_gateway_tool_calls_total',
      help: 'Calls of tools by agents, by what became of them',
      outcomes: OUTCOMES,
    });
  }
}
