import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Call, jsonCall } from '../call.ts';
import { ask, judge } from './answers.ts';
import type { Book } from './book.ts';
import type { Copies } from './copies.ts';

type Method = Call['method'];
const RETRY_AFTER_MS = 200;
/** A request is given up after this time, or after this many findings. */
const GIVEN_UP_AFTER_MS = 300_000;
const MAX_FINDINGS = 50;
/** The kind of the rows that requests leave in the record of changes. */
export const CHANGES = 'rows of the record of changes';

/** A client that records which requests have an unknown outcome. */
export class Api {
  readonly #copies: Copies;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #book: Book;

  constructor(copies: Copies, headers: Readonly<Record<string, string>>, book: Book) {
    this.#copies = copies;
    this.#headers = headers;
    this.#book = book;
  }

  /**
   * @param also statuses that are accepted besides 2xx
   * @returns undefined: the outcome is unknown
   */
  async attempt(
    method: Method,
    path: string,
    body?: unknown,
    also: readonly number[] = [],
  ): Promise<Answer | undefined> {
    const request_id = randomUUID();
    const headers = { ...this.#headers, 'x-request-id': request_id };
    const call = body === undefined ? { method, path, headers } : jsonCall(method, path, headers, body);
    if (method !== 'GET') this.#book.try(CHANGES, request_id);
    const answer = await ask(this.#copies.pick(), call).catch(() => undefined);
    if (answer && judge(this.#book, { asked: `${method} ${path}`, ...answer }, also)) {
      // Others may have changed nothing, because an earlier request had done it.
      if (answer.status === 201) this.#book.acknowledge(CHANGES, request_id);
      return answer;
    }
    this.#book.unknown += 1;
    await sleep(RETRY_AFTER_MS);
    return undefined;
  }

  /** Only for calls that are safe to repeat. */
  async callUntilAnswered<T>(
    method: Method,
    path: string,
    body?: unknown,
    also: readonly number[] = [],
  ): Promise<T> {
    const most = this.#book.findings.length + MAX_FINDINGS;
    const deadline = Date.now() + GIVEN_UP_AFTER_MS;
    while (Date.now() < deadline && this.#book.findings.length < most) {
      const answer = await this.attempt(method, path, body, also);
      if (answer) return answer.json as T;
    }
    throw new Error(`${method} ${path} is given up: it got no usable answer`);
  }

  /** With a person's session instead of the API key, which some lists require. */
  async loggedIn(login: { email: string; password: string }): Promise<Api> {
    const { access_token } = await this.callUntilAnswered<{ access_token: string }>(
      'POST',
      '/auth/login',
      login,
    );
    return new Api(this.#copies, { authorization: `Bearer ${access_token}` }, this.#book);
  }

  /** All pages. */
  async all<T>(path: string, field: string): Promise<T[]> {
    const items: T[] = [];
    for (let page = 1; ; page++) {
      const query = `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`;
      const answer = await this.callUntilAnswered<Record<string, unknown>>('GET', query);
      const some = answer[field] as T[];
      items.push(...some);
      if (some.length < 100) return items;
    }
  }
}
