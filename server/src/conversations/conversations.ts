import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { personHasRoom, runtimeHasRoom, tenantHasRoom } from '../access/stored-bytes.db.ts';
import { openReplies } from '../identities/sealed-replies.ts';
import type { TenantDb, TenantQueryable, TenantTx } from '../platform/db/queryable.ts';
import { found, invalid, missing, ServiceError } from '../platform/errors.ts';
import type { Trace } from '../platform/tracing.ts';
import { readComplianceConfig } from '../recipes/fields/compliance-config.ts';
import type { NewMessage } from './append.db.ts';
import { appendMessage } from './append.db.ts';
import { mergeLayers } from './config-layers.ts';
import type { Conversation } from './conversations.contract.ts';
import {
  type ConversationRow,
  conversationIsOf,
  endHuman,
  enqueueConverse,
  expectMode,
  findConversation,
  handleLateAnswer,
  handToPerson,
  incomingExists,
  type Mode,
  markAnswered,
  markAnsweredUpTo,
  prolongHuman,
  startHuman,
} from './conversations.db.ts';
import { findFirstAnswerConfig } from './disclaimer.db.ts';
import {
  type ContentKeyring,
  isUnreadable,
  type MessageContent,
  openContent,
  sealContent,
  templateText,
  UNREADABLE,
} from './message-content.ts';
import type { GivenTemplate, Message, Usage } from './messages.contract.ts';
import {
  findMessageByKey,
  holdConversation,
  listNewestMessages,
  type MessageRow,
  messageExists,
} from './messages.db.ts';
import { readQuoted } from './quoted.ts';
import { eraseAnswered } from './retention.db.ts';
import { noteHandover } from './system-messages.db.ts';
import { prepareAnswer } from './trigger-answers.ts';

export interface ConversationServices {
  keyring: ContentKeyring;
}

const HANDED_OVER_MINUTES = 24 * 60;

export const attributesContext = (conversation_id: string) => `conversation-attributes:${conversation_id}`;

export async function readConversation(
  { keyring }: ConversationServices,
  q: TenantQueryable,
  row: ConversationRow,
): Promise<Static<typeof Conversation>> {
  const { sealed_attributes, last_id, last_author, last_at, last_sealed_content, taken_by_kind, ...own } =
    row;
  const rest = { ...own, taken_by: taken_by_kind && { kind: taken_by_kind, id: null, name: null } };
  const attributes = await openReplies(keyring, q, sealed_attributes, attributesContext(row.id));
  if (last_id === null || last_author === null || last_at === null) {
    return { ...rest, attributes, last_message: null };
  }
  const content = await openContent(keyring, q, { id: last_id, sealed_content: last_sealed_content });
  return {
    ...rest,
    attributes,
    last_message: { author: last_author, text: content.text ?? null, at: last_at },
  };
}

/** Messages of one conversation, in the given order. */
export async function readEach(
  { keyring }: ConversationServices,
  q: TenantQueryable,
  conversation_id: string,
  rows: readonly MessageRow[],
): Promise<Static<typeof Message>[]> {
  const contents = await Promise.all(rows.map((row) => openContent(keyring, q, row)));
  const quotedIn = await readQuoted(keyring, q, conversation_id, contents);
  return rows.map((row, index) => {
    const { id, direction, author, user_id, kind, status, error, at, usage } = row;
    const content = contents[index] ?? {};
    const {
      text = null,
      media = [],
      tool_calls = [],
      referral = null,
      reaction = null,
      said_by = null,
    } = content;
    return {
      id,
      conversation_id,
      direction,
      author,
      user_id,
      kind,
      text,
      media,
      tool_calls,
      quoted: quotedIn(content),
      referral,
      reaction,
      said_by,
      status,
      at,
      usage,
      error: isUnreadable(content) ? UNREADABLE : (error ?? content.error ?? null),
    };
  });
}

export async function readMessage(
  services: ConversationServices,
  q: TenantQueryable,
  row: MessageRow,
): Promise<Static<typeof Message>> {
  return found('Message', (await readEach(services, q, row.conversation_id, [row]))[0]);
}

/** Oldest first. */
export async function readMessages(
  services: ConversationServices,
  q: TenantQueryable,
  conversation_id: string,
  { before, per_page }: { before?: string | undefined; per_page: number },
) {
  const list = listNewestMessages(conversation_id, before, per_page + 1);
  const check = before && { exists: messageExists(conversation_id, before) };
  const { rows } = await q.run({ ...check, rows: list });
  const page = rows.slice(0, per_page).toReversed();
  const items = await readEach(services, q, conversation_id, page);
  const isMore = (rows[0]?.found ?? 0) > page.length;
  return { items, next_before: isMore ? (page[0]?.id ?? null) : null };
}

export async function setMode(
  q: TenantDb,
  id: string,
  { mode, minutes }: { mode: Mode; minutes?: number | null | undefined },
): Promise<ConversationRow> {
  const change = mode === 'human' ? startHuman(id, minutes ?? null) : endHuman(id);
  return q.transaction(async (tx) => {
    const { conversation } = await tx.run({
      hold: holdConversation(id),
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
      handed: handToPerson(id, HANDED_OVER_MINUTES),
      job: enqueueConverse(id, 'human_until'),
      conversation: findConversation(id),
    });
    const { mode, human_until } = found('Conversation', conversation);
    return { conversation_id: id, mode, human_until };
  });
}

interface PersonsMessage {
  text?: string | null | undefined;
  template?: GivenTemplate | null | undefined;
  idempotency_key?: string | null | undefined;
}

