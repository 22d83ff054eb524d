import { randomUUID } from 'node:crypto';
import { setIdentity } from '../conversations/conversations.db.ts';
import { readHistory } from '../conversations/history.ts';
import { isUnreadable, type MessageContent, openContent } from '../conversations/message-content.ts';
import type { Quoted } from '../conversations/messages.contract.ts';
import { readQuoted } from '../conversations/quoted.ts';
import { spellingsOf } from '../identities/address-spellings.ts';
import { findServedIdentity, linkAddresses } from '../identities/identity-addresses.db.ts';
import type { Sender } from '../platform/actor.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { storableText } from '../platform/json/storable-json.ts';
import { type Trace, traceCall } from '../platform/tracing.ts';
import { withoutSecrets } from '../platform/without-secrets.ts';
import { messageSecretContext } from '../runtimes/agent-secrets.ts';
import { openedOr } from '../secrets/unreadable.ts';
import { type WaitingConversation, type WaitingMessage } from './forwarding.db.ts';
import type { ForwardingPass } from './forwarding-pass.ts';

const MAX_ERROR_LENGTH = 300;
/** The length of a PIN. Shorter texts also occur inside other words, so they stay. */
const MIN_HIDDEN_LENGTH = 4;
/** A playground message names its identity itself. */
const PLAYGROUND = 'playground';

/** Why messages were not taken: the reason, or the ids of those that cannot be deciphered. */
type Failure = { reason: string } | { unreadable: string[] };

/** @returns undefined when the runtime took the messages */
export async function deliverToRuntime(
  pass: ForwardingPass,
  messages: readonly WaitingMessage[],
): Promise<Failure | undefined> {
  const { services, q, conversation } = pass;
  const { keyring, runtimes, senderTokens } = services;
  const { instance_id, instance_status, runtime_address, sealed_message_secret } = conversation;
  if (instance_status !== 'running') return { reason: `The instance is ${instance_status}` };
  if (runtime_address === null || sealed_message_secret === null)
    return { reason: 'The instance has no runtime' };
  const contents = await Promise.all(messages.map((message) => openContent(keyring, q, message)));
  const unreadable = messages.filter((_, index) => isUnreadable(contents[index] ?? {})).map(({ id }) => id);
  if (unreadable.length > 0) return { unreadable };
  const opening = keyring.open(q, sealed_message_secret, messageSecretContext(instance_id));
  const secret = await openedOr(opening, undefined);
  if (secret === undefined) return { reason: 'The secret of the instance’s runtime is unreadable' };
  const identity_id = await findSender(q, conversation);
  const burst = { message_id: firstArrived(messages), try_id: randomUUID() };
  const sender_token = senderTokens.mint({ ...senderOf(q, conversation, identity_id), burst }, q.now);
  const outgoing = await forwarded(pass, messages, contents);
  await showReading(pass, messages, contents.at(-1)?.trace);
  try {
    const body = { ...outgoing, identity_id, sender_token };
    await traceCall(
      services.tracing,
      { job: 'converse', call: 'POST /messages', attributes: { 'acp.instance_id': instance_id } },
      contents.at(-1)?.trace,
      (trace) => runtimes.postMessage(runtime_address, secret, body, trace),
      () => undefined,
    );
    return undefined;
  } catch (error) {
    return { reason: describeError(error, [secret, sender_token], contents) };
  }
}

/** Calls of tools are known by it, also when an earlier message joins the burst at a later try. */
const firstArrived = (messages: readonly WaitingMessage[]): string =>
  messages.toSorted((a, b) => a.number - b.number)[0]?.id ?? '';

/** At the first try. A trigger or a notice is nothing that the sender wrote. */
async function showReading(
  { services, q, conversation }: ForwardingPass,
  messages: readonly WaitingMessage[],
  trace: Trace | undefined,
): Promise<void> {
  const last = messages.at(-1);
  if (conversation.channel !== 'chatapp' || !last || last.is_system || last.kind === 'trigger') return;
  if (last.last_error === null) await services.readMarks.show(q, conversation.id, last.message_id, trace);
}

