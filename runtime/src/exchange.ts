import type { Agent } from './agent.ts';
import type { ToolCall } from './answer.ts';
import type { Choices } from './choices.ts';
import { ControlPlaneError } from './control-plane.ts';
import { type TimeZone, utc } from './local-time.ts';
import { tools } from './tools/index.ts';
import type { Situation, Tool } from './tools/tool.ts';

/** One message and its answer. */
export interface Exchange extends Situation {
  /** An error while the configuration is not available. */
  agent: Agent | ControlPlaneError;
  /** So far. */
  tool_calls: ToolCall[];
}

export interface Reply {
  /** For the sender. */
  text: string;
  /** For a model instead: it may hold instructions. */
  for_model?: string | undefined;
  /** The sender has to act first, so a model must not continue. */
  ends_exchange: boolean;
  choices?: Choices | undefined;
  /** The reason why a person takes over after the answer. */
  handover?: string | undefined;
}

export const offeredIn = ({ agent }: Pick<Exchange, 'agent'>): Tool[] =>
  tools.filter((tool) =>
    agent instanceof ControlPlaneError ? tool.skill === undefined : agent.offers(tool),
  );

export const zoneOf = (agent: Exchange['agent']): TimeZone =>
  agent instanceof ControlPlaneError ? utc : agent.zone;
