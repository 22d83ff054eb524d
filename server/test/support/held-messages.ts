import { openTransaction } from './connection.ts';
import type { TestService } from './service.ts';
import type { TestEndpoint } from './webhook.ts';

/** Blocks the storing of these messages until released, as by a concurrent transaction. */
export async function holdMessages(
  { database }: TestService,
  { id, instance }: TestEndpoint,
  ...message_ids: string[]
): Promise<{ release: () => Promise<void> }> {
  const text = `insert into channel_messages
      (tenant_id, endpoint_id, instance_id, channel, message_id, external_id, status, give_up_at)
    select tenant_id, id, $2, 'chatapp', $3, '1', 'dead', now() from channel_endpoints where id = $1`;
  const statements = message_ids.map((held): [string, unknown[]] => [text, [id, instance.id, held]]);
  const { end } = await openTransaction(database.url, ...statements);
  return { release: () => end('rollback') };
}
