import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Call, jsonCall, send } from '../call.ts';
import type { Book } from './book.ts';

type Method = Call['method'];
const AGAIN_AFTER_MS = 200;
/** Refusals, of all requests, until one that goes on being refused is given up. */
const MAX_WRONG = 50;

/** A client of the API that is honest about what it does not know. */
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
   * Asks once. @param also statuses besides 2xx that are answers as well
   * @returns undefined: nobody knows whether it was done
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
    await sleep(AGAIN_AFTER_MS);
    return undefined;
  }

  /** Asks until there is an answer: for what is safe to repeat. */
  async surely<T>(method: Method, path: string, body?: unknown, also: readonly number[] = []): Promise<T> {
    const before = this.#book.wrongAnswers.length;
    for (;;) {
      const answer = await this.attempt(method, path, body, also);
      if (answer) return answer.json as T;
      if (this.#book.wrongAnswers.length > before + MAX_WRONG)
        throw new Error(`Refused again and again: ${this.#book.wrongAnswers.at(-1)}`);
    }
  }

  /** The same client with a person's session in place of the API key: some lists are for people alone. */
  async loggedIn(login: { email: string; password: string }): Promise<Api> {
    const { access_token } = await this.surely<{ access_token: string }>('POST', '/auth/login', login);
    return new Api(this.base_url, { authorization: `Bearer ${access_token}` }, this.#book);
  }

  /** All items of a list that has pages. */
  async all<T>(path: string, field: string): Promise<T[]> {
    const items: T[] = [];
    for (let page = 1; ; page++) {
      const query = `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`;
      const answer = await this.surely<Record<string, unknown>>('GET', query);
      const some = answer[field] as T[];
      items.push(...some);
      if (some.length < 100) return items;
    }
  }
}
