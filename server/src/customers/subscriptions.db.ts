import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';
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

export const listSubscriptions = (q: Queryable, customer_id: string, limit: number, offset: number) =>
  q.rows(
    sql<SubscriptionRow & { total: number }>`
      select ${columns}, count(*) over () as total from subscriptions where customer_id = ${customer_id}
      order by created_at desc, id limit ${limit} offset ${offset}`,
  );

/** @returns undefined when there is no such customer */
export async function insertSubscription(
  q: Queryable,
  subscription: NewSubscription,
): Promise<SubscriptionRow | undefined> {
  const { customer_id, status, plan, current_period_end } = subscription;
  const [row] = await q.rows(
    sql<SubscriptionRow>`
      insert into subscriptions (tenant_id, customer_id, status, plan, current_period_end)
      select tenant_id, id, ${status}, ${plan}, ${current_period_end} from customers where id = ${customer_id}
      returning ${columns}`,
  );
  return row;
}

/** @returns undefined when the customer has no such subscription */
export async function updateSubscription(
  q: Queryable,
  ids: { customer_id: string; subscription_id: string },
  changes: SubscriptionChanges,
  now: Date,
): Promise<SubscriptionRow | undefined> {
  const { status, plan, current_period_end } = changes;
  const [row] = await q.rows(
    sql<SubscriptionRow>`
      update subscriptions set
        status = coalesce(${status}, status),
        plan = case when ${plan !== undefined}::boolean then ${plan} else plan end,
        current_period_end = case when ${current_period_end !== undefined}::boolean then ${current_period_end}
                                  else current_period_end end,
        updated_at = greatest(updated_at, ${now})
      where id = ${ids.subscription_id} and customer_id = ${ids.customer_id} returning ${columns}`,
  );
  return row;
}