/** The sender that the token stands for. */
function senderOf(
  { tenant_id }: TenantQueryable,
  { id, instance_id, customer_id, channel, addresses }: WaitingConversation,
  identity_id: string | null,
): Sender {
  return { tenant_id, instance_id, conversation_id: id, customer_id, identity_id, channel, addresses };
}

/** The body of `POST {runtime}/messages` (contract, sections 7 and 13), without identity and sender token. */
async function forwarded(
  { services, q, conversation }: ForwardingPass,
  messages: readonly WaitingMessage[],
  contents: readonly MessageContent[],
) {
  const { id, channel, external_id, addresses, customer_id, retention_days, locale } = conversation;
  const [first] = messages;
  const texts = contents.flatMap(({ text, notice }) => (typeof text === 'string' && !notice ? [text] : []));
  const last = contents.at(-1);
  const quotedIn = await readQuoted(services.keyring, q, id, contents);
  const parts = contents.map((content, index) => partOf(content, messages[index], quotedIn(content)));
  return {
    message_id: first?.message_id,
    conversation_id: id,
    message_ids: messages.map(({ message_id }) => message_id),
    channel,
    external_id,
    addresses,
    customer_id,
    locale,
    kind: messages.at(-1)?.kind,
    text: texts.length === 0 ? null : texts.join('\n'),
    quoted: parts.findLast(({ quoted }) => quoted !== null)?.quoted ?? null,
    referral: parts.findLast(({ referral }) => referral !== null)?.referral ?? null,
    forwarded: parts.at(-1)?.forwarded ?? false,
    ...(parts.length > 1 && { messages: parts }),
    media: contents.flatMap(({ media = [] }) => media),
    reply_id: last?.reply_id ?? null,
    ...(last?.edited_message_id !== undefined && { edited_message_id: last.edited_message_id }),
    ...(last?.revoked_message_id !== undefined && { revoked_message_id: last.revoked_message_id }),
    ...(last?.reaction && { reaction: last.reaction }),
    ...last?.notice,
    raw: last?.raw ?? {},
    received_at: latest(messages.map(({ received_at }) => received_at)),
    sent_at: messages.at(-1)?.sent_at.toISOString(),
    history: retention_days === 0 ? [] : await readHistory(services.keyring, q, id),
  };
}

/** One message of a burst. */
const partOf = (
  { text, reply_id, notice, referral, forwarded }: MessageContent,
  message: WaitingMessage | undefined,
  quoted: Quoted | null,
) => ({
  message_id: message?.message_id,
  kind: message?.kind,
  text: notice ? null : (text ?? null),
  ...(reply_id !== undefined && { reply_id }),
  sent_at: message?.sent_at.toISOString(),
  quoted,
  referral: referral ?? null,
  forwarded: forwarded ?? false,
});

const latest = (times: readonly Date[]): string =>
  new Date(Math.max(...times.map((time) => time.getTime()))).toISOString();

/** Finds the sender's identity, and adds the sender's other addresses to it. */
export async function findSender(
  q: TenantQueryable,
  conversation: WaitingConversation,
): Promise<string | null> {
  const { id, instance_id, customer_id, channel, addresses, identity_id: known_id } = conversation;
  if (channel === PLAYGROUND) return known_id;
  const found = await q.run(findServedIdentity(instance_id, channel, addresses.flatMap(spellingsOf)));
  const identity = found?.customer_id === customer_id ? found : undefined;
  const identity_id = identity?.identity_id ?? null;
  if (identity && addresses.length > 1)
    await q.run(linkAddresses(identity, addresses), setIdentity(id, identity_id));
  else if (identity_id !== known_id) await q.run(setIdentity(id, identity_id));
  return identity_id;
}

/** Without secrets and texts of people: a runtime may quote them in its error. */
function describeError(
  error: unknown,
  secrets: readonly string[],
  contents: readonly MessageContent[],
): string {
  const message = error instanceof Error ? error.message : 'Unknown error';
  const texts = contents.flatMap(({ text }) =>
    typeof text === 'string' && text.length >= MIN_HIDDEN_LENGTH ? [text] : [],
  );
  return storableText(withoutSecrets(message, [...secrets, ...texts])).slice(0, MAX_ERROR_LENGTH);
}
