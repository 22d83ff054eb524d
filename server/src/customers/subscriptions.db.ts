import Type, { type Static } from 'typebox';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { NOW, sql } from '../platform/db/sql.ts';
import { Subscription, type SubscriptionCreate, type SubscriptionUpdate } from './subscriptions.contract.ts';

type SubscriptionRow = RowOf<typeof Subscription>;

const columns = columnsOf(Type.Omit(Subscription, ['customer_name']));

export const listSubscriptions = (customer_id: string, isNamed: boolean, limit: number, offset: number) =>
  sql<SubscriptionRow & { total: number }>`
    select ${columns}, customer_name_of(subscriptions.customer_id, ${isNamed}) as customer_name,
           count(*) over () as total
    from subscriptions where customer_id = ${customer_id}
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** undefined for an unknown customer */
export const insertSubscription = (
  customer_id: string,
  { status, plan, current_period_end }: Static<typeof SubscriptionCreate>,
  isNamed: boolean,
) =>
  sql<SubscriptionRow>`
    insert into subscriptions (tenant_id, customer_id, status, plan, current_period_end)
    select tenant_id, id, ${status}, ${plan}, ${current_period_end} from customers where id = ${customer_id}
    returning ${columns},
      customer_name_of(subscriptions.customer_id, ${isNamed}) as customer_name`.first();

/** undefined for an unknown subscription. Absent fields stay; null clears. */
export const updateSubscription = (
  ids: { customer_id: string; subscription_id: string },
  { status, plan, current_period_end }: Static<typeof SubscriptionUpdate>,
  isNamed: boolean,
) =>
  sql<SubscriptionRow>`
    update subscriptions set
      status = coalesce(${status}, status),
      plan = case when ${plan !== undefined}::boolean then ${plan} else plan end,
      current_period_end = case when ${current_period_end !== undefined}::boolean then ${current_period_end}
                                else current_period_end end,
      updated_at = greatest(updated_at, ${NOW})
    where id = ${ids.subscription_id} and customer_id = ${ids.customer_id}
    returning ${columns},
      customer_name_of(subscriptions.customer_id, ${isNamed}) as customer_name`.first();
