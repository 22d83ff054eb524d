import { appendMessage, type NewMessage } from './append.db.ts';
import { HANDOVER } from './messages.db.ts';

/** Something that the control plane itself brings to the agent in a conversation, such as a trigger. */
export type SystemMessage = Pick<
  NewMessage,
  'id' | 'conversation_id' | 'kind' | 'sealed_content' | 'tried_minutes'
> & {
  /** Names it to the runtime, which answers in reply to it. */
  message_id: string;
};

/**
 * Notes why the agent hands a conversation over, for people alone; nothing where a person has the conversation. Comes in front
 * of handToPerson.
 */
export const noteHandover = (note: Pick<NewMessage, 'id' | 'conversation_id' | 'sealed_content'>) =>
  appendMessage({
    ...note,
    direction: 'in',
    author: 'system',
    kind: HANDOVER,
    message_id: note.id,
    status: 'handled',
    in_mode: 'agent',
  });

/**
 * Queues a message for the agent, once per id. It is forwarded before what the sender wrote, outside business hours too. In
 * the mode `human` the agent is not told, and the person reads it. Nothing happens where the conversation is gone.
 */
export const queueSystemMessage = (message: SystemMessage) =>
  appendMessage({ ...message, direction: 'in', author: 'system', status: 'pending' });