/** Queues a person's answer, or returns the earlier message of the idempotency key. */
export async function sendAsPerson(
  services: ConversationServices,
  q: TenantDb,
  conversation_id: string,
  user_id: string | null,
  { text, template: given, idempotency_key }: PersonsMessage,
  trace?: Trace,
): Promise<Static<typeof Message>> {
  const template = given && { ...given, parameters: given.parameters ?? [] };
  if (!text && !template) throw missing('body', 'text');
  if (text && template) throw invalid(['body', 'template'], 'A message has a text or a template, not both');
  const kind = template ? 'template' : 'text';
  const message = { conversation_id, author: 'person', user_id, kind, idempotency_key } as const;
  const textOrTemplate = template ? { template, text: templateText(template) } : { text: text ?? '' };
  const content: MessageContent = { ...textOrTemplate, ...(trace && { trace }) };
  const outgoing = await seal(services, q, message, content);
  const row = await q.transaction(async (tx) => {
    const { earlier } = await tx.run({
      hold: holdConversation(conversation_id),
      earlier: findMessageByKey(conversation_id, 'person', idempotency_key ?? null),
    });
    if (earlier) return earlier;
    const { added } = await tx.run({
      mode: expectMode(
        conversation_id,
        'human',
        'The agent answers in this conversation: set its mode to human',
      ),
      room: personHasRoom(),
      prolonged: prolongHuman(conversation_id),
      added: appendMessage(outgoing),
      marked: markAnswered(conversation_id),
      erased: eraseAnswered(conversation_id),
      job: enqueueConverse(conversation_id, 'now'),
    });
    return found('Message', added);
  });
  return readMessage(services, q, row);
}

interface AgentsAnswer {
  text: string;
  in_reply_to?: string | null | undefined;
  idempotency_key?: string | null | undefined;
  usage?: Usage | null | undefined;
  error?: string | null | undefined;
  tool_calls?: unknown[] | null | undefined;
}

/**
 * Queues the agent's answer. Only the first answer to a message counts. While a person has the conversation, the answer is
 * refused (409) and its message is marked as handled.
 */
export async function answerAsAgent(
  services: ConversationServices,
  q: TenantDb,
  ids: { instance_id: string; conversation_id: string },
  { text, in_reply_to = null, idempotency_key, usage, error, tool_calls }: AgentsAnswer,
  trace?: Trace,
): Promise<{ isNew: boolean; message: Static<typeof Message> }> {
  const { instance_id, conversation_id } = ids;
  const key = idempotency_key ?? in_reply_to;
  // A key of its own: more answers may follow, so the message ends with the runtime's 2xx.
  const ends = key === in_reply_to;
  const prepared = await prepareAnswer(services.keyring, q, conversation_id, { text, in_reply_to });
  const { kind, failure } = prepared;
  const message = {
    conversation_id,
    author: 'agent',
    kind,
    failure,
    in_reply_to,
    idempotency_key: key,
    usage,
  } as const;
  const outgoing = await seal(services, q, message, {
    ...prepared.content,
    ...(error && { error }),
    ...(tool_calls && { tool_calls }),
    ...(trace && { trace }),
  });
  const added = q.transaction(async (tx) => {
    const { first, earlier } = await tx.run({
      conversation: conversationIsOf(instance_id, conversation_id),
      hold: holdConversation(conversation_id),
      first: findFirstAnswerConfig(conversation_id),
      incoming: incomingExists(conversation_id, in_reply_to),
      earlier: findMessageByKey(conversation_id, 'agent', key),
    });
    if (earlier) return { isNew: false, row: earlier };
    const { row } = await tx.run({
      mode: expectMode(conversation_id, 'agent', 'A person answers in this conversation'),
      room: runtimeHasRoom(),
      row: appendMessage(outgoing),
      marked: markAnsweredUpTo(conversation_id, in_reply_to, ends),
      erased: eraseAnswered(conversation_id),
    });
    const disclaimer = first && readComplianceConfig(mergeLayers(first)).disclaimer;
    if (disclaimer !== undefined && kind === 'text' && row?.status !== 'failed')
      await sendAsSystem(services, q, tx, { conversation_id, text: disclaimer, key: 'disclaimer' });
    return { isNew: true, row: found('Message', row) };
  });
  const { isNew, row } = await added.catch(async (error: unknown) => {
    const isLate = error instanceof ServiceError && error.code === 'conflict' && in_reply_to !== null;
    if (isLate && ends) await q.run(handleLateAnswer(conversation_id, in_reply_to));
    throw error;
  });
  return { isNew, message: await readMessage(services, q, row) };
}

/** Queues a text of the control plane, once per key. Requires holdConversation. */
export async function sendAsSystem(
  services: ConversationServices,
  q: TenantQueryable,
  tx: Pick<TenantTx, 'run'>,
  { conversation_id, text, key }: { conversation_id: string; text: string; key: string },
): Promise<void> {
  const message = { conversation_id, author: 'system', kind: 'text', idempotency_key: key } as const;
  await tx.run(appendMessage(await seal(services, q, message, { text })));
}

/** A job's conversation may be deleted while it runs; then the job is over. */
export function overWhenDeleted(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'not_found') return undefined;
  throw error;
}

async function seal(
  { keyring }: ConversationServices,
  q: TenantQueryable,
  {
    failure,
    ...message
  }: Omit<NewMessage, 'id' | 'sealed_content' | 'direction' | 'status'> & {
    /** Set: the message is stored as failed, with this reason. */
    failure?: string | undefined;
  },
  content: MessageContent,
): Promise<NewMessage> {
  const id = randomUUID();
  const sealed_content = await sealContent(keyring, q, id, content);
  const status = failure === undefined ? 'queued' : 'failed';
  return { ...message, id, direction: 'out', status, reason: failure, sealed_content };
}
