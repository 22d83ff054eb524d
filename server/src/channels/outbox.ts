import { acceptConnection, claimProbe, refuseConnection } from '../connections/connections.db.ts';
import { overWhenDeleted } from '../conversations/conversations.ts';
import { isUnreadable, openContent, UNREADABLE } from '../conversations/message-content.ts';
import { holdConversation } from '../conversations/messages.db.ts';
import type { Part } from '../conversations/sent-messages.db.ts';
import {
  beginSending,
  failMessage,
  pairLimited,
  partSent,
  sendingFailed,
  sendingUnknown,
  sendingWaits,
} from '../conversations/sent-messages.db.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { storableText } from '../platform/json/storable-json.ts';
import type { Again } from '../platform/queue/jobs.db.ts';
import { TryLater } from '../platform/queue/queue.ts';
import type { SeldomLog } from '../platform/seldom-log.ts';
import { type Tracing, traceCall } from '../platform/tracing.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openToken } from './access-token.ts';
import type { ChannelMetrics } from './channel-metrics.ts';
import { type ChannelPart, partsOf, withMediaId } from './channel-parts.ts';
import { claimTry, endPause, endTry, pauseNumber } from './number-pauses.db.ts';
import { findQueuedMessage, type QueuedMessage, sendWaitingOfCustomer } from './outbox.db.ts';
import type { OutgoingFiles } from './outgoing-files.ts';
import type { SendApi, SendRequest, SendResult } from './send-api.port.ts';

/** After an unknown outcome, a delivery receipt may arrive within this time. */
const RECEIPT_WITHIN_SECONDS = 60;
/** Sends of a part without an outcome: each of them may have reached the person. */
const MOST_OPEN_SENDS = 2;
/** A message is given up after a day. */
const PAUSE_MS = { least: 1000, most: 24 * 60 * 60_000 };
const LIMITED = 'The channel limits what is sent from the number';
const PROBE_MINUTES = 15;
const MAX_ERROR_LENGTH = 300;

export interface OutboxServices {
  keyring: Keyring;
  sendApi: SendApi;
  outgoingFiles: OutgoingFiles;
  settings: { chatapp_api_base_url: string };
  channelMetrics: ChannelMetrics;
  /** Failures, once a minute per connection. */
  seldomLog: SeldomLog;
  tracing: Tracing;
}

/**
 * The job of a conversation's outgoing messages: sends queued messages in order. One run at a time. Rejects when the oldest
 * message has to be retried after a backoff.
 * @returns when to run again; undefined when no messages are left
 */
export async function sendMessages(
  services: OutboxServices,
  q: TenantDb,
  conversation_id: string,
  signal: AbortSignal,
): Promise<Again | undefined> {
  while (!signal.aborted) {
    const message = await q.run(findQueuedMessage(conversation_id, RECEIPT_WITHIN_SECONDS));
    if (!message) return undefined;
    const next = await sendNext({ services, q, conversation_id }, message).catch(overWhenDeleted);
    // A message that is queued meanwhile enqueues the job again.
    if (next === undefined || (next === 'sent' && !message.has_next)) return undefined;
    if (next instanceof Date) return next;
    if (next === 'failed') throw new TryLater('The channel did not take the message');
  }
  return 'now';
}

interface Sending {
  services: OutboxServices;
  q: TenantDb;
  conversation_id: string;
}

/** When to continue; `sent` after the last part of a message, `failed` to retry after a backoff. */
type Next = Date | 'now' | 'sent' | 'failed';

