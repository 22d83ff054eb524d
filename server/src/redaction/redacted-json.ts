import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { jsonPointer } from '../platform/json/json-pointer.ts';
import type { Redactor } from './redaction.ts';
import type { StrippedKind } from './save-from-instance.contract.ts';
import { kindByArgument, kindByKey, kindByPair } from './secret-keys.ts';

/** The place and the kind of something that was taken out; never its value, not in the pointer either. */
export interface Stripped {
  pointer: string;
  kind: StrippedKind;
}

/**
 * Takes out of a JSON value everything that a redactor finds, and everything that its name says to be one of `kinds`.
 * Whole values go with their member or element; inside a text a placeholder takes the place. A member whose name is
 * itself something known goes whole. Everything else stays as it is; pointers are those of the value as it was.
 *
 * @returns undefined when nothing is left of the value
 */
export function redactJson(
  value: unknown,
  pointer: string,
  redactor: Redactor,
  kinds: ReadonlySet<StrippedKind>,
): { value: unknown; stripped: Stripped[] } {
  const stripped: Stripped[] = [];
  const note = (at: string, found: Iterable<StrippedKind>) => {
    for (const kind of found) stripped.push({ pointer: at, kind });
  };

  function redacted(value: unknown, at: string): unknown {
    if (Array.isArray(value)) return items(value, at);
    if (isJsonObject(value)) return members(value, at);
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    const found = redactor.redact(String(value));
    if (found.kinds.size === 0) return value;
    note(at, found.kinds);
    return typeof value === 'string' ? found.text : undefined;
  }

  function items(array: readonly unknown[], at: string): unknown[] {
    const kept: unknown[] = [];
    for (const [index, item] of array.entries()) {
      const kind = kindByArgument(array[index - 1], item);
      if (kind !== undefined && kinds.has(kind)) {
        note(at + jsonPointer(index), [kind]);
        continue;
      }
      const rest = redacted(item, at + jsonPointer(index));
      if (rest !== undefined) kept.push(rest);
    }
    return kept;
  }

  function members(object: JsonObject, at: string): JsonObject {
    const kept: [string, unknown][] = [];
    for (const [key, member] of Object.entries(object)) {
      const inKey = redactor.redact(key).kinds;
      if (inKey.size > 0) {
        for (const kind of inKey) note(at + jsonPointer(`[${kind}]`), [kind]);
        continue;
      }
      const kind = key === 'value' ? kindByPair(object, member) : kindByKey(key, member);
      if (kind !== undefined && kinds.has(kind)) {
        note(at + jsonPointer(key), [kind]);
        continue;
      }
      const rest = redacted(member, at + jsonPointer(key));
      if (rest !== undefined) kept.push([key, rest]);
    }
    // Unlike an assignment, fromEntries makes an ordinary property of the key __proto__.
    return Object.fromEntries(kept);
  }

  return { value: redacted(value, pointer), stripped };
}

/** Every text that redactJson may look at: strings, numbers and the names of members. */
export function* textsToRedact(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) yield* textsToRedact(item);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      yield key;
      yield* textsToRedact(member);
    }
  } else if (typeof value === 'string' || typeof value === 'number') {
    yield String(value);
  }
}
