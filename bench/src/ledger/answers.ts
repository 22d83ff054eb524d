import { text } from 'node:stream/consumers';
import { type Answer, begin, type Call } from '../call.ts';
import type { Book } from './book.ts';

/** A request that has no answer by then has an unknown fate. */
const WITHIN_MS = 15_000;
/** The kind of every answer of the service that was judged. */
export const ANSWERS = 'answers over HTTP';
const SHOWN = 300;

export interface FullAnswer extends Answer {
  retry_after: string | undefined;
}

/** Asks once. Rejects where no answer comes in time. */
export async function ask(base_url: string, call: Call, withinMs = WITHIN_MS): Promise<FullAnswer> {
  const response = await begin(base_url, call, AbortSignal.timeout(withinMs));
  const body = await text(response);
  const answer = { status: response.statusCode ?? 0, retry_after: response.headers['retry-after'] };
  try {
    return { ...answer, json: JSON.parse(body) };
  } catch {
    return { ...answer, json: undefined };
  }
}

/** An answer to a client, or to a runtime that reports it. */
export interface Seen {
  /** Method and path. */
  asked: string;
  status: number;
  retry_after: string | undefined;
  json: unknown;
}

/** The service says so where it does not know if a request was carried out, and then without Retry-After. */
const UNREACHABLE = 'The database is not reachable';

/**
 * Judges an answer: under faults the service may be busy or without a database, which is 503 or 429, and says when to try
 * again. Every other failure is a finding.
 * @param also statuses besides 2xx that are answers as well
 * @returns whether it is an answer
 */
export function judge(book: Book, seen: Seen, also: readonly number[] = []): boolean {
  const { asked, status, retry_after, json } = seen;
  book.count(ANSWERS);
  if ((status >= 200 && status < 300) || also.includes(status)) return true;
  const isOutage = status === 503 && (json as { detail?: unknown } | undefined)?.detail === UNREACHABLE;
  const isLater = (status === 503 || status === 429) && retry_after !== undefined;
  if (!isOutage && !isLater) {
    const line = `${asked} answered ${status}: ${JSON.stringify(json)}`;
    book.find(ANSWERS, 'wrong', line.slice(0, SHOWN));
  }
  return false;
}
