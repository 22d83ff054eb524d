import { insertMessages, type NewChannelMessage } from '../db/channel-messages.ts';
import { type Database, isRefusedContent } from '../db/database.ts';
import type { Metrics } from '../metrics.ts';
import { Groups } from './groups.ts';
import { giveUpAt } from './message-deadline.ts';
import type { Clock, JobQueue } from './ports.ts';

/** The messages of one request, in order. */
export type Delivery = readonly Omit<NewChannelMessage, 'delivery'>[];

/** While the database works on one group, the next one is made. */
const GROUPS_AT_ONCE = 2;
/** In characters, as is what a message weighs besides what is in it: that bounds how many there are. */
const MAX_GROUP_WEIGHT = 512 * 1024;
const MESSAGE_WEIGHT = 1024;

/** Stores messages with the jobs that forward them: several deliveries in one round trip and transaction. */
export class Inbox {
  readonly #services: { db: Database; queue: JobQueue; metrics: Metrics; clock: Clock };
  readonly #groups = new Groups<Delivery, boolean>(
    (group) => this.#store(group),
    { atOnce: GROUPS_AT_ONCE, maxWeight: MAX_GROUP_WEIGHT },
    isRefusedContent,
  );

  constructor(services: { db: Database; queue: JobQueue; metrics: Metrics; clock: Clock }) {
    this.#services = services;
  }

  /**
   * Resolves when the delivery is committed; with false when a message of it was signed for an endpoint that is gone or
   * has another secret by now, and was left out. Once is enough for a message that comes twice.
   */
  store(delivery: Delivery): Promise<boolean> {
    const weight = delivery.reduce((sum, { raw }) => sum + MESSAGE_WEIGHT + raw.length, 0);
    return this.#groups.add(delivery, weight);
  }

  async #store(group: readonly Delivery[]): Promise<boolean[]> {
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
