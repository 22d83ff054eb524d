import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { RateLimiterRedis, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { Counter, Log } from '../../platform/ports.ts';
import { LimiterCounter, NO_BOUND } from './limiter-counter.ts';
import { MemoryCounter } from './memory-counter.ts';

/** A request waits this long for Redis. */
const ANSWER_WITHIN_MS = 250;
/** While Redis is down, one request per interval tries it, or a probe when there is no request. */
const RETRY_EVERY_MS = 1000;
const PROBE_KEY = 'is Redis back';
const RECONNECT_AFTER_MS = 500;

/**
 * Copies of the service share their limits in Redis. While Redis is down, each copy counts in memory; the log and
 * `state` report it.
 */
export class RedisCounter implements Counter {
  readonly state = { isUp: true, failures: 0 };
  readonly #client;
  readonly #shared: LimiterCounter;
  readonly #local = new MemoryCounter();
  readonly #log: Log;
  #retryAt = 0;
  #probing: NodeJS.Timeout | undefined;

  private constructor(url: string, log: Log, answerWithinMs: number) {
    this.#log = log;
    this.#client = createClient({
      url,
      disableOfflineQueue: true,
      // Bounds the memory while Redis hangs.
      commandsQueueMaxLength: 10_000,
      socket: { connectTimeout: 1000, reconnectStrategy: RECONNECT_AFTER_MS },
    });
    // Every failed reconnect emits an event; #noteDown logs only the first.
    this.#client.on('error', (error: Error) => this.#noteDown(error));
    const store = { storeClient: this.#client, useRedisPackage: true, keyPrefix: 'agent-control-plane' };
    const limiter = new RateLimiterRedis({ ...NO_BOUND, ...store });
    this.#shared = new LimiterCounter(new RLWrapperTimeouts({ limiter, timeoutMs: answerWithinMs }));
  }

  /** Succeeds also while Redis is down. */
  static async open(url: string, log: Log, answerWithinMs = ANSWER_WITHIN_MS): Promise<RedisCounter> {
    const counter = new RedisCounter(url, log, answerWithinMs);
    const connected = counter.#client.connect().catch((error: unknown) => counter.#noteDown(error));
    await Promise.race([connected, sleep(RETRY_EVERY_MS, undefined, { ref: false })]);
    return counter;
  }

  count(
    key: string,
    window_seconds: number,
    amount?: number,
  ): Promise<{ count: number; ends_in_ms: number }> {
    return this.#onSharedOrLocal((counter) => counter.count(key, window_seconds, amount));
  }

  takeBack(key: string, window_seconds: number): Promise<void> {
    return this.#onSharedOrLocal((counter) => counter.takeBack(key, window_seconds));
  }

  forget(key: string): Promise<void> {
    return this.#onSharedOrLocal((counter) => counter.forget(key));
  }

  close(): void {
    clearInterval(this.#probing);
    this.#client.destroy();
    this.#local.close();
  }

  async #onSharedOrLocal<T>(work: (counter: LimiterCounter) => Promise<T>): Promise<T> {
    if (!this.state.isUp && performance.now() < this.#retryAt) return work(this.#local);
    this.#retryAt = performance.now() + RETRY_EVERY_MS;
    try {
      const result = await work(this.#shared);
      this.#noteUp();
      return result;
    } catch (error) {
      this.#noteDown(error);
      return work(this.#local);
    }
  }

  #noteUp(): void {
    if (this.state.isUp) return;
    this.state.isUp = true;
    clearInterval(this.#probing);
    this.#log.info({}, 'Redis is back: the copies of the service share their rate limits again');
  }

  #noteDown(error: unknown): void {
    this.state.failures++;
    if (!this.state.isUp) return;
    this.state.isUp = false;
    this.#probing = setInterval(() => void this.count(PROBE_KEY, 1), RETRY_EVERY_MS).unref();
    this.#log.warn(
      { err: error },
      'Redis is away: each copy of the service counts its rate limits for itself',
    );
  }
}
