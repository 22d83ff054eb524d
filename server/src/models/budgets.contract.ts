import Type, { type Static } from 'typebox';
import { CustomerName } from '../customers/customer-names.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  CustomerParams,
  Nullable,
  PageOf,
  PageQuery,
  query,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Models';

export const CustomerBudget = NamedObject('CustomerBudget', {
  monthly_cost: about(Nullable(Type.String()), 'US dollars per month, decimal text; null for no such limit'),
  monthly_tokens: about(
    Nullable(Type.Integer()),
    'Tokens per month, input and output together; null for no such limit',
  ),
  spent_cost: about(Type.String(), 'US dollars of this month’s calls, decimal text'),
  spent_tokens: about(Type.Integer(), 'Tokens of this month’s calls'),
  resets_at: about(Timestamp, 'When the next month begins, in UTC'),
});

const ListedBudget = NamedObject('ListedBudget', {
  customer_id: Uuid,
  customer_name: CustomerName,
  ...CustomerBudget.properties,
});

const Money = Type.Unsafe<number | string>({
  anyOf: [
    { type: 'number', minimum: 0, maximum: 1e12 },
    { type: 'string', maxLength: 25, pattern: '^\\d{1,12}(\\.\\d{1,12})?$' },
  ],
});

export const CustomerBudgetPut = NamedObject('CustomerBudgetPut', {
  monthly_cost: about(
    Clearable(Money),
    'US dollars per month, a number or decimal text; null for no such limit',
  ),
  monthly_tokens: about(
    Clearable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    'Tokens per month, input and output together; null for no such limit',
  ),
});
export type CustomerBudgetPut = Static<typeof CustomerBudgetPut>;

const common = {
  tag,
  path: '/v1/customers/{customer_id}/budget',
  credential: 'admin',
  params: CustomerParams,
} as const;

export const getCustomerBudget = operation({
  ...common,
  id: 'get_customer_budget',
  method: 'GET',
  summary: 'A customer’s budget for language models',
  description: 'For all its instances together. Both limits are null where it has none.',
  scope: 'customers:read',
  responses: { 200: CustomerBudget },
});

export const putCustomerBudget = operation({
  ...common,
  id: 'put_customer_budget',
  method: 'PUT',
  summary: 'Limit what a customer’s agents may spend on language models',
  description:
    'Only what is supplied changes. Calls beyond the limit are refused with 429 until the next month. A limit in money refuses models without a price.',
  scope: 'customers:write',
  body: CustomerBudgetPut,
  responses: { 200: CustomerBudget },
});

export const deleteCustomerBudget = operation({
  ...common,
  id: 'delete_customer_budget',
  method: 'DELETE',
  summary: 'Remove a customer’s budget',
  description: 'What was spent stays counted.',
  scope: 'customers:delete',
  responses: { 204: null },
});

export const listBudgets = operation({
  tag,
  credential: 'admin',
  id: 'list_budgets',
  method: 'GET',
  path: '/v1/budgets',
  summary: 'List the budgets of customers',
  description: 'Customers that have none are left out; the newest customer comes first.',
  scope: 'customers:read',
  query: query(PageQuery),
  responses: { 200: PageOf(ListedBudget) },
});
