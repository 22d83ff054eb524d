import type { Agent } from './agent.ts';
import type { ToolCall } from './answer.ts';
import { ControlPlaneError } from './control-plane.ts';
import { type TimeZone, utc } from './local-time.ts';
import { tools } from './tools/index.ts';
import type { Situation, Tool } from './tools/tool.ts';

/** One message and the agent it was written to; no agent while its configuration cannot be had. */
export interface Exchange extends Situation {
  agent: Agent | ControlPlaneError;
  /** The tools that were run so far. */
  tool_calls: ToolCall[];
}

/** A tool's reply. With `ends_turn`, the person has to act first, so a model does not continue. */
export interface Reply {
  text: string;
  ends_turn: boolean;
  /** A person takes over after the answer, for this reason. */
  handover?: string | undefined;
}

export const offeredIn = ({ agent }: Pick<Exchange, 'agent'>): Tool[] =>
  tools.filter((tool) =>
    agent instanceof ControlPlaneError ? tool.skill === undefined : agent.offers(tool),
  );

export const zoneOf = (agent: Exchange['agent']): TimeZone =>
  agent instanceof ControlPlaneError ? utc : agent.zone;
