import { randomUUID } from 'node:crypto';
import { personHasRoom } from '../access/stored-bytes.db.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { found, missing, notFound } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { appendMessage } from './append.db.ts';
import { type ContentKeyring, sealContent } from './message-content.ts';
import { holdConversation } from './messages.db.ts';
import {
  findPlaygroundCustomer,
  insertPlaygroundConversation,
  playgroundConversationExists,
} from './playground.db.ts';
import { readTap } from './rich-answers.ts';

export interface PlaygroundMessage {
  text?: string | null | undefined;
  reply_id?: string | null | undefined;
  conversation_id?: string | null | undefined;
  identity_id?: string | null | undefined;
}

export async function writeInPlayground(
  keyring: ContentKeyring,
  q: TenantDb,
  instance_id: string,
  { text, reply_id, conversation_id, identity_id = null }: PlaygroundMessage,
): Promise<{ conversation_id: string; message_id: string }> {
  if (!text && !reply_id) throw missing('body', 'text');
  const target = found('Instance', await q.run(findPlaygroundCustomer(instance_id, identity_id)));
  if (identity_id !== null && !target.identity_is_served) throw notFound('Identity');
  if (!conversation_id && target.customer_id === null) throw missing('body', 'identity_id');
  const id = conversation_id ?? randomUUID();
  const message_id = randomUUID();
  const { kind, ...content } = reply_id
    ? await tapOn(keyring, q, conversation_id, reply_id)
    : written(text ?? '');
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
    kind,
    message_id,
    status: 'pending',
    sealed_content,
  });
  await q.run(begin, holdConversation(id), personHasRoom(), message);
  return { conversation_id: id, message_id };
}

interface Said {
  kind: string;
  text: string;
  reply_id?: string;
  /** As the channel would tell it. */
  raw: JsonObject;
}

const written = (text: string): Said => ({
  kind: 'text',
  text,
  raw: { message: { type: 'text', text: { body: text } } },
});

async function tapOn(
  keyring: ContentKeyring,
  q: TenantDb,
  conversation_id: string | null | undefined,
  reply_id: string,
): Promise<Said> {
  const { kind, title } = await readTap(keyring, q, conversation_id ?? undefined, reply_id);
  const interactive = { type: kind, [kind]: { id: reply_id, title } };
  return { kind, text: title, reply_id, raw: { message: { type: 'interactive', interactive } } };
}
