import { NOW, sql } from '../platform/db/sql.ts';
import { enqueueAll } from '../platform/queue/jobs.db.ts';

/** Their jobs (kind `converse`) wait for opening hours, which may have changed. */
export const wakeClosedConversations = (scope: { customer_id: string } | { instance_id: string }) => {
  const { customer_id, instance_id } = { customer_id: null, instance_id: null, ...scope };
  return sql`
    with closed as (
      select id, tenant_id, instance_id from conversations
      where instance_id = any (array(
          select ${instance_id}::uuid
          union all
          select instance_id from served_deployments where customer_id = ${customer_id}::uuid))
        and (${customer_id}::uuid is null or customer_id = ${customer_id}::uuid) and away_until > ${NOW}
    )
    ${enqueueAll('converse', 'select id, tenant_id, instance_id from closed')}`;
};
