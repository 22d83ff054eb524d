import { type ControlPlane, ControlPlaneError } from '../control-plane.ts';
import type { InboundMessage } from '../inbound-message.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { TimeZone } from '../local-time.ts';

/** A message, and the control plane as its sender may use it. */
export interface Situation {
  message: InboundMessage;
  controlPlane: ControlPlane;
  /** The customer's time zone. */
  zone: TimeZone;
}

export interface ToolContext extends Situation {
  /** The tools that this agent offers to this customer. */
  offered: readonly Tool[];
  /** The person has said yes to this tool's question about the same arguments. */
  isConfirmed: boolean;
}

/** An answer, a question that a yes confirms, or an answer after which a person takes over, with the reason. */
export type Result = string | { question: string } | { text: string; handover: string };

/** A capability of the agent: a command for people and a function for models. */
export interface Tool {
  name: string;
  description: string;
  /** Words for the question for a PIN: "To <action>, please send your PIN." `args` are prepared. */
  action: (args: JsonObject, situation: Situation) => string;
  /** The command that a person types. */
  usage: string;
  /** JSON Schema of `args`. */
  parameters: JsonObject;
  /** The slug in the configuration's `skills` that enables it and may need a PIN; undefined: always enabled. */
  skill?: string;
  /** Set for a tool of the gateway: its PIN session counts for this alone, and the control plane asks for it. */
  purpose?: string;
  /**
   * Settles what depends on the time of the message, so that a command that waits for a PIN or a yes means the same
   * later.
   */
  prepare?: (args: JsonObject, situation: Situation) => JsonObject;
  /**
   * True when `args` hold a new PIN. A person who has a PIN must confirm the change with it, whatever the policy protects.
   */
  replacesPin?: (args: JsonObject) => boolean;
  /** Answers known senders alone, unless its skill is public. */
  forKnownSenders?: true;
  /** For the sender's own words alone: handled before any model and never offered to one. */
  private?: true;
  /** `args` may come from a model and are untrusted. */
  run: (context: ToolContext, args: JsonObject) => Promise<Result>;
}

export const noParameters: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/** Reads a list of objects. Throws ControlPlaneError for anything else. */
export function rowsOf(value: unknown): JsonObject[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new ControlPlaneError(0);
}
