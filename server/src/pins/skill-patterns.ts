/** True for a skill among those that `protectedBy` of an operation names; a pattern that ends in `*` is a beginning. */
export const isOneOf = (skill: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? skill.startsWith(pattern.slice(0, -1)) : skill === pattern,
  );
