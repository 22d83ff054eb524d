import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { contentContext } from '../conversations/message-content.ts';
import { insertMessages, type NewChannelMessage } from '../conversations/received-messages.db.ts';
import { isForeignKeyViolation, isRefusedContent } from '../platform/db/constraint-errors.ts';
import type { Database } from '../platform/db/database.ts';
import { GroupCommit } from '../platform/load/group-commit.ts';
import type { Trace } from '../platform/tracing.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { noteReceived } from './channel-endpoints.db.ts';
import type { ChannelMetrics } from './channel-metrics.ts';
import type { InboundMessage } from './inbound-message.ts';
import { mediaHash } from './media.ts';

/** The messages of one delivery, in order. */
type Messages = readonly Omit<NewChannelMessage, 'delivery'>[];
/** The same, with contents that are built and sealed when they are stored. */
export type Delivery = readonly (Omit<
  NewChannelMessage,
  'delivery' | 'id' | 'sealed_content' | 'media_hash'
> &
  Pick<InboundMessage, 'contents'> & { tenant_id: string; trace?: Trace | undefined })[];

/** The next group is prepared while the database stores one. */
const GROUPS_AT_ONCE = 2;
/** In bytes of sealed content. */
const MAX_GROUP_WEIGHT = 512 * 1024;
/** Weight of a message besides its content, so that a group has at most 512 messages. */
const MESSAGE_WEIGHT = 1024;

/** How exact `last_received_at` is: a busy number is not written with each group. */
const NOTED_EVERY_MS = 1000;
const NUMBERS_KEPT = 10_000;

const REFERS_TO_ENDPOINT = ['channel_messages_endpoint_id_fkey', 'conversations_endpoint_id_fkey'];

interface InboxServices {
  db: Database;
  keyring: Keyring;
  channelMetrics: ChannelMetrics;
}

/**
 * Stores messages of several deliveries in one statement (group commit), with the jobs of their conversations. Messages are
 * `pending` until a runtime takes them (forwarding.ts), for at most 24 hours.
 */
export class Inbox {
  readonly #services: InboxServices;
  readonly #groups = new GroupCommit<Messages, boolean>(
    (group) => this.#store(group),
    { atOnce: GROUPS_AT_ONCE, maxWeight: MAX_GROUP_WEIGHT },
    isRefusedContent,
  );

  /** By endpoint, when a message of it was last noted. */
  readonly #noted = new LRUCache<string, number>({ max: NUMBERS_KEPT });

  constructor(services: InboxServices) {
    this.#services = services;
  }

  /**
   * Commits a delivery, in pieces when it is larger than a group. If it fails halfway, the channel delivers it again, and
   * the stored pieces are duplicates.
   * @returns false when a message was skipped because its endpoint was deleted or has another secret now
   */
  async store(delivery: Delivery): Promise<boolean> {
    for await (const { messages, weight } of this.#piecesOf(delivery)) {
      if (!(await this.#groups.add(messages, weight).catch(isNotGone))) return false;
    }
    return true;
  }

  async #store(group: readonly Messages[]): Promise<boolean[]> {
    const { channelMetrics } = this.#services;
    const messages = group.flatMap((delivery, index) =>
      delivery.map((message) => ({ delivery: index, ...message })),
    );
    const { stored, duplicates, outdated } = await this.#insert(messages);
    channelMetrics.received.count('stored', stored);
    channelMetrics.received.count('duplicate', duplicates);
    const isOutdated = new Set(outdated);
    return group.map((_, index) => !isOutdated.has(index));
  }

  async #insert(messages: readonly NewChannelMessage[]) {
    const { system } = this.#services.db;
    const now = system.now.getTime();
    const received = messages.filter(({ direction }) => direction === 'in');
    const isDue = (id: string) => Math.abs(now - (this.#noted.get(id) ?? 0)) >= NOTED_EVERY_MS;
    const due = [...new Set(received.map(({ endpoint_id }) => endpoint_id))].filter(isDue);
    if (due.length === 0) return system.run(insertMessages(messages));
    const [stored] = await system.run(insertMessages(messages), noteReceived(due));
    for (const id of due) this.#noted.set(id, now);
    return stored;
  }

  /** Most deliveries are one piece. Each piece is built after the previous one was stored, to bound memory. */
  async *#piecesOf(delivery: Delivery): AsyncGenerator<{ messages: Messages; weight: number }> {
    const { db, keyring } = this.#services;
    let [messages, weight]: [Messages[number][], number] = [[], 0];
    for (const { contents, trace, tenant_id, ...ids } of delivery) {
      const id = randomUUID();
      const { json, media_id } = contents(trace);
      const sealed_content = await keyring.seal(db.tenant(tenant_id), json, contentContext(id));
      const media_hash = media_id === null ? null : mediaHash(keyring, tenant_id, media_id).toString('hex');
      messages.push({ ...ids, id, sealed_content, media_hash });
      weight += MESSAGE_WEIGHT + sealed_content.length;
      if (weight < MAX_GROUP_WEIGHT) continue;
      yield { messages, weight };
      [messages, weight] = [[], 0];
    }
    if (messages.length > 0) yield { messages, weight };
  }
}

/** False when the endpoint was deleted while the message was stored. */
function isNotGone(error: unknown): false {
  if (REFERS_TO_ENDPOINT.some((constraint) => isForeignKeyViolation(error, constraint))) return false;
  throw error;
}
