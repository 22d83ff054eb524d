import { sendAsSystem } from '../conversations/answers.ts';
import { endHuman, endJoining } from '../conversations/conversations.db.ts';
import { overWhenDeleted } from '../conversations/conversations.ts';
import type { HandledMessage } from '../conversations/handled-messages.db.ts';
import {
  markDead,
  markHandled,
  recordFailedAttempt,
  setBurst,
} from '../conversations/handled-messages.db.ts';
import { isUnreadable, openContent, sealContent, UNREADABLE } from '../conversations/message-content.ts';
import { holdConversation, TRIGGER } from '../conversations/messages.db.ts';
import { eraseAnswered } from '../conversations/retention.db.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import type { Again } from '../platform/queue/jobs.db.ts';
import { TryLater } from '../platform/queue/queue.ts';
import { greet, stayClosed } from './automatic-replies.ts';
import { asWritten, burstOf } from './bursts.ts';
import { deliverToRuntime } from './deliver-to-runtime.ts';
import {
  countForwarded,
  findWaitingConversation,
  listContents,
  listWaiting,
  type WaitingMessage,
} from './forwarding.db.ts';
import {
  type ForwardingPass,
  type ForwardingServices,
  settingsOf,
  withTranscripts,
} from './forwarding-pass.ts';
import { askNextStep, isOnboarding } from './onboarding.ts';
import { findRepeats } from './repeats.db.ts';
import { repeatsIn } from './repeats.ts';
import { sentencesIn } from './sentences.ts';
import { noteUntoldTrigger } from './triggers.db.ts';
import { wakeRuntime } from './waking.ts';

const MAX_ERROR_LENGTH = 300;
const SENDER_WINDOW_MS = 10 * 60_000;
const LOOPS = 'Not forwarded: the same text again after each answer, as from a machine';
/** After this many bursts, other conversations of the instance get their turn. */
const MAX_BURSTS = 16;
const MAX_BURST_MESSAGES = 50;
/** Tries of a message that has an answer by a key of its own, the first one included. */
const MOST_PARTIAL_TRIES = 4;
/** The end of a wake enqueues the job. */
const WAKING_LOOK_MS = 60_000;

/**
 * The job of a conversation: delivers its waiting messages to the runtime, in order. One run at a time. Rejects when the
 * oldest messages have to be retried after a backoff.
 * @param draining aborted when no new burst may begin
 * @returns when to run again; undefined when no messages are left
 */
export async function forwardMessages(
  services: ForwardingServices,
  q: TenantDb,
  conversation_id: string,
  signal: AbortSignal,
  draining: AbortSignal,
): Promise<Again | undefined> {
  const goesOn = () => !signal.aborted && !draining.aborted;
  for (let count = 0; count < MAX_BURSTS && goesOn(); count++) {
    const { now } = q;
    const [conversation, waiting, repeats] = await q.run(
      findWaitingConversation(conversation_id),
      listWaiting(conversation_id, MAX_BURST_MESSAGES),
      findRepeats(conversation_id),
    );
    if (!conversation) return undefined;
    const settings = settingsOf(conversation);
    const pass = { services, q, now, conversation, settings, repeats, signal };
    const next = await runPass(pass, waiting).catch(overWhenDeleted);
    if (next === 'failed' && count > 0) return 'now';
    if (next === 'failed') throw new TryLater('The runtime did not take the message');
    if (next === 'waiting') return { afterMs: WAKING_LOOK_MS };
    if (next !== 'again') return next;
  }
  return 'now';
}

/** `again`: another pass may follow at once; `failed`: a delivery has to be retried; `waiting`: for the runtime to wake */
type Next = 'again' | 'failed' | 'waiting';

