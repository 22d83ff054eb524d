import { JsonText } from '../json/json-text.ts';
import { inTurns, type Steps } from '../load/in-turns.ts';

/** What is written at once, as nearly every answer is: so many values and characters take well under a millisecond. */
const AT_ONCE = 16_000;
const PIECE_LENGTH = 64 * 1024;

/**
 * The JSON of an answer. One that is many times as large as a request is written in turns: JSON.stringify would keep
 * everybody waiting for as long as it takes.
 */
export async function largeJson<T>(body: T): Promise<JsonText<T>> {
  const pieces: Buffer[] = [];
  let text = '';
  const write = (part: string) => {
    text += part;
    if (text.length < PIECE_LENGTH) return;
    pieces.push(Buffer.from(text));
    text = '';
  };
  await inTurns(parts(body, write));
  if (pieces.length === 0) return new JsonText<T>(text);
  pieces.push(Buffer.from(text));
  return JsonText.ofPieces<T>(pieces);
}

function* parts(value: unknown, write: (part: string) => void): Steps<void> {
  yield;
  if (!isContainer(value) || lightness(value, AT_ONCE) > 0) write(JSON.stringify(value));
  else if (Array.isArray(value)) yield* partsOfList(value, write);
  else yield* partsOfObject(value as Record<string, unknown>, write);
}

function* partsOfList(list: readonly unknown[], write: (part: string) => void): Steps<void> {
  for (const [index, item] of list.entries()) {
    write(index === 0 ? '[' : ',');
    yield* parts(item ?? null, write);
  }
  write(']');
}

function* partsOfObject(object: Record<string, unknown>, write: (part: string) => void): Steps<void> {
  let isFirst = true;
  for (const key of Object.keys(object)) {
    const member = object[key];
    if (member === undefined) continue;
    write(`${isFirst ? '{' : ','}${JSON.stringify(key)}:`);
    isFirst = false;
    yield* parts(member, write);
  }
  write(isFirst ? '{}' : '}');
}

/** Not what writes itself, as a Date does. */
const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value && typeof value.toJSON === 'function');

/** What is left of `limit` after the values and characters of `value`; looks no further once nothing is. */
function lightness(value: unknown, limit: number): number {
  if (typeof value === 'string') return limit - 1 - value.length;
  if (typeof value !== 'object' || value === null) return limit - 1;
  if (Array.isArray(value)) return value.length < limit ? lightnessOf(value, limit - 1) : 0;
  const keys = Object.keys(value);
  const left = keys.reduce((rest, key) => rest - key.length, limit - 1 - keys.length);
  return left > 0 ? lightnessOf(Object.values(value), left) : 0;
}

function lightnessOf(values: readonly unknown[], limit: number): number {
  let left = limit;
  for (const value of values) if (left > 0) left = lightness(value, left);
  return left;
}
