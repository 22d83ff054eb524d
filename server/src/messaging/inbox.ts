import type { Database } from '../platform/db/database.ts';
import { isForeignKeyViolation, isRefusedContent } from '../platform/db/refusals.ts';
import { GroupCommit } from '../platform/load/group-commit.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Clock } from '../platform/ports.ts';
import type { JobQueue } from '../platform/queue.port.ts';
import { insertMessages, type NewChannelMessage } from './channel-messages.db.ts';
import { giveUpAt } from './message-deadline.ts';
import type { InboundMessage, MessageContents } from './webhook-payload.ts';

/** Messages of one request, in order. */
type Messages = readonly Omit<NewChannelMessage, 'delivery'>[];
/** Of one request all that are to be stored. */
export type Delivery = readonly (Omit<NewChannelMessage, 'delivery' | keyof MessageContents> &
  Pick<InboundMessage, 'contents'>)[];

/** While the database works on one group, the next one is made. */
const GROUPS_AT_ONCE = 2;
/** In characters of JSON. */
const MAX_GROUP_WEIGHT = 512 * 1024;
/** What a message weighs besides its JSON, so that a group has a limit of messages, too: 512. */
const MESSAGE_WEIGHT = 1024;

/** Stores messages with the jobs that forward them: several deliveries in one round trip and transaction. */
export class Inbox {
  readonly #services: { db: Database; queue: JobQueue; metrics: Metrics; clock: Clock };
  readonly #groups = new GroupCommit<Messages, boolean>(
    (group) => this.#store(group),
    { atOnce: GROUPS_AT_ONCE, maxWeight: MAX_GROUP_WEIGHT },
    isRefusedContent,
  );

  constructor(services: { db: Database; queue: JobQueue; metrics: Metrics; clock: Clock }) {
    this.#services = services;
  }

  /**
   * Resolves when the delivery is committed; with false when a message of it was signed for an endpoint that is gone or
   * has another secret by now, and was left out. A delivery that is too heavy for a group is committed piece by piece: if
   * it fails halfway, the channel delivers it again, and what was stored the first time counts as a duplicate.
   */
  async store(delivery: Delivery): Promise<boolean> {
    for (const { messages, weight } of piecesOf(delivery)) {
      if (!(await this.#groups.add(messages, weight).catch(isNotGone))) return false;
    }
    return true;
  }

  async #store(group: readonly Messages[]): Promise<boolean[]> {
    const { db, queue, metrics, clock } = this.#services;
    const messages = group.flatMap((delivery, index) =>
      delivery.map((message) => ({ delivery: index, ...message })),
    );
    const now = clock();
    const q = db.system;
    // Issued together: one round trip, one transaction.
    const [{ stored, duplicates, outdated }] = await Promise.all([
      insertMessages(q, messages, now, giveUpAt(now)),
      queue.enqueueLeft(q, 'forward_message'),
    ]);
    metrics.countWebhook('stored', stored);
    metrics.countWebhook('duplicate', duplicates);
    const isOutdated = new Set(outdated);
    return group.map((_, index) => !isOutdated.has(index));
  }
}

/** An endpoint that is deleted just while its message is stored is gone, as one that was deleted before. */
function isNotGone(error: unknown): false {
  if (isForeignKeyViolation(error, 'channel_messages_endpoint_id_fkey')) return false;
  throw error;
}

/**
 * A delivery in pieces that each, but for the last, are a group by their own weight; most deliveries are one piece. A
 * piece is made when the one before it is stored.
 */
function* piecesOf(delivery: Delivery): Generator<{ messages: Messages; weight: number }> {
  let [messages, weight]: [Messages[number][], number] = [[], 0];
  for (const { contents, ...ids } of delivery) {
    const message = { ...ids, ...contents() };
    messages.push(message);
    weight += MESSAGE_WEIGHT + message.raw.length;
    if (weight < MAX_GROUP_WEIGHT) continue;
    yield { messages, weight };
    [messages, weight] = [[], 0];
  }
  if (messages.length > 0) yield { messages, weight };
}
