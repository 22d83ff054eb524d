/** Shorter values are words such as `on`, which would be redacted everywhere. */
const MIN_LENGTH = 4;

/** Replaces every value of the environment, and every string in JSON values, by `[redacted]`. */
export function redact(line: string, environment: Readonly<Record<string, string>>): string {
  const values = Object.values(environment)
    .flatMap((value) => [value, ...stringsIn(parse(value))])
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())])
    .filter((value) => value.length >= MIN_LENGTH);
  // Longest first, because one value may be part of another.
  return values
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(value, '[redacted]'), line);
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
