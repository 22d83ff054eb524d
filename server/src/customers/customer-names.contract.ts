import Type from 'typebox';
import { about, Nullable } from '../platform/contract/shapes.ts';

export const CustomerName = about(
  Nullable(Type.String()),
  'The customer’s company name; without one its e-mail address, for callers who may read customers, else null',
);
