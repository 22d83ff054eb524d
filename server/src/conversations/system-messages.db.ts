import { appendMessage, type NewMessage } from './append.db.ts';
import { HANDOVER } from './messages.db.ts';

/** A message of the control plane to the agent, such as a trigger. */
type SystemMessage = Pick<
  NewMessage,
  'id' | 'conversation_id' | 'kind' | 'sealed_content' | 'tried_minutes'
> & {
  /** The runtime answers with it as `in_reply_to`. */
  message_id: string;
};

/** Adds the reason of a handover, for people only. Has to precede handToPerson: in mode `human` nothing is added. */
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
 * Queues a message for the agent, once per id. It is forwarded before messages of the sender, also outside business hours. In
 * mode `human` only the person reads it. Does nothing when the conversation is deleted.
 */
export const queueSystemMessage = (message: SystemMessage) =>
  appendMessage({ ...message, direction: 'in', author: 'system', status: 'pending' });