async function runPass(
  pass: ForwardingPass,
  waiting: readonly WaitingMessage[],
): Promise<Again | undefined | Next> {
  const { q, now, conversation } = pass;
  const isAnswered = ({ is_system, number }: WaitingMessage) =>
    !is_system && number <= conversation.ended_number;
  const answered = waiting.filter(isAnswered);
  if (answered.length > 0) {
    await handle(pass, answered);
    return 'again';
  }
  if (conversation.instance_status === 'terminated' && waiting.length > 0) {
    await giveUp(pass, { ids: waiting.map(({ id }) => id), reason: 'The instance is terminated' });
    return 'again';
  }
  const systemMessages = waiting.filter(({ is_system }) => is_system);
  if (conversation.mode === 'human') return waitForPerson(pass, systemMessages);
  if (waiting.length === 0) {
    if (conversation.joins_waiting) await q.run(endJoining(conversation.id));
    return undefined;
  }
  const givenUp = messagesToGiveUp(pass, waiting, now);
  if (givenUp) {
    await giveUp(pass, givenUp);
    const isTrigger = waiting.some(({ id, kind }) => kind === TRIGGER && givenUp.ids.includes(id));
    if (isTrigger) await q.run(noteUntoldTrigger(conversation.instance_id, `A trigger: ${givenUp.reason}`));
    return 'again';
  }
  const [systemMessage] = systemMessages;
  if (systemMessage) {
    const next = await forward(pass, [systemMessage]);
    return next === 'rest' ? 'again' : next;
  }
  await greet(pass);
  if (isOnboarding(pass)) return askNextStep(pass, waiting);
  const opens_at = await stayClosed(pass);
  if (opens_at) return opens_at;
  return forwardBurst(pass, waiting);
}

/** Nothing is forwarded: the person reads system messages too. */
async function waitForPerson(
  pass: ForwardingPass,
  systemMessages: readonly WaitingMessage[],
): Promise<Date | undefined | 'again'> {
  const { q, now, conversation } = pass;
  const { human_until } = conversation;
  if (human_until !== null && human_until <= now) {
    await q.run(endHuman(conversation.id));
    return 'again';
  }
  if (systemMessages.length === 0) return human_until ?? undefined;
  await handle(pass, systemMessages, {
    isForwarded: false,
    why: 'Not forwarded: a person has the conversation',
  });
  return 'again';
}

function messagesToGiveUp(
  pass: ForwardingPass,
  waiting: readonly WaitingMessage[],
  now: Date,
): { ids: string[]; reason: string } | undefined {
  const { is_served } = pass.conversation;
  if (!is_served) {
    return { ids: waiting.map(({ id }) => id), reason: 'The instance does not serve the customer any more' };
  }
  const isAsked = isOnboarding(pass);
  const [late] = waiting.filter(({ give_up_at, is_system }) => give_up_at <= now && (is_system || !isAsked));
  if (!late) return undefined;
  const after = late.is_system ? 'Given up' : 'Given up after 24 hours';
  const reason = `${after}: ${late.last_error ?? 'it never came to its turn'}`;
  return { ids: [late.id], reason: reason.slice(0, MAX_ERROR_LENGTH) };
}

async function forwardBurst(
  pass: ForwardingPass,
  waiting: readonly WaitingMessage[],
): Promise<Date | undefined | Next> {
  const { q, now, conversation } = pass;
  const burst = burstOf(pass, waiting);
  if (burst.complete_at > now) return burst.complete_at;
  const { loops, notes } = await repeatsIn(pass, burst.messages);
  if (loops.length > 0) {
    await q.runAll(notes);
    await leaveOut(pass, loops, LOOPS);
    return 'again';
  }
  const room = await roomFor(pass, burst.messages, notes);
  if (room === 0) {
    await refuse(pass, burst.messages);
    return 'again';
  }
  const chosen = asWritten(burst.messages.slice(0, room));
  if (chosen.length > 1) await q.run(setBurst(chosen.map(({ id }) => id)));
  const next = await forward(pass, await withTranscripts(pass, chosen));
  if (next === 'rest') return 'again';
  const isLast = chosen.length === waiting.length && waiting.length < MAX_BURST_MESSAGES;
  if (next === 'again' && isLast && conversation.joins_waiting) await q.run(endJoining(conversation.id));
  // A message that arrives meanwhile enqueues the job again.
  return next === 'again' && isLast ? undefined : next;
}

/** Delivers messages to the runtime as one. @returns `rest` when they, or some of them, still wait for another look */
async function forward(pass: ForwardingPass, messages: readonly WaitingMessage[]): Promise<Next | 'rest'> {
  const { q, conversation } = pass;
  const wake = await wakeRuntime(pass);
  if (typeof wake === 'string') return wake;
  const failure = wake ?? (await deliverToRuntime(pass, messages));
  if (failure && 'unreadable' in failure) {
    await giveUp(pass, { ids: failure.unreadable, reason: UNREADABLE });
    return 'rest';
  }
  if (failure) {
    const ids = messages.map(({ id }) => id);
    noteFailure(pass, ids.length, failure.reason);
    const { tries } = await q.run({
      hold: holdConversation(conversation.id),
      tries: recordFailedAttempt(ids, failure.reason),
    });
    if (Math.max(0, ...tries) < MOST_PARTIAL_TRIES) return 'failed';
    const why = `Answered in part; then the runtime failed ${MOST_PARTIAL_TRIES} times: ${failure.reason}`;
    await handle(pass, messages, { isForwarded: true, why: why.slice(0, MAX_ERROR_LENGTH) });
    return 'again';
  }
  await handle(pass, messages, { isForwarded: true });
  pass.services.dialogueMetrics.forwarded.count('delivered', messages.length);
  return 'again';
}

