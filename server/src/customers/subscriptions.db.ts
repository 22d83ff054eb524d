import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { SubscriptionStatus } from './subscriptions.contract.ts';

export interface SubscriptionRow {
  id: string;
  tenant_id: string;
  customer_id: string;
  status: SubscriptionStatus;
  plan: string | null;
  current_period_end: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface NewSubscription {
  customer_id: string;
  status: SubscriptionStatus;
  plan: string | null;
  current_period_end: Date | string | null;
}

/** What is absent stays as it is; null clears. */
export interface SubscriptionChanges {
  status?: SubscriptionStatus | undefined;
  plan?: string | null | undefined;
  current_period_end?: Date | string | null | undefined;
}

const columns = fragment(
  'id, tenant_id, customer_id, status, plan, current_period_end, created_at, updated_at',
);

export const listSubscriptions = (customer_id: string, limit: number, offset: number) =>
  sql<SubscriptionRow & { total: number }>`
    select ${columns}, count(*) over () as total from subscriptions where customer_id = ${customer_id}
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** undefined when there is no such customer */
export const insertSubscription = (subscription: NewSubscription) => {
  const { customer_id, status, plan, current_period_end } = subscription;
  return sql<SubscriptionRow>`
    insert into subscriptions (tenant_id, customer_id, status, plan, current_period_end)
    select tenant_id, id, ${status}, ${plan}, ${current_period_end} from customers where id = ${customer_id}
    returning ${columns}`.first();
};

/** undefined when the customer has no such subscription */
export const updateSubscription = (
  ids: { customer_id: string; subscription_id: string },
  { status, plan, current_period_end }: SubscriptionChanges,
) =>
  sql<SubscriptionRow>`
    update subscriptions set
      status = coalesce(${status}, status),
      plan = case when ${plan !== undefined}::boolean then ${plan} else plan end,
      current_period_end = case when ${current_period_end !== undefined}::boolean then ${current_period_end}
                                else current_period_end end,
      updated_at = greatest(updated_at, ${NOW})
    where id = ${ids.subscription_id} and customer_id = ${ids.customer_id} returning ${columns}`.first();