async function sendNext(sending: Sending, message: QueuedMessage): Promise<Next> {
  const { q } = sending;
  if (message.give_up_at <= q.now) {
    return write(
      sending,
      failMessage(message.id, `Given up after 24 hours: ${message.error ?? 'it was never tried'}`),
    );
  }
  const { settles_until, connection_id, sealed_credentials } = message;
  const waits_until = settles_until ?? message.pair_until;
  if (waits_until !== null) return earlier(waits_until, message.give_up_at);
  if (message.open_sends >= MOST_OPEN_SENDS) {
    const reason = `Nobody knows if the channel took it: ${message.error ?? 'the service ended while it was sent'}`;
    return write(sending, failMessage(message.id, reason.slice(0, MAX_ERROR_LENGTH)));
  }
  const { endpoint_id, phone_number_id } = message;
  if (endpoint_id === null || phone_number_id === null) {
    return write(sending, failMessage(message.id, 'The number that it is sent from was deleted'));
  }
  if (connection_id === null || sealed_credentials === null) {
    return waitFor(sending, message, 'The customer has no chatapp connection to send with');
  }
  if (message.refused_at !== null && !(await q.run(claimProbe(connection_id, PROBE_MINUTES)))) {
    return waitFor(
      sending,
      message,
      'The channel refused the credentials of the connection',
      message.probe_at,
    );
  }
  if (message.is_paused) return waitForNumber(sending, message);
  return sendPart(sending, message, { endpoint_id, phone_number_id, connection_id, sealed_credentials });
}

interface Way {
  endpoint_id: string;
  phone_number_id: string;
  connection_id: string;
  sealed_credentials: Buffer;
}

async function sendPart(
  sending: Sending,
  message: QueuedMessage,
  { endpoint_id, phone_number_id, connection_id, sealed_credentials }: Way,
): Promise<Next> {
  const { services, q } = sending;
  const content = await openContent(services.keyring, q, message);
  if (isUnreadable(content)) return write(sending, failMessage(message.id, UNREADABLE));
  const parts = partsOf(content);
  const part = parts[message.parts_sent];
  if (part === undefined) return write(sending, failMessage(message.id, 'Its content was erased'));
  const place = { id: message.id, part: message.parts_sent, parts: parts.length };
  if (message.paused_until !== null && !(await q.run(claimTry(endpoint_id)))) return 'now';
  const access_token = await openToken(services.keyring, q, connection_id, sealed_credentials);
  const base_url = message.base_url ?? services.settings.chatapp_api_base_url;
  const to = { base_url, phone_number_id, access_token, trace: content.trace };
  const result = await tryPart(sending, message, { part, place, to });
  if (result === undefined) return 'now';
  noteOutcome(sending, connection_id, result);
  const connection = { id: connection_id, sealed_credentials, refused_at: message.refused_at };
  const isTry = message.paused_until !== null;
  if (result.outcome === 'limited' && !result.is_of_pair) {
    await q.run(pauseNumber(endpoint_id, toldPause(result), isTry));
    return write(sending, sendingFailed(message.id, errorOf(result.reason)));
  }
  const next = await settle(sending, place, connection, result);
  if (isTry) await q.run(tellsOfLimit(result) ? endPause(endpoint_id) : endTry(endpoint_id));
  return next;
}

interface Try {
  part: ChannelPart;
  place: Part;
  to: Omit<SendRequest, 'body'>;
}

/** The file first, if the part has one. @returns undefined when another part is next */
async function tryPart(
  { services, q, conversation_id }: Sending,
  message: QueuedMessage,
  { part, place, to }: Try,
): Promise<SendResult | undefined> {
  // A failure before the send leaves no outcome open.
  const given = part.file && (await services.outgoingFiles.give(q, conversation_id, part.file, to));
  if (given && given.outcome !== 'accepted') return given;
  if (!(await q.run(beginSending(place)))) return undefined;
  const body = { ...envelopeOf(message), ...(given ? withMediaId(part, given.channel_id ?? '') : part.body) };
  return traceCall(
    services.tracing,
    { job: 'send_messages', call: 'POST send API', attributes: { 'acp.message_id': message.id } },
    to.trace,
    (trace) => services.sendApi.send({ ...to, body, trace }),
    ({ outcome }) => (outcome === 'accepted' ? undefined : outcome),
  );
}

const toldPause = ({ pause_ms }: SendResult): number | null =>
  pause_ms === undefined ? null : clamp(pause_ms, PAUSE_MS);

