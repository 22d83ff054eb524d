import { jsonPointer } from '../../platform/json/json-pointer.ts';
import type { AgentConfiguration } from '../recipe-fields.contract.ts';
import { fieldParts, type Surroundings } from './field-effects.ts';
import type { Effect, Part } from './parts.ts';
import { unsupported, type Violation } from './violations.ts';

/**
 * JSON pointer → who acts on the value. It covers everything below without a pointer of its own; redundant pointers are
 * omitted (contract, section 12).
 */
export type Effects = Record<string, Effect>;

interface Acting {
  effects: Effects;
  /** `unsupported` for each `nobody`, `invalid_value` for each value out of range. */
  violations: Violation[];
}

/**
 * The most that a recipe and overrides within the limits can have. Recipes from before the limits could have a million.
 */
const MAX_VIOLATIONS = 20_000;

/** Linear in the size of the configuration. */
export function effectsOf(config: Readonly<AgentConfiguration>, surroundings: Surroundings): Acting {
  const effects: Effects = {};
  const violations: Violation[] = [];
  const report = (violation: Violation) => {
    if (violations.length < MAX_VIOLATIONS) violations.push(violation);
  };
  const write = (pointer: string, part: Part, covering: Effect | undefined): void => {
    if (part.effect !== covering) {
      effects[pointer] = part.effect;
      if (part.effect === 'nobody') report(unsupported(pointer, part.reason));
    }
    for (const [token, below] of part.parts ?? []) write(pointer + jsonPointer(token), below, part.effect);
  };
  for (const [name, part] of fieldParts(config, surroundings, report)) {
    write(jsonPointer(name), part, undefined);
  }
  return { effects, violations };
}
