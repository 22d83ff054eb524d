import { type JsonObject, objectWithoutNull } from '../rules/recipe-patch.ts';
import type { Draft } from './recipe-draft.ts';

export const elementsAt = (draft: Draft, ...path: string[]): readonly unknown[] => {
  const value = draft.at(...path);
  return Array.isArray(value) ? value : [];
};

/** Replaces, adds or, with undefined, takes away one element of a list. */
export function setElement(
  draft: Draft,
  path: string | readonly string[],
  at: number,
  element: JsonObject | undefined,
): void {
  const keys = typeof path === 'string' ? [path] : path;
  const before = elementsAt(draft, ...keys);
  const list = element ? before.with(at, objectWithoutNull(element)) : before.toSpliced(at, 1);
  draft.set(keys, at === before.length && element ? [...before, objectWithoutNull(element)] : list);
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