/** A number that is limited gets no answer about a message. */
const tellsOfLimit = ({ outcome }: SendResult): boolean =>
  outcome === 'accepted' || outcome === 'refused' || outcome === 'limited';

/** The oldest message comes first when the pause is over. */
async function waitForNumber(
  { q, conversation_id }: Sending,
  { id, error, paused_until, rank, give_up_at }: QueuedMessage,
): Promise<Date> {
  if (error === null) await q.run(holdConversation(conversation_id), sendingWaits(id, LIMITED));
  const turn_at = (paused_until ?? give_up_at).getTime() + rank;
  return earlier(new Date(turn_at), give_up_at);
}

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);

const clamp = (value: number, { least, most }: { least: number; most: number }): number =>
  Math.min(most, Math.max(least, value));

const errorOf = (reason: string): string => storableText(reason).slice(0, MAX_ERROR_LENGTH);

async function settle(
  sending: Sending,
  place: Part,
  connection: { id: string; sealed_credentials: Buffer; refused_at: Date | null },
  result: SendResult,
): Promise<Next> {
  const { id } = place;
  const { outcome, channel_id } = result;
  const error = errorOf(result.reason);
  if (outcome === 'accepted') {
    await write(sending, partSent(place, channel_id ?? null));
    if (connection.refused_at !== null) await resumeConnection(sending, connection.id);
    return place.part + 1 === place.parts ? 'sent' : 'now';
  }
  if (outcome === 'refused') return write(sending, failMessage(id, error));
  if (outcome === 'limited') return write(sending, pairLimited(id, error, toldPause(result)));
  if (outcome === 'unknown') return write(sending, sendingUnknown(id, error));
  if (outcome === 'failed') {
    await write(sending, sendingFailed(id, error));
    return 'failed';
  }
  await write(sending, sendingFailed(id, error), refuseConnection(connection, error, PROBE_MINUTES));
  return new Date(sending.q.now.getTime() + PROBE_MINUTES * 60_000);
}

/** A refused connection works again. */
const resumeConnection = ({ q }: Sending, connection_id: string) =>
  q.transaction(async (tx) => {
    const customer_id = await tx.run(acceptConnection(connection_id));
    if (customer_id !== undefined) await tx.run(sendWaitingOfCustomer(customer_id));
  });

/** `reason` is logged; it contains no secrets and no text of the message. */
function noteOutcome(
  { services, q, conversation_id }: Sending,
  connection_id: string,
  { outcome, reason }: SendResult,
): void {
  services.channelMetrics.sent.count(outcome);
  if (outcome === 'accepted') return;
  const { tenant_id } = q;
  services.seldomLog.warn(
    connection_id,
    { tenant_id, conversation_id, connection_id, outcome, reason },
    'the channel did not take a message',
  );
}

/** Keeps the message queued, with the reason as its error. */
async function waitFor(
  sending: Sending,
  message: QueuedMessage,
  why: string,
  until: Date | null = null,
): Promise<Date> {
  if (message.error === null) await write(sending, sendingWaits(message.id, why));
  const later = new Date(sending.q.now.getTime() + PROBE_MINUTES * 60_000);
  return until !== null && until > sending.q.now ? until : later;
}

/** Locks the conversation, so that changes are committed in order. */
async function write({ q, conversation_id }: Sending, ...queries: readonly Query<unknown>[]): Promise<'now'> {
  await q.runAll<unknown>([holdConversation(conversation_id), ...queries]);
  return 'now';
}

const envelopeOf = (message: QueuedMessage): JsonObject => ({
  messaging_product: 'whatsapp',
  ...recipientOf(message),
  biz_opaque_callback_data: message.id,
});

function recipientOf({ is_group, phone, external_id }: QueuedMessage): JsonObject {
  if (is_group) return { recipient_type: 'group', to: external_id };
  return { recipient_type: 'individual', ...(phone === null ? { recipient: external_id } : { to: phone }) };
}