/** @param reason without secrets and texts of people, because it is logged */
function noteFailure({ services, conversation }: ForwardingPass, count: number, reason: string): void {
  const { instance_id, id: conversation_id } = conversation;
  services.dialogueMetrics.forwarded.count('failed', count);
  services.seldomLog.warn(
    instance_id,
    { instance_id, conversation_id, reason },
    'a runtime did not take a message; it is tried again',
  );
}

async function giveUp(
  { services, q, conversation }: ForwardingPass,
  { ids, reason }: { ids: string[]; reason: string },
): Promise<void> {
  await q.run(holdConversation(conversation.id), markDead(ids, reason));
  const { instance_id, id: conversation_id } = conversation;
  services.dialogueMetrics.forwarded.count('dead', ids.length);
  services.seldomLog.warn(
    `dead ${instance_id}`,
    { instance_id, conversation_id, reason, messages: ids.length },
    'messages were given up',
  );
}

/**
 * How many of the messages the sender's limit allows (contract, section 17). Retried bursts are not split.
 * @param notes run in the same round trip
 */
async function roomFor(
  { q, conversation: { id, sender_messages } }: ForwardingPass,
  messages: readonly WaitingMessage[],
  notes: readonly Query<unknown>[],
): Promise<number> {
  const count = countForwarded(id);
  const counted = (await q.runAll<unknown>([...notes, count])).at(-1) as number;
  const isTried = messages.some(({ burst }) => burst !== null);
  if (isTried) return messages.length;
  return Math.max(0, Math.min(messages.length, sender_messages - counted));
}

/** Marks messages above the limit as handled, with one reply per 10 minutes. */
async function refuse(pass: ForwardingPass, messages: readonly WaitingMessage[]): Promise<void> {
  const { services, q, now, conversation } = pass;
  const why = `Not forwarded: more than ${conversation.sender_messages} messages of the sender in 10 minutes`;
  await leaveOut(pass, messages, why);
  const key = `too-many:${Math.floor(now.getTime() / SENDER_WINDOW_MS)}`;
  await q.transaction(async (tx) => {
    await tx.run(holdConversation(conversation.id));
    const text = sentencesIn(conversation.locale).too_many;
    await sendAsSystem(services, q, tx, { conversation_id: conversation.id, text, key });
  });
}

/** Marks messages as handled that do not go to the runtime. */
async function leaveOut(
  pass: ForwardingPass,
  messages: readonly WaitingMessage[],
  why: string,
): Promise<void> {
  await handle(pass, messages, { isForwarded: false, why });
  pass.services.dialogueMetrics.forwarded.count('refused', messages.length);
}

/** Marks messages as handled and erases their `raw`. */
async function handle(
  { services, q, conversation }: ForwardingPass,
  messages: readonly WaitingMessage[],
  how: Pick<HandledMessage, 'isForwarded' | 'why'> = { isForwarded: false },
): Promise<void> {
  const ids = messages.map(({ id }) => id);
  await q.transaction(async (tx) => {
    // Read again, because a PIN may have been masked while the runtime had the messages.
    const { stored } = await tx.run({ hold: holdConversation(conversation.id), stored: listContents(ids) });
    const marks = stored.map(async (message): Promise<Query<unknown>> => {
      const content = await openContent(services.keyring, q, message);
      const { raw: _, trace: __, ...kept } = content;
      const isKept = message.sealed_content === null || isUnreadable(content);
      const sealed_content = isKept
        ? message.sealed_content
        : await sealContent(services.keyring, q, message.id, kept);
      return markHandled({ id: message.id, sealed_content, ...how });
    });
    await tx.runAll<unknown>([...(await Promise.all(marks)), eraseAnswered(conversation.id)]);
  });
}
