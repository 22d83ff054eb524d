import { FIELDS } from './recipe-content.ts';
import { isObject, type JsonObject } from './recipe-patch.ts';
import { slugOf } from './slugs.ts';

export type Actor = 'control_plane' | 'runtime' | 'nobody';
export type Origin = 'platform' | 'recipe' | 'override';

/** One line of what an agent gets. */
export interface PlanLine {
  pointer: string;
  /** A field as "approval_rules", or a part of it as "require[1]". */
  name: string;
  /** It stands below the line of its field. */
  isPart: boolean;
  value: string;
  actor: Actor;
  /** Unsaved and overridden parts are `override`. */
  origin: Origin;
}

interface Composed {
  resolved_config: JsonObject;
  effects: Readonly<Record<string, Actor>>;
  provenance: Readonly<Record<string, Origin>>;
}

const LONGEST = 160;

/**
 * A line a field that is set, and below it one for each part on which another acts.
 * @param unsaved the merge patch of a draft over what is saved
 */
export function planLines(composed: Composed, unsaved: JsonObject = {}): readonly PlanLine[] {
  const { resolved_config, effects } = composed;
  const pointers = Object.keys(effects).toSorted(
    (a, b) => fieldAt(a) - fieldAt(b) || a.localeCompare(b, 'en', { numeric: true }),
  );
  return pointers.map((pointer) => {
    const keys = keysOf(pointer);
    const { parents, value } = find(resolved_config, keys);
    const isUnsaved = touches(unsaved, keys);
    return {
      pointer,
      name: nameOf(keys, parents),
      isPart: keys.length > 1,
      value: isObject(value) && keys.length > 1 ? elementWords(value) : wordsOf(value),
      actor: effects[pointer] ?? 'nobody',
      origin: isUnsaved ? 'override' : originOf(pointer, composed.provenance),
    };
  });
}

const keysOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

const fieldAt = (pointer: string) => FIELDS.indexOf(keysOf(pointer)[0] ?? '');

function find(config: JsonObject, keys: readonly string[]) {
  const parents: unknown[] = [];
  let value: unknown = config;
  for (const key of keys) {
    parents.push(value);
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return { parents, value };
}

/** A part is named below its field, an element with a slug by that. */
function nameOf([field = '', ...below]: readonly string[], [, ...parents]: readonly unknown[]): string {
  const words = below.map((key, at) => {
    const parent = parents[at];
    if (!Array.isArray(parent)) return at === 0 ? key : `.${key}`;
    return (at === 0 ? slugOf(parent[Number(key)]) : undefined) ?? `[${key}]`;
  });
  return below.length === 0 ? field : words.join('');
}

/** A patch of a list or a text covers all below it. */
function touches(patch: unknown, [key, ...below]: readonly string[]): boolean {
  if (!isObject(patch)) return patch !== undefined;
  if (key === undefined) return true;
  return Object.hasOwn(patch, key) && touches(patch[key], below);
}

function originOf(pointer: string, provenance: Readonly<Record<string, Origin>>): Origin {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const origin = provenance[at];
    if (origin !== undefined) return origin;
  }
  return 'platform';
}

/** A value in one line. */
export function wordsOf(value: unknown): string {
  const words = lineOf(value);
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

function lineOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(elementWords).join(', ');
  if (!isObject(value)) return plainWords(value);
  return Object.entries(value)
    .map(([key, member]) => memberWords(key, member))
    .join(', ');
}

const plainWords = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replaceAll(/\s+/g, ' ');

/** Longer members are named alone. */
function memberWords(key: string, member: unknown): string {
  if (Array.isArray(member)) return `${key} ${member.map(elementWords).join(', ')}`.trim();
  if (isObject(member) || member === null) return key;
  const words = plainWords(member);
  return words.length <= 40 ? `${key} ${words}` : key;
}

function elementWords(element: unknown): string {
  if (isObject(element) && typeof element.tool === 'string')
    return `${element.tool} → ${element.by === 'pin' ? 'a PIN' : 'a person'}`;
  if (isObject(element) && typeof element.provider === 'string' && typeof element.url !== 'string')
    return element.provider;
  return slugOf(element) ?? JSON.stringify(element);
}
