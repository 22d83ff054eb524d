/** `null` resets a setting to its default; undefined leaves it unchanged (contract, section 1). */
export const orDefault = <T>(value: T | null | undefined, first: T): T | undefined =>
  value === null ? first : value;
