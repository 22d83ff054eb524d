import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { WriterContext } from './writers.ts';

/** A message as the service tells it. */
export interface Message {
  id: string;
  direction: 'in' | 'out';
  author: string;
  kind: string;
  text: string;
  status: string;
  error: string | null;
  at: string;
}

/** The id of a sender's conversation, once there is one. */
export async function conversationOf({ api, conversations }: WriterContext, sender: string): Promise<string> {
  for (;;) {
    const found = conversations.get(sender);
    if (found !== undefined) return found;
    const path = '/v1/conversations?per_page=100';
    const { items } = await api.callUntilAnswered<{ items: { id: string; external_id: string }[] }>(
      'GET',
      path,
    );
    for (const { id, external_id } of items) conversations.set(external_id, id);
    if (!conversations.has(sender)) await sleep(50);
  }
}

/** Waits until no message is pending and each text has an answer, or there is no progress. @returns messages, oldest first */
export async function settledMessages(
  context: WriterContext,
  { sender, texts }: { sender: string; texts: readonly string[] },
  patienceMs: number,
): Promise<Message[]> {
  const { api } = context;
  const conversation_id = await conversationOf(context, sender);
  let [fewest, deadline] = [Infinity, 0];
  for (; ; await sleep(500)) {
    const messages = await messagesOf(api, conversation_id);
    const waiting = messages.filter(({ status }) => status === 'pending' || status === 'queued').length;
    const answers = messages.filter(({ direction }) => direction === 'out').length;
    const missing = waiting + Math.max(0, texts.length - answers);
    if (missing === 0) return messages;
    if (missing < fewest) [fewest, deadline] = [missing, Date.now() + patienceMs];
    if (Date.now() > deadline) return messages;
  }
}

/** Without the notes of who took over, which are sent to nobody. */
async function messagesOf(api: Api, conversation_id: string): Promise<Message[]> {
  let messages: Message[] = [];
  let before: string | null = null;
  do {
    const path: string = `/v1/conversations/${conversation_id}/messages?per_page=100${before ? `&before=${before}` : ''}`;
    type Page = { items: Message[]; next_before: string | null };
    const page: Page = await api.callUntilAnswered<Page>('GET', path);
    messages = [...page.items.filter(({ kind }) => kind !== 'takeover'), ...messages];
    before = page.next_before;
  } while (before);
  return messages;
}
