import type * as Undici from 'undici';
import type { EventAnswer, EventRequest, EventSender } from '../../events/event-sender.port.ts';
import { retryAfterMs } from '../retry-after.ts';
import { guardedConnections, isRefused, NotPublic } from './guarded-fetch.ts';

type Connections = ReturnType<typeof guardedConnections>;

/** Reads the status and lets go: a receiver cannot make the service take what it does not want. */
export class HttpEventSender implements EventSender {
  readonly #allowedHosts: readonly string[];
  #undici: Promise<typeof Undici> | undefined;
  #connections: Connections | undefined;

  /** @param allowedHosts tenants may use these although they are not public */
  constructor(allowedHosts: readonly string[]) {
    this.#allowedHosts = allowedHosts;
  }

  mayName(url: string): boolean {
    return !isRefused(new URL(url), this.#allowedHosts);
  }

  async send({ url, headers, body }: EventRequest, signal: AbortSignal): Promise<EventAnswer> {
    // Loaded on first use, because not every installation sends events.
    this.#undici ??= import('undici');
    this.#connections ??= guardedConnections({ allowedHosts: this.#allowedHosts });
    const { request } = await this.#undici;
    const target = new URL(url);
    try {
      const dispatcher = (await this.#connections)(target);
      const response = await request(target, { method: 'POST', headers, body, dispatcher, signal });
      response.body.on('error', () => {}).destroy();
      const { 'retry-after': retry_after } = response.headers;
      return { status: response.statusCode, retry_after_ms: retryAfterMs(String(retry_after ?? '')) };
    } catch (error) {
      signal.throwIfAborted();
      return { error: isNotPublic(error) ? 'not_public' : 'unreachable' };
    }
  }
}

const isNotPublic = (error: unknown): boolean =>
  error instanceof NotPublic || (error instanceof Error && error.cause instanceof NotPublic);
