import { setTimeout as sleep } from 'node:timers/promises';
import type { Pod } from './api.ts';
import type { FullList, KubernetesClient } from './client.ts';
import { ClusterRefusal, WatchBroken } from './failures.ts';

const LIST_EVERY_MS = 300_000;
const WATCH_SECONDS = 240;
const PAUSE_MS = { first: 1000, longest: 15_000 };
/** A watch that lasted as long was well. */
const SETTLED_MS = 30_000;
const LONGEST_RETRY_AFTER_MS = 60_000;

export interface FollowerOptions {
  client: KubernetesClient;
  selector: string;
  /** For tests. */
  listEveryMs?: number | undefined;
  silenceMs?: number | undefined;
  pauseMs?: { first: number; longest: number } | undefined;
  rest?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

const rest = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false });

export interface Sight {
  /** @param listed when the list was begun, by a clock that is never set */
  onList(pods: readonly Pod[], listed: number): Promise<void>;
  onPod(pod: Pod): void;
  onGone(pod: Pod): void;
}

/**
 * Keeps a sight of pods up to date: a full list, then a watch from its version on, and all of it anew every five minutes
 * or when the API server has forgotten that version. A watch that breaks off goes on where it was, after a pause that
 * grows, so that a server in trouble is not asked again and again.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #sight: Sight;
  readonly #signal: AbortSignal;
  #pauseMs: number;

  constructor(options: FollowerOptions, sight: Sight, signal: AbortSignal) {
    this.#options = options;
    this.#sight = sight;
    this.#signal = signal;
    this.#pauseMs = this.#pause.first;
  }

  get #pause() {
    return this.#options.pauseMs ?? PAUSE_MS;
  }

  /** Rejects when the API server cannot be reached, or refuses. */
  async run(): Promise<never> {
    for (;;) {
      const listed = performance.now();
      const { pods, resourceVersion } = await this.#list();
      await this.#sight.onList(pods, listed);
      const { listEveryMs = LIST_EVERY_MS } = this.#options;
      await this.#watch(resourceVersion, listed + listEveryMs);
    }
  }

  async #list(): Promise<FullList> {
    const { client, selector } = this.#options;
    for (;;) {
      try {
        return await client.listPods(selector, this.#signal);
      } catch (error) {
        if (!(error instanceof ClusterRefusal && error.isBusy)) throw error;
        await this.#rest(error.retryAfterMs);
      }
    }
  }

  /** Resolves when another list is due. */
  async #watch(from: string, until: number): Promise<void> {
    const { client, selector, silenceMs } = this.#options;
    const version = { current: from };
    for (;;) {
      const leftMs = until - performance.now();
      if (leftMs <= 0) return;
      const begun = performance.now();
      const seconds = Math.ceil(Math.min(WATCH_SECONDS, leftMs / 1000));
      const watch = { selector, resourceVersion: version.current, seconds, signal: this.#signal, silenceMs };
      try {
        for await (const event of client.watchPods(watch)) {
          if (event.type === 'ERROR') throw expiredOr(event.object);
          version.current = event.object.metadata?.resourceVersion ?? version.current;
          if (event.type === 'DELETED') this.#sight.onGone(event.object);
          else if (event.type !== 'BOOKMARK') this.#sight.onPod(event.object);
        }
        if (performance.now() - begun < seconds * 500) await this.#rest(undefined, begun);
      } catch (error) {
        const isExpired = error instanceof ClusterRefusal && error.isExpired;
        const isBusy = error instanceof ClusterRefusal && error.isBusy;
        if (!isExpired && !isBusy && !(error instanceof WatchBroken)) throw error;
        await this.#rest(isBusy ? error.retryAfterMs : undefined, begun);
        if (isExpired) return;
      }
    }
  }

  /** Longer each time, unless it was well for a while. */
  async #rest(retryAfterMs = 0, begun = performance.now()): Promise<void> {
    const { first, longest } = this.#pause;
    if (performance.now() - begun >= SETTLED_MS) this.#pauseMs = first;
    const waitMs = Math.max(this.#pauseMs, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
    this.#pauseMs = Math.min(this.#pauseMs * 2, longest);
    // Copies that lost the same server do not come back at the same moment.
    await (this.#options.rest ?? rest)(waitMs * (1 + Math.random() / 4), this.#signal);
  }
}

const expiredOr = ({
  code = 500,
  reason = '',
  message = '',
}: {
  code?: number;
  reason?: string;
  message?: string;
}) =>
  code === 410
    ? new ClusterRefusal(410, reason, message)
    : new WatchBroken(`The watch was ended: ${code} ${message.slice(0, 500)}`);
