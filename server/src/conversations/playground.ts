import { randomUUID } from 'node:crypto';
import { personHasRoom } from '../access/stored-bytes.db.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { found, missing, notFound } from '../platform/errors.ts';
import { appendMessage } from './append.db.ts';
import { type ContentKeyring, sealContent } from './message-content.ts';
import { holdConversation } from './messages.db.ts';
import {
  findPlaygroundCustomer,
  insertPlaygroundConversation,
  playgroundConversationExists,
} from './playground.db.ts';

export interface PlaygroundMessage {
  text: string;
  conversation_id?: string | null | undefined;
  identity_id?: string | null | undefined;
}

export async function writeInPlayground(
  keyring: ContentKeyring,
  q: TenantDb,
  instance_id: string,
  { text, conversation_id, identity_id = null }: PlaygroundMessage,
): Promise<{ conversation_id: string; message_id: string }> {
  const target = found('Instance', await q.run(findPlaygroundCustomer(instance_id, identity_id)));
  if (identity_id !== null && !target.identity_is_served) throw notFound('Identity');
  if (!conversation_id && target.customer_id === null) throw missing('body', 'identity_id');
  const id = conversation_id ?? randomUUID();
  const message_id = randomUUID();
  const content = { text, raw: { message: { type: 'text', text: { body: text } } } };
  const sealed_content = await sealContent(keyring, q, message_id, content);
  const begin = conversation_id
    ? playgroundConversationExists(instance_id, id)
    : insertPlaygroundConversation({
        id,
        instance_id,
        customer_id: target.customer_id ?? '',
        external_id: randomUUID(),
        identity_id,
      });
  const message = appendMessage({
    id: message_id,
    conversation_id: id,
    direction: 'in',
    author: 'sender',
    kind: 'text',
    message_id,
    status: 'pending',
    sealed_content,
  });
  await q.run(begin, holdConversation(id), personHasRoom(), message);
  return { conversation_id: id, message_id };
}
