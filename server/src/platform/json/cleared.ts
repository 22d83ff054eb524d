/** What a change sets: `null` clears, which leaves what the setting is at first; absence changes nothing (contract, section 1). */
export const cleared = <T>(value: T | null | undefined, first: T): T | undefined =>
  value === null ? first : value;
