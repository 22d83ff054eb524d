import type { TSchema } from 'typebox';

/** `runtime`: a runtime acts on it from its configuration. */
export type Actor = 'control_plane' | 'runtime';

/** A key that something acts on (contract 12). All other keys are `nobody`. */
export interface ActingKey {
  by: Actor;
  /** Values of another shape are the violation `invalid_value` and count as absent. */
  shape: TSchema;
  /** In the violation: "a number from 0 to 30". */
  expected: string;
  /** For rules that a shape cannot express, such as a cron expression. Called only with values of the shape. */
  isValid?: (value: unknown) => boolean;
  /** Members of an object value that act; undefined: all. */
  members?: readonly string[];
}

/** By key of an object field, or of a list's elements. */
export type ActingKeys = Readonly<Record<string, ActingKey>>;
