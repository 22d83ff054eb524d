import { sql } from '../platform/db/sql.ts';
import { type ConfigLayers, layersOf } from './config-layers.db.ts';
import { SERVED_BY } from './served-by.db.ts';

const LAYERS = layersOf('compliance_config');

/** undefined unless the agent's next answer is its first */
export const findFirstAnswerConfig = (conversation_id: string) =>
  sql<ConfigLayers>`
    select ${LAYERS}
    from conversations c join customers u on u.id = c.customer_id join tenants t on t.id = c.tenant_id ${SERVED_BY}
    where c.id = ${conversation_id} and not exists (
      select from channel_messages
      where conversation_id = c.id and author = 'agent' and kind = 'text' and status <> 'failed')`.first();
