import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject, ownMember } from '../platform/json/json-object.ts';
import { storableJson, storableText } from '../platform/json/storable-json.ts';

/** Longer than the channel's ids, and short enough for an index. */
const MAX_ID_LENGTH = 256;

export function parseObject(bytes: Buffer): JsonObject | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    const root: unknown = JSON.parse(bytes.toString());
    return isJsonObject(root) ? root : undefined;
  } catch {
    return undefined;
  }
}

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const objects = (value: unknown): JsonObject[] => list(value).filter(isJsonObject);

/** The value at the end of a path of own members. */
export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isJsonObject(inner) ? ownMember(inner, key) : undefined), value);

/** undefined for what is no id of the channel. */
export function idOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_LENGTH) return undefined;
  return storableText(value);
}

/** @returns JSON; undefined when it is too long */
export function small(value: unknown, maxLength: number): string | undefined {
  const kept = storableJson(value);
  return kept.length <= maxLength ? kept : undefined;
}
