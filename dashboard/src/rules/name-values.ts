/** Lines of "name = value"; undefined where one has no name or no value. */
export function readPairs(text: string): Record<string, string> | undefined {
  const pairs = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.indexOf('=');
      return at < 0 ? ['', ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    });
  return pairs.every(([name, value]) => name && value) ? Object.fromEntries(pairs) : undefined;
}

export const pairsText = (pairs: Readonly<Record<string, string>> | null): string =>
  Object.entries(pairs ?? {})
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n');
