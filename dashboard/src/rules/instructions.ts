import type { JsonObject } from './recipe-patch.ts';

/** The sentences of rules; undefined where `instructions` is no list of texts, so that no model is told it. */
export function instructionsOf({ instructions = [] }: JsonObject): readonly string[] | undefined {
  const isTexts = Array.isArray(instructions) && instructions.every((each) => typeof each === 'string');
  return isTexts ? instructions : undefined;
}

/** With these sentences, and everything else as it is. */
export function withInstructions(rules: JsonObject, said: readonly string[]): JsonObject {
  const { instructions: _, ...others } = rules;
  return said.length > 0 ? { ...others, instructions: said } : others;
}
