import { type ControlPlane, ControlPlaneError } from '../control-plane.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { TimeZone } from '../local-time.ts';
import type { InboundMessage } from '../message.ts';

export interface ToolContext {
  controlPlane: ControlPlane;
  message: InboundMessage;
  /** The customer's. */
  zone: TimeZone;
  /** The tools that this agent offers to this customer. */
  offered: readonly Tool[];
}

/** One thing the agent can do, for a person who types a command and for a model that calls a function. */
export interface Tool {
  name: string;
  description: string;
  /** How a person asks for it. */
  usage: string;
  /** JSON Schema of `args`. */
  parameters: JsonObject;
  /** The slug in the configuration's `skills` that switches it on, and that may need a PIN; undefined is always on. */
  skill?: string;
  /**
   * Whether `args` name a new PIN. Who has one confirms it with that, whatever the policy protects: else nobody would have
   * to know it.
   */
  replacesPin?: (args: JsonObject) => boolean;
  /** Its words prove who somebody is: read before any model, and never offered to one. */
  private?: true;
  /** The answer, as text. `args` may come from a model, so nothing about them is certain. */
  run: (context: ToolContext, args: JsonObject) => Promise<string>;
}

export const noParameters: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/** The rows of an answer; anything but a list of objects counts as an unusable answer. */
export function rowsOf(value: unknown): JsonObject[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new ControlPlaneError(0);
}
