import { randomUUID } from 'node:crypto';
import { tenantHasRoom } from '../access/stored-bytes.db.ts';
import type { Actor } from '../platform/actor.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { forbidden, found, ServiceError } from '../platform/errors.ts';
import {
  type ConversationRow,
  conversationIsOf,
  endHuman,
  enqueueConverse,
  findConversation,
  findTakerId,
  handToPerson,
  type Mode,
  startHuman,
  type Taker,
} from './conversations.db.ts';
import type { ConversationServices } from './conversations.ts';
import { sealContent } from './message-content.ts';
import { holdConversation } from './messages.db.ts';
import { noteHandover } from './system-messages.db.ts';

const HANDED_OVER_MINUTES = 24 * 60;

export function takerOf(actor: Actor): Taker {
  if (actor.kind === 'user') return { kind: 'user', id: actor.user_id };
  if (actor.kind === 'api_key') return { kind: 'key', id: actor.key_id };
  throw forbidden('Only a user or an API key has conversations');
}

interface ModeChange {
  mode: Mode;
  minutes?: number | null | undefined;
  /** A takeover succeeds only while this user or key has it; null: nobody. */
  expect_taken_by?: string | null | undefined;
}

export async function setMode(
  q: TenantDb,
  id: string,
  taker: Taker,
  { mode, minutes = null, expect_taken_by }: ModeChange,
): Promise<ConversationRow> {
  const change = mode === 'human' ? startHuman(id, taker, minutes) : endHuman(id);
  return q.transaction(async (tx) => {
    const { taker_id } = await tx.run({ hold: holdConversation(id), taker_id: findTakerId(id) });
    if (mode === 'human' && expect_taken_by !== undefined && expect_taken_by !== taker_id)
      throw new ServiceError('precondition_failed', 'Somebody else has taken the conversation meanwhile');
    const { conversation } = await tx.run({
      change,
      job: enqueueConverse(id, 'human_until'),
      conversation: findConversation(id),
    });
    return found('Conversation', conversation);
  });
}

/** The reason is stored as a message that only people read, where there is room for it. */
export async function handOverToPerson(
  { keyring }: ConversationServices,
  q: TenantDb,
  { instance_id, conversation_id: id }: { instance_id: string; conversation_id: string },
  reason: string | null,
) {
  const note_id = randomUUID();
  const sealed_content = reason && (await sealContent(keyring, q, note_id, { text: reason }));
  return q.transaction(async (tx) => {
    const { hasRoom } = await tx.run({
      conversation: conversationIsOf(instance_id, id),
      hold: holdConversation(id),
      hasRoom: tenantHasRoom(),
    });
    if (sealed_content && hasRoom)
      await tx.run(noteHandover({ id: note_id, conversation_id: id, sealed_content }));
    const { conversation } = await tx.run({
      handed: handToPerson(id, HANDED_OVER_MINUTES, note_id),
      job: enqueueConverse(id, 'human_until'),
      conversation: findConversation(id),
    });
    const { mode, human_until } = found('Conversation', conversation);
    return { conversation_id: id, mode, human_until };
  });
}
