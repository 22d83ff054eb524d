import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { about, Literals, Nullable, Timestamp } from '../platform/contract/shapes.ts';

export const InstanceBudget = NamedObject('InstanceBudget', {
  monthly_cost: about(Nullable(Type.String()), 'US dollars per month, decimal text; null for no such limit'),
  monthly_tokens: about(
    Nullable(Type.Integer()),
    'Tokens per month, input and output together; null for no such limit',
  ),
  per: about(
    Literals(['instance', 'customer']),
    'Whose calls count: the instance’s, or all those of its customer',
  ),
  spent_cost: about(Type.String(), 'US dollars of this month’s calls that count, decimal text'),
  spent_tokens: about(Type.Integer(), 'Tokens of this month’s calls that count'),
  resets_at: about(Timestamp, 'When the next month begins, in UTC'),
});
