import { type ControlPlane, ControlPlaneError } from '../control-plane.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { TimeZone } from '../local-time.ts';
import type { InboundMessage } from '../message.ts';

export interface ToolContext {
  controlPlane: ControlPlane;
  message: InboundMessage;
  /** The customer's time zone. */
  zone: TimeZone;
  /** The tools that this agent offers to this customer. */
  offered: readonly Tool[];
}

/** A capability of the agent: a command for people and a function for models. */
export interface Tool {
  name: string;
  description: string;
  /** Words for the question for a PIN: "To <action>, please send your PIN." */
  action: string;
  /** The command that a person types. */
  usage: string;
  /** JSON Schema of `args`. */
  parameters: JsonObject;
  /** The slug in the configuration's `skills` that enables it and may need a PIN; undefined: always enabled. */
  skill?: string;
  /**
   * True when `args` hold a new PIN. A person who has a PIN must confirm the change with it, whatever the policy protects.
   */
  replacesPin?: (args: JsonObject) => boolean;
  /** Answers known senders alone, unless its skill is public. */
  forKnownSenders?: true;
  /** Its text proves an identity: handled before any model and never offered to one. */
  private?: true;
  /** @returns the answer. `args` may come from a model and are untrusted */
  run: (context: ToolContext, args: JsonObject) => Promise<string>;
}

export const noParameters: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/** Reads a list of objects. Throws ControlPlaneError for anything else. */
export function rowsOf(value: unknown): JsonObject[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new ControlPlaneError(0);
}
