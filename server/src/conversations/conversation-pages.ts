import type { TenantQueryable } from '../platform/db/queryable.ts';
import { found, invalid } from '../platform/errors.ts';
import {
  type ConversationFilter,
  findPlace,
  type ListedConversation,
  type Place,
  readPlace,
} from './conversation-lists.db.ts';
import type { ConversationQuery, ConversationSort } from './conversations.contract.ts';
import { type ConversationServices, readConversation } from './conversations.ts';

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

export const filterOf = (query: ConversationQuery): ConversationFilter => ({
  instance_id: query.instance_id ?? null,
  customer_id: query.customer_id ?? null,
  mode: query.mode ?? null,
  channel: query.channel ?? null,
  unanswered: query.unanswered ?? false,
  failed: query.failed ?? false,
  from: query.from === undefined ? null : timeAt(query.from, 0),
  // Times are shown in milliseconds, so the last one is a part of the range.
  before: query.to === undefined ? null : timeAt(query.to, isDay(query.to) ? DAY_MS : 1),
  search: query.search,
});

/**
 * Where a list begins. Throws 404 for an unknown conversation's id, 422 for a place in a list of another sort.
 * @param before a place, or a conversation that stands for its place
 */
export async function findBehind(
  q: TenantQueryable,
  before: string | undefined,
  sort: ConversationSort,
): Promise<Place | undefined> {
  if (before === undefined) return undefined;
  const place = before.includes('_') ? before : found('Conversation', await q.run(findPlace(before, sort)));
  const behind = readPlace(place, sort);
  if (!behind) throw invalid(['query', 'before'], 'It is a place in a list with another sort_by');
  return behind;
}

/** @param rows one more than a page has tells that there is a next one */
export async function readConversations(
  services: ConversationServices,
  q: TenantQueryable,
  rows: readonly Omit<ListedConversation, 'total'>[],
  { per_page, namesCustomer }: { per_page: number; namesCustomer: boolean },
) {
  const shown = rows.slice(0, per_page);
  return {
    items: await Promise.all(
      shown.map(({ place: _, ...row }) => readConversation(services, q, row, namesCustomer)),
    ),
    next_before: rows.length > shown.length ? (shown.at(-1)?.place ?? null) : null,
  };
}

const isDay = (text: string) => text.length === '2026-01-31'.length;

/** @param text a day or a time, in UTC where it has no offset */
function timeAt(text: string, laterMs: number): Date {
  const iso = text.toUpperCase().replace(' ', 'T');
  const at = Date.parse(isDay(text) || /[Z]$|[+-]\d\d:\d\d$/.test(iso) ? iso : `${iso}Z`);
  return new Date(Math.min(Math.max(at + laterMs, FIRST_MS), LAST_MS));
}
