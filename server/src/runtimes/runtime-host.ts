import { setTimeout as sleep } from 'node:timers/promises';
import { wakeTasksOf } from '../instances/tasks.db.ts';
import type { Database } from '../platform/db/database.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import { KeyedQueue } from '../platform/load/keyed-queue.ts';
import type { Log } from '../platform/ports.ts';
import type { SeldomLog } from '../platform/seldom-log.ts';
import type { Engine, Observed } from './engine.port.ts';
import type { RuntimeClient } from './runtime-client.port.ts';
import { RuntimeFailures } from './runtime-failures.ts';
import { RuntimeHealth } from './runtime-health.ts';
import {
  beginDraining,
  deleteHost,
  endDraining,
  findHostedRuntime,
  type HostedRuntime,
  insertRuntimeEvent,
  listHostedRuntimes,
  nextGeneration,
  noteRuntime,
  type RuntimeNote,
  releaseRuntime,
  seeHost,
  takeRuntimeOver,
} from './runtime-hosts.db.ts';
import type { RuntimeMetrics } from './runtime-metrics.ts';
import { type Action, plan } from './runtime-plan.ts';
import { whyRuntimeFailed } from './runtime-reasons.ts';
import { runtimeToRun, type SpecServices } from './runtimes.ts';

const CHANGES_AT_ONCE = 10;
/** A runtime that was up this long counts as stable, and its failures are forgotten. */
const SETTLED_MS = 60_000;
const WATCH_AGAIN_MS = 1000;

interface HostServices extends SpecServices {
  db: Database;
  engine: Engine;
  runtimes: Pick<RuntimeClient, 'isHealthy'>;
  notifications: Notifications;
  runtimeMetrics: RuntimeMetrics;
  log: Log;
  seldomLog: SeldomLog;
}

/**
 * Makes this process a host of runtimes: reports that it is alive, and reconciles the engine's runtimes with the wanted ones,
 * one call per instance at a time.
 */
export class RuntimeHost {
  readonly #services: HostServices;
  readonly #checkEveryMs: number;
  readonly #health: RuntimeHealth;
  readonly #queue = new KeyedQueue(CHANGES_AT_ONCE, (id) => this.#reconcileSafely(id));
  readonly #observed = new Map<string, Observed>();
  readonly #failures = new RuntimeFailures((id) => this.#queue.add(id));
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe = () => {};
  #checking: Promise<void> | undefined;
  /** Before the first full list, decisions would start runtimes a second time. */
  #hasFullList = false;

  constructor(services: HostServices, checkEveryMs = 5000) {
    this.#services = services;
    this.#checkEveryMs = checkEveryMs;
    this.#health = new RuntimeHealth(services);
  }

