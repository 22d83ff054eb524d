import { type Fault, invalid, ValidationError, valueFault } from '../errors.ts';
import { tooLong } from '../json/document-limit.ts';

/** Safe for PostgreSQL's jsonb and for recursion. */
const MAX_DEPTH = 100;
/** Bounds the cost of validation and the length of its response. */
const MAX_VALUES = 50_000;
/** In total: PostgreSQL writes 1e308 with 309 characters. */
const MAX_ZEROS = 100_000;
/**
 * Total length of the pointers to all values. A response may contain one per value (errors, provenance), so a key of
 * 500 KB above 50,000 values would make 25 GB.
 */
const MAX_POINTERS_LENGTH = 8 * 1024 * 1024;

interface Visit {
  value: unknown;
  key: string;
  depth: number;
  pointerLength: number;
  parent: Visit | undefined;
}

/**
 * Finds JSON that PostgreSQL or JavaScript cannot store: NUL, lone surrogates, deep nesting, numbers out of range and
 * the key `__proto__`. Iterative, because the client decides the depth.
 */
export function invalidTextFaults(part: string, root: unknown): Fault[] {
  const faults: Fault[] = [];
  const countPointer = bounded(part, MAX_POINTERS_LENGTH, 'Input has keys too long for so many values');
  const countZeros = bounded(part, MAX_ZEROS, 'Input has too many numbers with large exponents');
  let values = 0;
  const countValues = (visit: Visit, count: number) => {
    values += count;
    if (values > MAX_VALUES) throw tooLarge(visit, `Input has more than ${MAX_VALUES} values`);
  };
  const fault = (visit: Visit, msg: string) => {
    countPointer(visit.pointerLength);
    faults.push(valueFault(locate(visit), msg));
  };
  const outermost = { value: root, key: part, depth: 0, pointerLength: 0, parent: undefined };
  countValues(outermost, 1);
  const stack: Visit[] = [outermost];
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    if (visit.depth > MAX_DEPTH) throw tooLarge(visit, `Input is nested deeper than ${MAX_DEPTH} levels`);
    countPointer(visit.pointerLength);
    const { value } = visit;
    if (typeof value === 'string') {
      const msg = textProblem(value);
      if (msg) fault(visit, msg);
    } else if (value === Infinity || value === -Infinity) {
      fault(visit, 'Input should be a finite number');
    } else if (typeof value === 'number') {
      if (hasExponent(value)) countZeros(Math.abs(Math.log10(Math.abs(value))));
    } else if (typeof value === 'object' && value !== null) {
      // Counted before the walk: a body can contain half a million items.
      if (Array.isArray(value)) countValues(visit, value.length);
      const keys = Object.keys(value);
      if (!Array.isArray(value)) countValues(visit, keys.length);
      for (const key of keys) {
        const msg = key === '__proto__' ? 'The key __proto__ is not allowed' : textProblem(key);
        if (msg) fault(visit, msg);
        else
          stack.push({
            value: (value as Record<string, unknown>)[key],
            key,
            depth: visit.depth + 1,
            pointerLength: visit.pointerLength + key.length + 1,
            parent: visit,
          });
      }
    }
  }
  return faults;
}

/** A counter that throws 422 above `most`. */
function bounded(part: string, most: number, msg: string): (count: number) => void {
  let left = most;
  return (count) => {
    left -= count;
    if (left < 0) throw invalid([part], msg);
  };
}

/** Located at a field, like the limits of stored documents (contract, section 11). */
const tooLarge = (visit: Visit, msg: string) =>
  new ValidationError([tooLong(locate(visit).slice(0, 2), msg)]);

function locate(visit: Visit | undefined): string[] {
  const loc: string[] = [];
  for (let at = visit; at; at = at.parent) loc.unshift(at.key);
  return loc;
}

/** JSON.stringify would use an exponent. */
function hasExponent(number: number): boolean {
  const size = Math.abs(number);
  return size >= 1e21 || (size < 1e-6 && size > 0);
}

function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'Text must not contain the NUL character';
  return text.isWellFormed() ? undefined : 'Text must not contain a lone surrogate';
}
