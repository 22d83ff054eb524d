/** Several items of one field: a line or a comma stands between them. */
export const itemsOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
