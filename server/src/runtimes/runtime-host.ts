import { setTimeout as sleep } from 'node:timers/promises';
import type { Notifications } from '../platform/db/notifications.ts';
import { KeyedQueue } from '../platform/load/keyed-queue.ts';
import type { SeldomLog } from '../platform/seldom-log.ts';
import type { Engine, Observed } from './engine.port.ts';
import type { OpenPlace } from './place.port.ts';
import { Reach } from './reach.ts';
import { Reconciler, type ReconcilerServices } from './reconciler.ts';
import type { RuntimeClient } from './runtime-client.port.ts';
import { RuntimeHealth } from './runtime-health.ts';
import { beginDraining, deleteHost, endDraining, seeHost } from './runtime-hosts.db.ts';
import { RuntimeRows } from './runtime-rows.ts';
import { Sweeper } from './sweeper.ts';

const CHANGES_AT_ONCE = 10;
const WATCH_AGAIN_MS = { first: 1000, longest: 30_000 };
const START_TIMEOUT_MS = 300_000;

export interface HostServices extends ReconcilerServices {
  runtimes: Pick<RuntimeClient, 'isHealthy'>;
  notifications: Notifications;
  seldomLog: SeldomLog;
}

/** This copy of the service, which runs runtimes as its own processes. */
export const ownPlace = ({
  engine,
  settings: { host_id },
}: {
  engine: Engine;
  settings: { host_id: string };
}): OpenPlace => ({ kind: 'process', host_id, holder: null, engine, isHeld: () => true });

export interface HostOptions {
  checkEveryMs?: number | undefined;
  /** For a first start. */
  startTimeoutMs?: number | undefined;
  /** Default: 15 s. */
  awayAfterMs?: number | undefined;
  /** The engine is within reach again. */
  onReach?: () => void;
}

/**
 * Makes this process the host of a place's runtimes: reconciles the engine's runtimes with the wanted ones, one call per
 * instance at a time. A copy that is a place itself also reports that it is alive.
 */
export class RuntimeHost {
  readonly #services: HostServices;
  readonly #place: OpenPlace;
  readonly #options: HostOptions;
  readonly #health: RuntimeHealth;
  readonly #queue = new KeyedQueue(CHANGES_AT_ONCE, (id) => this.#lookSafely(id));
  /** Before the first full list, decisions would start runtimes a second time. */
  readonly #reach: Reach;
  readonly #reconciler: Reconciler;
  readonly #sweeper: Sweeper;
  readonly #rows: RuntimeRows;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe = () => {};
  #checking: Promise<void> | undefined;

  constructor(services: HostServices, place: OpenPlace, options: HostOptions = {}) {
    this.#services = services;
    this.#place = place;
    this.#options = options;
    this.#health = new RuntimeHealth(services, place);
    this.#reach = new Reach(options.awayAfterMs);
    this.#sweeper = new Sweeper(services);
    this.#rows = new RuntimeRows(services.db.system, place);
    this.#reconciler = new Reconciler(services, place, {
      reach: this.#reach,
      startTimeoutMs: options.startTimeoutMs ?? START_TIMEOUT_MS,
      wake: (id) => this.#queue.add(id),
    });
  }

  /** null: not known yet, or away for a moment. */
  get reachable(): boolean | null {
    return this.#reach.reachable;
  }

  get #isCopy(): boolean {
    return this.#place.holder === null;
  }

  async start(): Promise<void> {
    const { db, notifications } = this.#services;
    const { host_id } = this.#place;
    if (this.#isCopy) await db.system.run(seeHost(host_id), endDraining(host_id));
    this.#unsubscribe = notifications.subscribe('runtimes', (payload) => {
      const [host, instance_id] = payload.split('/');
      if (host !== host_id) return;
      if (instance_id === undefined) this.#check();
      else if (this.#reach.isConnected) this.#queue.add(instance_id);
    });
    this.#timer = setInterval(() => this.#check(), this.#options.checkEveryMs ?? 5000);
    void this.#watch();
  }

  /** Turns under way go on. */
  async drain(): Promise<void> {
    await this.#services.db.system.run(beginDraining(this.#place.host_id)).catch(() => {});
  }

  /** A copy ends its runtimes even without the database, then lets other hosts take them over at once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#unsubscribe();
    this.#stopping.abort();
    this.#reconciler.close();
    await Promise.all([this.#place.engine.close(), this.#queue.close()]);
    await Promise.all([this.#checking, this.#health.close()]);
    if (this.#isCopy) await this.#services.db.system.run(deleteHost(this.#place.host_id)).catch(() => {});
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    const { first, longest } = WATCH_AGAIN_MS;
    let pauseMs = first;
    while (!signal.aborted) {
      try {
        for await (const event of this.#place.engine.watch(signal)) {
          if ('all' in event) {
            pauseMs = first;
            this.#onFullList(event.all);
          } else {
            this.#reconciler.observe(event);
            this.#queue.add(event.instance_id);
          }
        }
      } catch (error) {
        if (!signal.aborted)
          this.#warn('watched', { err: error }, 'the engine could not be watched; trying again');
      }
      this.#reach.disconnect();
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, longest);
    }
  }

  #onFullList(all: readonly Observed[]): void {
    this.#reconciler.observeAll(all);
    this.#sweeper.onFullList(all.map(({ instance_id }) => instance_id));
    this.#rows.onFullList();
    if (this.#reach.connect()) this.#options.onReach?.();
    this.#check();
  }

  #warn(key: string, fields: object, message: string): void {
    const { host_id } = this.#place;
    this.#services.seldomLog.warn(`${key} ${host_id}`, { host_id, ...fields }, message);
  }

  /** Reconciles each runtime that needs it. */
  #check(): void {
    if (this.#stopping.signal.aborted) return;
    this.#checking ??= this.#checkAll()
      .catch((error: unknown) =>
        this.#warn('checked', { err: error }, 'the runtimes of this host were not checked'),
      )
      .finally(() => {
        this.#checking = undefined;
      });
  }

  async #checkAll(): Promise<void> {
    const { observed } = this.#reconciler;
    const { rows, isAll } = await this.#rows.read(observed.values());
    if (this.#reach.isConnected) {
      this.#health.check(rows, (id) => observed.get(id)?.ready);
      if (isAll) this.#checkOthers(new Set(rows.map(({ id }) => id)));
      for (const id of this.#sweeper.choose()) this.#queue.add(id);
    }
    for (const row of rows) if (this.#reconciler.isDue(row)) this.#queue.add(row.id);
  }

  /** Runtimes without a row here. */
  #checkOthers(hosted: ReadonlySet<string>): void {
    if (!this.#isCopy) return this.#sweeper.compare(hosted);
    for (const [id, { phase }] of this.#reconciler.observed) {
      if (!hosted.has(id) && phase !== 'gone') this.#queue.add(id);
    }
  }

  /** After a failure, the next check repeats it. */
  async #lookSafely(id: string): Promise<void> {
    const end = this.#services.runtimeMetrics.beginLook();
    try {
      if (this.#sweeper.take(id)) await this.#reconciler.removeStranger(id);
      await this.#reconciler.reconcile(id);
      this.#rows.noteLook(id, false);
    } catch (error) {
      this.#rows.noteLook(id, true);
      if (this.#stopping.signal.aborted) return;
      this.#warn(
        `reconciled ${id}`,
        { instance_id: id, err: error },
        'a runtime could not be started or ended',
      );
    } finally {
      end();
    }
  }
}
