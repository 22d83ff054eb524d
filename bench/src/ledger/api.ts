import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Call, jsonCall, send } from '../call.ts';
import type { Book } from './book.ts';

type Method = Call['method'];
const RETRY_AFTER_MS = 200;
/** A request is given up after this many refusals of any requests. */
const MAX_REFUSALS = 50;

/** A client that records which requests have an unknown outcome. */
export class Api {
  readonly base_url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #book: Book;

  constructor(base_url: string, headers: Readonly<Record<string, string>>, book: Book) {
    this.base_url = base_url;
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
    const call =
      body === undefined
        ? { method, path, headers: this.#headers }
        : jsonCall(method, path, this.#headers, body);
    const answer = await send(this.base_url, call).catch(() => undefined);
    if (answer && (answer.status < 300 || also.includes(answer.status))) return answer;
    if (answer && answer.status < 500 && answer.status !== 429) {
      const line = `${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.json)}`;
      this.#book.wrongAnswers.push(line.slice(0, 300));
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
    const before = this.#book.wrongAnswers.length;
    for (;;) {
      const answer = await this.attempt(method, path, body, also);
      if (answer) return answer.json as T;
      if (this.#book.wrongAnswers.length > before + MAX_REFUSALS)
        throw new Error(`Refused again and again: ${this.#book.wrongAnswers.at(-1)}`);
    }
  }

  /** With a person's session instead of the API key, which some lists require. */
  async loggedIn(login: { email: string; password: string }): Promise<Api> {
    const { access_token } = await this.callUntilAnswered<{ access_token: string }>(
      'POST',
      '/auth/login',
      login,
    );
    return new Api(this.base_url, { authorization: `Bearer ${access_token}` }, this.#book);
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
