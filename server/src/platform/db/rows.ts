import type { Static, TObject } from 'typebox';
import { fragment } from './sql.ts';

/** Sorts before every id: where reading page by page begins. */
export const LEAST_UUID = '00000000-0000-0000-0000-000000000000';

/** The row behind a shape of the contract. The driver reads timestamps as Date. */
export type RowOf<Shape extends TObject> = {
  [Name in keyof Static<Shape>]: Date extends Static<Shape>[Name]
    ? Exclude<Static<Shape>[Name], string>
    : Static<Shape>[Name];
};

/** The columns of a shape's fields, which have the same names; each with the prefix. */
export const columnsOf = (shape: TObject, prefix = '') =>
  fragment(
    Object.keys(shape.properties)
      .map((name) => `${prefix}${name}`)
      .join(', '),
  );

/** The fields of a request that its shape has. Others are not validated and may have the name of a column. */
export const fieldsOf = <Shape extends TObject>(shape: Shape, value: Static<Shape>): Static<Shape> =>
  Object.fromEntries(
    Object.entries(value as object).filter(([name]) => Object.hasOwn(shape.properties, name)),
  ) as Static<Shape>;
