import Type from 'typebox';
import { CustomerName } from '../customers/customer-names.contract.ts';
import { about, Nullable } from '../platform/contract/shapes.ts';

/** Beside `customer_id` and `person_id` (contract, section 1); not on internal routes. */
export const Names = {
  customer_name: CustomerName,
  person_name: about(Nullable(Type.String()), 'The name of the person of the staff; null once erased'),
};