  async start(): Promise<void> {
    const { db, notifications, settings } = this.#services;
    await db.system.run(seeHost(settings.host_id), endDraining(settings.host_id));
    this.#unsubscribe = notifications.subscribe('runtimes', (payload) => {
      const [host, instance_id] = payload.split('/');
      if (host !== settings.host_id) return;
      if (instance_id === undefined) this.#check();
      else if (this.#hasFullList) this.#queue.add(instance_id);
    });
    this.#timer = setInterval(() => this.#check(), this.#checkEveryMs);
    void this.#watch();
  }

  /** Turns under way go on. */
  async drain(): Promise<void> {
    const { db, settings } = this.#services;
    await db.system.run(beginDraining(settings.host_id)).catch(() => {});
  }

  /** Ends the runtimes even without the database, then lets other hosts take them over at once. */
  async stop(): Promise<void> {
    const { db, engine, settings } = this.#services;
    clearInterval(this.#timer);
    this.#unsubscribe();
    this.#stopping.abort();
    this.#failures.close();
    await Promise.all([engine.close(), this.#queue.close()]);
    await Promise.all([this.#checking, this.#health.close()]);
    await db.system.run(deleteHost(settings.host_id)).catch(() => {});
  }

  async #watch(): Promise<void> {
    const { engine, log } = this.#services;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        for await (const event of engine.watch(signal)) {
          if ('all' in event) this.#onFullList(event.all);
          else this.#onChange(event);
        }
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'the engine could not be watched; trying again');
      }
      await sleep(WATCH_AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  #onFullList(all: readonly Observed[]): void {
    const found = new Set(all.map(({ instance_id }) => instance_id));
    for (const id of this.#observed.keys()) if (!found.has(id)) this.#observed.delete(id);
    for (const observed of all) this.#observed.set(observed.instance_id, observed);
    this.#hasFullList = true;
    this.#check();
  }

  #onChange(observed: Observed): void {
    const { instance_id: id, generation, phase, reason, at } = observed;
    const before = this.#observed.get(id);
    this.#observed.set(id, observed);
    const restarts = observed.restarts - (before?.restarts ?? 0);
    if (restarts > 0) this.#services.runtimeMetrics.countRestarts(restarts);
    if (before?.phase === 'up' && at - before.at >= SETTLED_MS) this.#failures.forget(id);
    if (phase === 'gone' && reason) this.#failures.note(id, generation, reason);
    this.#queue.add(id);
  }

  /** Marks this host as alive, and reconciles each runtime that needs it. */
  #check(): void {
    if (this.#stopping.signal.aborted) return;
    this.#checking ??= this.#checkAll()
      .catch((error: unknown) =>
        this.#services.seldomLog.warn('hosted', { err: error }, 'the runtimes of this host were not checked'),
      )
      .finally(() => {
        this.#checking = undefined;
      });
  }

  async #checkAll(): Promise<void> {
    const { db, settings } = this.#services;
    const { rows } = await db.system.run({
      seen: seeHost(settings.host_id),
      rows: listHostedRuntimes(settings.host_id),
    });
    if (!this.#hasFullList) return;
    this.#health.check(rows);
    const hosted = new Set(rows.map(({ id }) => id));
    for (const [id, { phase }] of this.#observed) {
      if (!hosted.has(id) && phase !== 'gone') this.#queue.add(id);
    }
    for (const row of rows) if (this.#needsReconciling(row)) this.#queue.add(row.id);
  }

  #needsReconciling(row: HostedRuntime): boolean {
    const observed = this.#observed.get(row.id);
    if (!row.is_mine || this.#planFor(row, observed) !== 'wait') return true;
    return !(row.wanted || row.is_suspended) || differs(row, this.#noteOf(row, observed));
  }

  #planFor(row: HostedRuntime, observed: Observed | undefined): Action {
    const { failures, is_pausing } = this.#failures.of(row.id, row.generation);
    const now = Date.now();
    // Converts from the database's clock to this process's.
    const since = now - (row.now.getTime() - row.since.getTime());
    return plan({ ...row, since, failures, is_pausing, has_given_up: hasGivenUp(row) }, observed, now);
  }

  /** After a failure, the next check repeats it. */
  async #reconcileSafely(id: string): Promise<void> {
    try {
      await this.#reconcile(id);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const why = { instance_id: id, err: error };
      this.#services.seldomLog.warn(`reconciled ${id}`, why, 'a runtime could not be started or ended');
    }
  }

  async #reconcile(id: string): Promise<void> {
    const { db, settings } = this.#services;
    // Read the observation before the row, so that the row is never the older one.
    const observed = this.#observed.get(id);
    const row = await db.system.run(findHostedRuntime(id, settings.host_id));
    if (!row) return this.#endForeign(id, observed);
    if (!row.is_mine) {
      // This update notifies this host, which then reconciles again.
      await db.tenant(row.tenant_id).run(takeRuntimeOver(id, settings.host_id));
      return;
    }
    await this.#carryOut(this.#planFor(row, observed), row, observed);
  }

  /** This host counted as dead (suspended, or without the database), and another one took the runtime over. */
  async #endForeign(id: string, observed: Observed | undefined): Promise<void> {
    this.#failures.forget(id);
    if (!observed || observed.phase === 'gone') return void this.#observed.delete(id);
    if (observed.phase === 'ending') return;
    const { engine, log } = this.#services;
    log.warn({ instance_id: id }, 'a runtime is ended here: this host is not responsible for it any more');
    await engine.remove(id);
  }

  async #carryOut(action: Action, row: HostedRuntime, observed: Observed | undefined): Promise<void> {
    const { db, engine, settings } = this.#services;
    if (action === 'replace') {
      this.#failures.carryOver(row.id, row.generation + 1);
      await db.tenant(row.tenant_id).run(nextGeneration(row.id, settings.host_id, row.generation));
    } else if (action === 'ensure') {
      const { spec, mint } = await runtimeToRun(this.#services, row);
      const isRestart = this.#failures.claimRestart(row.id, row.generation) && row.was_up;
      if (isRestart) {
        this.#services.runtimeMetrics.countRestarts(1);
        await this.#tellEnd(row, observed);
      }
      // The first start of a generation does not count.
      const restarts = row.restarts + Number(isRestart && observed?.generation === row.generation);
      await this.#note(row, { ...row, phase: 'starting', address: null, restarts });
      await engine.ensure(spec, mint);
    } else if (action === 'remove') {
      await this.#note(row, { ...row, phase: 'ending', address: null });
      await engine.remove(row.id);
    } else if (action === 'wait') {
      await this.#release(row, observed);
    } else {
      const last_line = observed?.last_line ?? row.last_line;
      await this.#note(row, { ...row, phase: 'gone', reason: action.fail, last_line, address: null });
      if (observed && observed.phase !== 'gone') await engine.remove(row.id);
    }
  }

  /** Once for failures in a row: a runtime that never settles would fill the events of its instance. */
  async #tellEnd(row: HostedRuntime, observed: Observed | undefined): Promise<void> {
    const { failures } = this.#failures.of(row.id, row.generation);
    if (!observed?.reason || failures > 1) return;
    const message = `${whyRuntimeFailed(observed.reason, observed.last_line)} (it is started again)`;
    await this.#services.db.tenant(row.tenant_id).run(insertRuntimeEvent(row.id, message));
  }

  /** Releases a runtime that is gone as wanted. Otherwise only notes the state. */
  async #release(row: HostedRuntime, observed: Observed | undefined): Promise<void> {
    const isGone = !observed || observed.phase === 'gone';
    if (!row.wanted && isGone) {
      this.#failures.forget(row.id);
      if (row.is_suspended) return this.#note(row, { ...row, phase: 'gone', address: null });
      await this.#services.db.tenant(row.tenant_id).run(releaseRuntime(row.id), wakeTasksOf(row.id));
      return;
    }
    await this.#note(row, this.#noteOf(row, observed));
  }

  async #note(row: HostedRuntime, note: RuntimeNote): Promise<void> {
    if (!differs(row, note)) return;
    const { db, settings } = this.#services;
    await db
      .tenant(row.tenant_id)
      .run(noteRuntime(row.id, settings.host_id, row.generation, note), wakeTasksOf(row.id));
  }

  /** The state to store. The pause before a restart counts as starting. */
  #noteOf(row: HostedRuntime, observed: Observed | undefined): RuntimeNote {
    if (!observed || hasGivenUp(row)) return row;
    if (observed.phase === 'gone')
      return {
        ...row,
        phase: row.wanted ? 'starting' : row.phase,
        reason: observed.reason,
        last_line: observed.last_line,
        address: null,
      };
    // Show the last failure until the runtime is up again.
    const last = observed.phase === 'starting' ? this.#failures.of(row.id, row.generation).reason : null;
    const last_line = observed.reason || !last ? observed.last_line : row.last_line;
    return { ...observed, reason: observed.reason ?? last, last_line };
  }
}

/** It failed before it was ever up, and stays given up until it is unwanted. */
const hasGivenUp = ({ wanted, was_up, phase, reason }: HostedRuntime) =>
  wanted && !was_up && phase === 'gone' && reason !== null;

const differs = (row: HostedRuntime, note: RuntimeNote) =>
  row.phase !== note.phase ||
  row.reason !== note.reason ||
  row.last_line !== note.last_line ||
  row.address !== note.address ||
  row.restarts < note.restarts;
