import type { Static, TObject } from 'typebox';
import { fragment } from './sql.ts';

/** Sorts before every id: the start of paged reads. */
export const LEAST_UUID = '00000000-0000-0000-0000-000000000000';

/** The row type of a contract's shape. The driver reads timestamps as Date. */
export type RowOf<Shape extends TObject> = {
  [Name in keyof Static<Shape>]: Date extends Static<Shape>[Name]
    ? Exclude<Static<Shape>[Name], string>
    : Static<Shape>[Name];
};

/** The columns of a shape's fields, which have the same names. @param prefix of each column */
export const columnsOf = (shape: TObject, prefix = '') =>
  fragment(
    Object.keys(shape.properties)
      .map((name) => `${prefix}${name}`)
      .join(', '),
  );

/** Only the fields of the shape: others are not validated and may have the name of a column. */
export const fieldsOf = <Shape extends TObject>(shape: Shape, value: Static<Shape>): Static<Shape> =>
  Object.fromEntries(
    Object.entries(value as object).filter(([name]) => Object.hasOwn(shape.properties, name)),
  ) as Static<Shape>;
