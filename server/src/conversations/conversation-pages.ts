import type { TenantQueryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { findPlace, type ListedConversation, type Place } from './conversations.db.ts';
import { type ConversationServices, readConversation } from './conversations.ts';

/**
 * Where a list begins. Throws 404 for an unknown conversation's id.
 * @param before a place, or a conversation that stands for its place
 */
export async function findBehind(q: TenantQueryable, before: string | undefined): Promise<Place | undefined> {
  if (before === undefined) return undefined;
  const place = before.includes('_') ? before : found('Conversation', await q.run(findPlace(before)));
  return placeOf(place);
}

/** @param rows one more than a page has tells that there is a next one */
export async function readConversations(
  services: ConversationServices,
  q: TenantQueryable,
  rows: readonly Omit<ListedConversation, 'total'>[],
  per_page: number,
) {
  const shown = rows.slice(0, per_page);
  return {
    items: await Promise.all(shown.map(({ place: _, ...row }) => readConversation(services, q, row))),
    next_before: rows.length > shown.length ? (shown.at(-1)?.place ?? null) : null,
  };
}

/** PostgreSQL counts microseconds, a Date milliseconds. */
function placeOf(place: string): Place {
  const [microseconds = '', id = ''] = place.split('_');
  const at = new Date(Number(microseconds.slice(0, -3))).toISOString();
  return { at: at.replace('Z', `${microseconds.slice(-3).padStart(3, '0')}Z`), id };
}
