import { NOW, sql } from '../platform/db/sql.ts';
import { enqueueAll } from '../platform/queue/jobs.db.ts';

/**
 * Has the jobs of conversations that wait for an opening look again (kind `converse`), because the business hours may be
 * others now.
 */
export const wakeClosedConversations = (of: { customer_id: string } | { instance_id: string }) => {
  const { customer_id, instance_id } = { customer_id: null, instance_id: null, ...of };
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
