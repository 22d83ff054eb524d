import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { personHasRoom, runtimeHasRoom } from '../access/stored-bytes.db.ts';
import type { TenantDb, TenantQueryable, TenantTx } from '../platform/db/queryable.ts';
import { found, ServiceError } from '../platform/errors.ts';
import type { Trace } from '../platform/tracing.ts';
import { readComplianceConfig } from '../recipes/fields/compliance-config.ts';
import type { NewMessage } from './append.db.ts';
import { appendMessage } from './append.db.ts';
import { mergeLayers } from './config-layers.ts';
import {
  conversationIsOf,
  enqueueConverse,
  expectMode,
  handleLateAnswer,
  incomingExists,
  markAnswered,
  markAnsweredUpTo,
  prolongHuman,
  type Taker,
  takeByAnswer,
  takesText,
} from './conversations.db.ts';
import { type ConversationServices, readMessage } from './conversations.ts';
import { findFirstAnswerConfig } from './disclaimer.db.ts';
import { type MessageContent, sealContent, templateText } from './message-content.ts';
import type { GivenTemplate, Media, Message, Usage } from './messages.contract.ts';
import { findMessageByKey, holdConversation } from './messages.db.ts';
import { eraseAnswered } from './retention.db.ts';
import { contentOf, expectWhole, fileKindOf, type RichParts } from './rich-answers.ts';
import { prepareAnswer } from './trigger-answers.ts';
import { notFree, readFree, take } from './uploads.ts';

interface PersonsMessage extends RichParts {
  text?: string | null | undefined;
  template?: GivenTemplate | null | undefined;
  idempotency_key?: string | null | undefined;
}

/** Queues a person's answer, or returns the earlier message of the idempotency key. */
export async function sendAsPerson(
  services: ConversationServices,
  q: TenantDb,
  conversation_id: string,
  taker: Taker,
  { text, template: given, idempotency_key, ...rich }: PersonsMessage,
  trace?: Trace,
): Promise<Static<typeof Message>> {
  expectWhole({ text, template: given, ...rich });
  const template = given && { ...given, parameters: given.parameters ?? [] };
  const file = await fileOf(services, q, conversation_id, rich);
  const kind = template ? 'template' : kindWith(file);
  const message = { conversation_id, author: 'person', kind, idempotency_key, ...writerOf(taker) } as const;
  const said = template
    ? { template, text: templateText(template) }
    : { text: text ?? null, ...contentOf(rich, file) };
  const content: MessageContent = { ...said, ...(trace && { trace }) };
  const outgoing = await seal(services, q, message, content);
  const row = await q.transaction(async (tx) => {
    const { earlier } = await tx.run({
      hold: holdConversation(conversation_id),
      earlier: findMessageByKey(conversation_id, 'person', idempotency_key ?? null),
    });
    if (earlier) return earlier;
    if (rich.media && !file) throw notFree();
    const { added } = await tx.run({
      mode: expectMode(
        conversation_id,
        'human',
        'The agent answers in this conversation: set its mode to human',
      ),
      window: takesText(conversation_id, kind === 'template'),
      room: personHasRoom(),
      taken: takeByAnswer(conversation_id, taker),
      prolonged: prolongHuman(conversation_id),
      added: appendMessage(outgoing),
      marked: markAnswered(conversation_id),
      erased: eraseAnswered(conversation_id),
      job: enqueueConverse(conversation_id, 'now'),
    });
    const row = found('Message', added);
    if (file) await take(tx, file.id, row);
    return row;
  });
  return readMessage(services, q, row);
}

/** undefined without one, and where there is no such file that is free. */
const fileOf = async (
  { keyring }: ConversationServices,
  q: TenantQueryable,
  conversation_id: string,
  { media }: RichParts,
) => media?.[0] && readFree(keyring, q, conversation_id, media[0].id);

const kindWith = (file: Media | undefined) => (file ? fileKindOf(file.mime_type) : 'text');

const writerOf = ({ kind, id }: Taker) => (kind === 'user' ? { user_id: id } : { key_id: id });

interface AgentsAnswer extends RichParts {
  text?: string | null | undefined;
  in_reply_to?: string | null | undefined;
  idempotency_key?: string | null | undefined;
  usage?: Usage | null | undefined;
  error?: string | null | undefined;
  tool_calls?: unknown[] | null | undefined;
}

/** The answer as it is stored. @returns also the file that it takes */
async function sealAnswer(
  services: ConversationServices,
  q: TenantDb,
  conversation_id: string,
  { text, in_reply_to = null, idempotency_key, usage, error, tool_calls, ...rich }: AgentsAnswer,
  trace: Trace | undefined,
) {
  const given = { text: text ?? '', in_reply_to };
  const { kind, content, failure } = await prepareAnswer(services.keyring, q, conversation_id, given);
  const isAsGiven = kind === 'text';
  const file = isAsGiven ? await fileOf(services, q, conversation_id, rich) : undefined;
  const message = {
    conversation_id,
    author: 'agent',
    kind: isAsGiven ? kindWith(file) : kind,
    failure,
    in_reply_to,
    idempotency_key: idempotency_key ?? in_reply_to,
    usage,
  } as const;
  const outgoing = await seal(services, q, message, {
    ...content,
    ...(isAsGiven && { text: text ?? null, ...contentOf(rich, file) }),
    ...(error && { error }),
    ...(tool_calls && { tool_calls }),
    ...(trace && { trace }),
  });
  return { outgoing, file, isAsGiven, lacksFile: isAsGiven && Boolean(rich.media) && !file };
}

/**
 * Queues the agent's answer. Only the first answer to a message counts. While a person has the conversation, the answer is
 * refused (409) and its message is marked as handled.
 */
export async function answerAsAgent(
  services: ConversationServices,
  q: TenantDb,
  ids: { instance_id: string; conversation_id: string },
  answer: AgentsAnswer,
  trace?: Trace,
): Promise<{ isNew: boolean; message: Static<typeof Message> }> {
  expectWhole(answer);
  const { instance_id, conversation_id } = ids;
  const { in_reply_to = null, idempotency_key } = answer;
  const key = idempotency_key ?? in_reply_to;
  // A key of its own: more answers may follow, so the message ends with the runtime's 2xx.
  const ends = key === in_reply_to;
  const sealed = await sealAnswer(services, q, conversation_id, answer, trace);
  const { outgoing, file, isAsGiven, lacksFile } = sealed;
  const added = q.transaction(async (tx) => {
    const { first, earlier } = await tx.run({
      conversation: conversationIsOf(instance_id, conversation_id),
      hold: holdConversation(conversation_id),
      first: findFirstAnswerConfig(conversation_id),
      incoming: incomingExists(conversation_id, in_reply_to),
      earlier: findMessageByKey(conversation_id, 'agent', key),
    });
    if (earlier) return { isNew: false, row: earlier };
    if (lacksFile) throw notFree();
    const { row: added } = await tx.run({
      mode: expectMode(conversation_id, 'agent', 'A person answers in this conversation'),
      room: runtimeHasRoom(),
      row: appendMessage(outgoing),
      marked: markAnsweredUpTo(conversation_id, in_reply_to, ends),
      erased: eraseAnswered(conversation_id),
    });
    const row = found('Message', added);
    if (file) await take(tx, file.id, row);
    const disclaimer = first && readComplianceConfig(mergeLayers(first)).disclaimer;
    if (disclaimer !== undefined && isAsGiven && row.status !== 'failed')
      await sendAsSystem(services, q, tx, { conversation_id, text: disclaimer, key: 'disclaimer' });
    return { isNew: true, row };
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
