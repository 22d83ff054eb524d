import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { Literals, Nullable } from '../platform/contract/shapes.ts';

const CHAIN_FAULTS = ['row_changed', 'row_missing', 'end_changed'] as const;
export type ChainFault = (typeof CHAIN_FAULTS)[number];

export const ChainVerification = NamedObject('ChainVerification', {
  valid: Type.Boolean(),
  checked: Type.Integer({
    description: 'The rows that are as they were written, from the first that is kept on',
  }),
  first_invalid: Nullable(
    Type.Integer({
      description: 'The place in the chain of the first row that is not. The place of a tool call is its seq',
    }),
  ),
  fault: Nullable(named('ChainFault', Literals(CHAIN_FAULTS))),
  last_hash: Nullable(Type.String({ description: 'Of the last row that was checked' })),
});

export const Moment = (description: string) =>
  Type.Unsafe<string>({ type: 'string', format: 'date-time', description });
