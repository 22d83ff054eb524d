/** A template's body with the texts in its places; a place without a text stays as it is. */
export const filled = (text: string, parameters: readonly string[]): string =>
  text.replace(/\{\{\s*(\d+)\s*\}\}/g, (place, n: string) => parameters[Number(n) - 1] || place);
