import { type Fault, ValidationError } from '../errors.ts';
import type { JsonObject } from './json-object.ts';
import { type Figure, figuresOver, type JsonSize, sizeOf } from './json-size.ts';

const KIB = 1024;

/**
 * For recipes, `instance_overrides`, a customer's config and rules (contract, section 11). Pointers are limited because
 * responses repeat them (provenance, drift, redactions).
 */
export const DOCUMENT_LIMIT: JsonSize = {
  bytes: 256 * KIB,
  values: 10_000,
  depth: 32,
  pointers: 8 * KIB * KIB,
};

/** For clients. */
export const DOCUMENT_LIMIT_WORDS =
  'at most a quarter of a MiB as JSON, 10,000 values and 32 levels of nesting';

/** A member is one level deeper in its document. */
const MEMBER_LIMIT: JsonSize = { ...DOCUMENT_LIMIT, depth: DOCUMENT_LIMIT.depth - 1 };

const WORDS: Readonly<Record<Figure, string>> = {
  bytes: 'Value should have at most 256 KiB as JSON',
  values: 'Value should have at most 10,000 values',
  depth: 'Value should have at most 32 levels of nesting',
  pointers: 'Value has keys too long for so many values',
};

export const tooLong = (loc: string[], msg: string): Fault => ({ loc, msg, type: 'too_long' });

export const isWithinLimit = (value: unknown): boolean => figureOverLimit(value) === undefined;

/** 422 `too_long` at `loc` for a value over the limit. */
export function limitValue(value: unknown, loc: string[]): void {
  const figure = figureOverLimit(value);
  if (figure) throw new ValidationError([tooLong(loc, WORDS[figure])]);
}

const figureOverLimit = (value: unknown): Figure | undefined =>
  figuresOver(sizeOf(value, DOCUMENT_LIMIT), DOCUMENT_LIMIT)[0];

/**
 * 422 `too_long` for a document over the limit, unless it is no larger than `before`. The errors are located at
 * `changed` members that exceed the limit alone; without any, at the body.
 */
export function limitDocument(
  document: JsonObject,
  changed: readonly string[],
  before?: () => JsonObject,
): void {
  if (isWithinLimit(document)) return;
  const [size, former] = [sizeOf(document), sizeOf(before?.() ?? null)];
  const isTooMuch = (figure: Figure) => size[figure] > Math.max(DOCUMENT_LIMIT[figure], former[figure]);
  const figures = figuresOver(size, DOCUMENT_LIMIT).filter(isTooMuch);
  const [first] = figures;
  if (!first) return;
  const faults = changed.flatMap((member) => {
    const ofMember = sizeOf(document[member]);
    const figure = figures.find((one) => ofMember[one] > MEMBER_LIMIT[one]);
    return figure ? [tooLong(['body', member], WORDS[figure])] : [];
  });
  throw new ValidationError(faults.length > 0 ? faults : [tooLong(['body'], WORDS[first])]);
}
