import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { jsonPointer } from '../platform/json/json-pointer.ts';
import type { Redactor } from './redaction.ts';
import type { StrippedKind } from './save-from-instance.contract.ts';
import { kindByArgument, kindByKey, kindByPair } from './secret-keys.ts';

/** Contains no value, not even in the pointer. */
export interface Stripped {
  pointer: string;
  kind: StrippedKind;
}

/**
 * Removes what the redactor finds or a name declares to be one of `kinds`. Whole values go with their member or
 * element, as do members with a known name; inside a text a placeholder replaces the value. Pointers refer to the
 * original.
 * @returns undefined when nothing is left
 */
export function redactJson(
  value: unknown,
  pointer: string,
  redactor: Redactor,
  kinds: ReadonlySet<StrippedKind>,
): { value: unknown; stripped: Stripped[] } {
  const stripped: Stripped[] = [];
  const record = (at: string, found: Iterable<StrippedKind>) => {
    for (const kind of found) stripped.push({ pointer: at, kind });
  };

  function redactValue(value: unknown, at: string): unknown {
    if (Array.isArray(value)) return redactItems(value, at);
    if (isJsonObject(value)) return redactMembers(value, at);
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    const found = redactor.redact(String(value));
    if (found.kinds.size === 0) return value;
    record(at, found.kinds);
    return typeof value === 'string' ? found.text : undefined;
  }

  function redactItems(array: readonly unknown[], at: string): unknown[] {
    const kept: unknown[] = [];
    for (const [index, item] of array.entries()) {
      const kind = kindByArgument(array[index - 1], item);
      if (kind !== undefined && kinds.has(kind)) {
        record(at + jsonPointer(index), [kind]);
        continue;
      }
      const rest = redactValue(item, at + jsonPointer(index));
      if (rest !== undefined) kept.push(rest);
    }
    return kept;
  }

  function redactMembers(object: JsonObject, at: string): JsonObject {
    const kept: [string, unknown][] = [];
    for (const [key, member] of Object.entries(object)) {
      const inKey = redactor.redact(key).kinds;
      if (inKey.size > 0) {
        for (const kind of inKey) record(at + jsonPointer(`[${kind}]`), [kind]);
        continue;
      }
      const kind = key === 'value' ? kindByPair(object, member) : kindByKey(key, member);
      if (kind !== undefined && kinds.has(kind)) {
        record(at + jsonPointer(key), [kind]);
        continue;
      }
      const rest = redactValue(member, at + jsonPointer(key));
      if (rest !== undefined) kept.push([key, rest]);
    }
    // Unlike assignment, fromEntries makes an ordinary property of `__proto__`.
    return Object.fromEntries(kept);
  }

  return { value: redactValue(value, pointer), stripped };
}

/** As redactJson reads them. */
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
