import type { Choices } from '../choices.ts';
import { type ControlPlane, ControlPlaneError } from '../control-plane.ts';
import type { InboundMessage } from '../inbound-message.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { TimeZone } from '../local-time.ts';

export interface Situation {
  message: InboundMessage;
  /** On behalf of the message's sender. */
  controlPlane: ControlPlane;
  /** The customer's time zone. */
  zone: TimeZone;
}

export interface ToolContext extends Situation {
  /** By the customer's configuration. */
  offered: readonly Tool[];
  /** Strangers may use it. */
  isPublic: (tool: Tool) => boolean;
  /** The sender said yes to this tool's question about the same arguments. */
  isConfirmed: boolean;
}

/** `text`: for the sender, where no model puts the outcome into words. */
export interface ToldApart {
  text: string;
  for_model: string;
}

/**
 * An answer, with or without choices, a yes-or-no question, or an answer after which a person takes over, with the reason.
 */
export type Result =
  | string
  | ToldApart
  | { question: string }
  | { text: string; choices: Choices; ends_exchange: boolean }
  | { text: string; handover: string };

/** A command for people and a function for models. */
export interface Tool {
  name: string;
  description: string;
  /** "To <action>, please send your PIN.", in the sender's language. `args` are prepared. */
  action: (args: JsonObject, situation: Situation) => string;
  /** JSON Schema of `args`. */
  parameters: JsonObject;
  /** The slug in the configuration's `skills`; undefined: always enabled, without a PIN. */
  skill?: string;
  /** For a tool of the gateway: the scope of its PIN session. The control plane decides if it needs one. */
  purpose?: string;
  /** Resolves relative times, so that a command that waits for a PIN or a yes keeps its meaning. */
  prepare?: (args: JsonObject, situation: Situation) => JsonObject;
  /** `args` hold a new PIN. A sender who has a PIN must confirm the change with it, under any policy. */
  replacesPin?: (args: JsonObject) => boolean;
  /** Unless its skill is public. */
  forKnownSenders?: true;
  /** For workers alone: where the control plane knows whether the sender is one. */
  workerPath?: string;
  /** Only a sender's own text calls it: before any model, and never by one. */
  private?: true;
  /** `args` may come from a model and are untrusted. */
  run: (context: ToolContext, args: JsonObject) => Promise<Result>;
}

export const noParameters: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/** Throws ControlPlaneError for anything but a list of objects. */
export function rowsOf(value: unknown): JsonObject[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new ControlPlaneError(0);
}
