import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { RateLimiterRedis, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { Counter, Log } from '../../platform/ports.ts';
import { LimiterCounter, NO_BOUND } from './limiter-counter.ts';
import { MemoryCounter } from './memory-counter.ts';

/** The longest that a request waits for Redis. */
const ANSWER_WITHIN_MS = 250;
/** While Redis is down, it is tried once per interval: by a request, or by a count of our own where none comes. */
const ASK_AGAIN_AFTER_MS = 1000;
const OWN_KEY = 'is Redis back';
const RECONNECT_AFTER_MS = 500;

/**
 * Counts in Redis, so copies of the service share their limits. While Redis is down, each copy counts on its own; the
 * log and `state` report it.
 */
export class RedisCounter implements Counter {
  readonly state = { isUp: true, failures: 0 };
  readonly #client;
  readonly #shared: LimiterCounter;
  readonly #own = new MemoryCounter();
  readonly #log: Log;
  #askAgainAt = 0;
  #asking: NodeJS.Timeout | undefined;

  private constructor(url: string, log: Log, answerWithinMs: number) {
    this.#log = log;
    this.#client = createClient({
      url,
      disableOfflineQueue: true,
      // Bounds the commands that pile up while Redis hangs.
      commandsQueueMaxLength: 10_000,
      socket: { connectTimeout: 1000, reconnectStrategy: RECONNECT_AFTER_MS },
    });
    // Every failed reconnect emits an event; #failed logs only the first.
    this.#client.on('error', (error: Error) => this.#failed(error));
    const store = { storeClient: this.#client, useRedisPackage: true, keyPrefix: 'agent-control-plane' };
    const limiter = new RateLimiterRedis({ ...NO_BOUND, ...store });
    this.#shared = new LimiterCounter(new RLWrapperTimeouts({ limiter, timeoutMs: answerWithinMs }));
  }

  /** Succeeds while Redis is down too, because it may come up later. */
  static async open(url: string, log: Log, answerWithinMs = ANSWER_WITHIN_MS): Promise<RedisCounter> {
    const counter = new RedisCounter(url, log, answerWithinMs);
    const connected = counter.#client.connect().catch((error: unknown) => counter.#failed(error));
    await Promise.race([connected, sleep(ASK_AGAIN_AFTER_MS, undefined, { ref: false })]);
    return counter;
  }

  count(key: string, window_seconds: number): Promise<{ count: number; ends_in_ms: number }> {
    return this.#onSharedOr((counter) => counter.count(key, window_seconds));
  }

  takeBack(key: string, window_seconds: number): Promise<void> {
    return this.#onSharedOr((counter) => counter.takeBack(key, window_seconds));
  }

  forget(key: string): Promise<void> {
    return this.#onSharedOr((counter) => counter.forget(key));
  }

  close(): void {
    clearInterval(this.#asking);
    this.#client.destroy();
    this.#own.close();
  }

  async #onSharedOr<T>(work: (counter: LimiterCounter) => Promise<T>): Promise<T> {
    if (!this.state.isUp && performance.now() < this.#askAgainAt) return work(this.#own);
    this.#askAgainAt = performance.now() + ASK_AGAIN_AFTER_MS;
    try {
      const result = await work(this.#shared);
      this.#answered();
      return result;
    } catch (error) {
      this.#failed(error);
      return work(this.#own);
    }
  }

  #answered(): void {
    if (this.state.isUp) return;
    this.state.isUp = true;
    clearInterval(this.#asking);
    this.#log.info({}, 'Redis is back: the copies of the service share their rate limits again');
  }

  #failed(error: unknown): void {
    this.state.failures++;
    if (!this.state.isUp) return;
    this.state.isUp = false;
    this.#asking = setInterval(() => void this.count(OWN_KEY, 1), ASK_AGAIN_AFTER_MS).unref();
    this.#log.warn(
      { err: error },
      'Redis is away: each copy of the service counts its rate limits for itself',
    );
  }
}
