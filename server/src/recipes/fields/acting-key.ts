import type { TSchema } from 'typebox';

/** `control_plane`: the service does it. `runtime`: a runtime does it with its configuration. */
export type Actor = 'control_plane' | 'runtime';

/** A key of a configuration field that something acts on (contract 12). Every other key is `nobody`. */
export interface ActingKey {
  by: Actor;
  /** A value of another shape is the violation `invalid_value`, and counts as absent. */
  shape: TSchema;
  /** In words, for the violation: "a number from 0 to 30". */
  expected: string;
  /** Checks what a shape cannot express, such as a cron expression. Called with values of that shape alone. */
  isValid?: (value: unknown) => boolean;
  /** The members that act of a value that is an object; all, where nothing is said. */
  members?: readonly string[];
}

/** By key: of an object field, or of each element of a list. */
export type ActingKeys = Readonly<Record<string, ActingKey>>;
