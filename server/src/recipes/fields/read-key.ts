import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ActingKey } from './acting-key.ts';

type Range<Shape extends TSchema> = Pick<ActingKey, 'isValid'> & { shape: Shape };

const validators = new WeakMap<TSchema, (value: unknown) => boolean>();

/** Compiles the shape at first use. */
export function isInRange<Shape extends TSchema>(
  { shape, isValid }: Range<Shape>,
  value: unknown,
): value is Static<Shape> {
  let hasShape = validators.get(shape);
  if (!hasShape) {
    const validator = Compile(shape as TSchema);
    hasShape = (candidate) => validator.Check(candidate);
    validators.set(shape, hasShape);
  }
  return hasShape(value) && (isValid?.(value) ?? true);
}

/** undefined: absent or out of range. */
export function readKey<Shape extends TSchema>(key: Range<Shape>, value: unknown): Static<Shape> | undefined {
  return isInRange(key, value) ? value : undefined;
}
