import { fragment } from '../platform/db/sql.ts';

/** Joins a conversation `c` with the deployment `d` of its customer; null when the customer has left the instance. */
export const SERVED_BY = fragment(`left join lateral (
  select id, resolved_config, retention_days, onboarding_flow_id from served_deployments
  where instance_id = c.instance_id and customer_id = c.customer_id
  order by created_at desc, id limit 1) d on true`);
