import { isForeignKeyViolation, isRefusedContent } from '../platform/db/constraint-errors.ts';
import type { Database } from '../platform/db/database.ts';
import { GroupCommit } from '../platform/load/group-commit.ts';
import type { Metrics } from '../platform/metrics.ts';
import { insertMessages, type NewChannelMessage } from './inbox.db.ts';
import type { InboundMessage, MessageContents } from './webhook-payload.ts';

/** The messages of one delivery, in order. */
type Messages = readonly Omit<NewChannelMessage, 'delivery'>[];
/** The same, with contents that are made when they are stored. */
export type Delivery = readonly (Omit<NewChannelMessage, 'delivery' | keyof MessageContents> &
  Pick<InboundMessage, 'contents'>)[];

/** The next group is made while the database works on one. */
const GROUPS_AT_ONCE = 2;
/** In characters of JSON. */
const MAX_GROUP_WEIGHT = 512 * 1024;
/** Weight of a message besides its JSON, so that a group has at most 512 messages. */
const MESSAGE_WEIGHT = 1024;

/**
 * Where webhook messages wait: in `channel_messages` with the status `pending`, from the webhook's 200 until a runtime has
 * taken them or 24 hours are over. Each conversation with waiting messages has one job (`forward_messages`), which
 * message-forwarding.ts runs. The inbox stores the messages of several deliveries in one statement, jobs included.
 */
export class Inbox {
  readonly #services: { db: Database; metrics: Metrics };
  readonly #groups = new GroupCommit<Messages, boolean>(
    (group) => this.#store(group),
    { atOnce: GROUPS_AT_ONCE, maxWeight: MAX_GROUP_WEIGHT },
    isRefusedContent,
  );

  constructor(services: { db: Database; metrics: Metrics }) {
    this.#services = services;
  }

  /**
   * Commits a delivery. A delivery that is too heavy for one group is committed in pieces. If it fails halfway, the channel
   * delivers it again, and the pieces that were stored count as duplicates.
   * @returns false when a message was left out: its endpoint is gone or has another secret by now
   */
  async store(delivery: Delivery): Promise<boolean> {
    for (const { messages, weight } of piecesOf(delivery)) {
      if (!(await this.#groups.add(messages, weight).catch(isNotGone))) return false;
    }
    return true;
  }

  async #store(group: readonly Messages[]): Promise<boolean[]> {
    const { db, metrics } = this.#services;
    const messages = group.flatMap((delivery, index) =>
      delivery.map((message) => ({ delivery: index, ...message })),
    );
    const { stored, duplicates, outdated } = await db.system.run(insertMessages(messages));
    metrics.countWebhook('stored', stored);
    metrics.countWebhook('duplicate', duplicates);
    const isOutdated = new Set(outdated);
    return group.map((_, index) => !isOutdated.has(index));
  }
}

/** An endpoint that is deleted while its message is stored counts as gone, like one that was deleted before. */
function isNotGone(error: unknown): false {
  if (isForeignKeyViolation(error, 'channel_messages_endpoint_id_fkey')) return false;
  throw error;
}

/**
 * A delivery in pieces. Each piece but the last is a group by its own weight; most deliveries are one piece. A piece is made
 * after the one before it was stored.
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
