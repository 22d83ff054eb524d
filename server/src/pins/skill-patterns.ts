/** A pattern that ends in `*` matches a prefix. */
export const matchesAny = (skill: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? skill.startsWith(pattern.slice(0, -1)) : skill === pattern,
  );
