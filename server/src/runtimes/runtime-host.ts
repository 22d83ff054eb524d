import { setTimeout as sleep } from 'node:timers/promises';
import { wakeTasksOf } from '../instances/tasks.db.ts';
import type { Database } from '../platform/db/database.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import { KeyedQueue } from '../platform/load/keyed-queue.ts';
import type { Log } from '../platform/ports.ts';
import type { Engine, Observed } from './engine.port.ts';
import type { RuntimeClient } from './runtime-client.port.ts';
import { RuntimeFailures } from './runtime-failures.ts';
import { RuntimeHealth } from './runtime-health.ts';
import {
  deleteHost,
  findHostedRuntime,
  type HostedRuntime,
  keepRuntime,
  listHostedRuntimes,
  nextGeneration,
  noteRuntime,
  type RuntimeNote,
  releaseRuntime,
  seeHost,
} from './runtime-hosts.db.ts';
import type { RuntimeMetrics } from './runtime-metrics.ts';
import { type Action, plan } from './runtime-plan.ts';
import { runtimeToRun, type SpecServices } from './runtimes.ts';

const CHANGES_AT_ONCE = 10;
/** A runtime that lived this long was well, so the pauses begin anew. */
const SETTLED_MS = 60_000;
const WATCH_AGAIN_MS = 1000;

interface HostServices extends SpecServices {
  db: Database;
  engine: Engine;
  runtimes: Pick<RuntimeClient, 'isHealthy'>;
  notifications: Notifications;
  runtimeMetrics: RuntimeMetrics;
  log: Log;
}

/**
 * This process as a host of runtimes. It marks itself as alive, compares what should run here with what the engine sees,
 * and has the engine mend the difference, one look at an instance at a time.
 */
export class RuntimeHost {
  readonly #services: HostServices;
  readonly #checkEveryMs: number;
  readonly #health: RuntimeHealth;
  readonly #looks = new KeyedQueue(CHANGES_AT_ONCE, (id) => this.#lookSafely(id));
  readonly #observed = new Map<string, Observed>();
  readonly #failures = new RuntimeFailures((id) => this.#looks.add(id));
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe = () => {};
  #checking: Promise<void> | undefined;
  /** Nothing is decided before the first full list: what runs already would be started again. */
  #hasSeen = false;

  constructor(services: HostServices, checkEveryMs = 5000) {
    this.#services = services;
    this.#checkEveryMs = checkEveryMs;
    this.#health = new RuntimeHealth(services);
  }

  async start(): Promise<void> {
    const { db, notifications, settings } = this.#services;
    await db.system.run(seeHost(settings.host_id));
    this.#unsubscribe = notifications.subscribe('runtimes', (payload) => {
      const [host, instance_id] = payload.split('/');
      if (host !== settings.host_id) return;
      if (instance_id === undefined) this.#check();
      else if (this.#hasSeen) this.#looks.add(instance_id);
    });
    this.#timer = setInterval(() => this.#check(), this.#checkEveryMs);
    void this.#watch();
  }

  /** Ends the runtimes even when the database is away, then lets other hosts take them over at once. */
  async stop(): Promise<void> {
    const { db, engine, settings } = this.#services;
    clearInterval(this.#timer);
    this.#unsubscribe();
    this.#stopping.abort();
    this.#failures.close();
    await Promise.all([engine.close(), this.#looks.close()]);
    await Promise.all([this.#checking, this.#health.close()]);
    await db.system.run(deleteHost(settings.host_id)).catch(() => {});
  }

  /** Follows the engine until the host stops. */
  async #watch(): Promise<void> {
    const { engine, log } = this.#services;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        for await (const seen of engine.watch(signal)) {
          if ('all' in seen) this.#seeAll(seen.all);
          else this.#see(seen);
        }
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'the engine could not be watched; trying again');
      }
      await sleep(WATCH_AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  #seeAll(all: readonly Observed[]): void {
    const found = new Set(all.map(({ instance_id }) => instance_id));
    for (const id of this.#observed.keys()) if (!found.has(id)) this.#observed.delete(id);
    for (const observed of all) this.#observed.set(observed.instance_id, observed);
    this.#hasSeen = true;
    this.#check();
  }

  #see(observed: Observed): void {
    const { instance_id: id, generation, phase, reason, at } = observed;
    const before = this.#observed.get(id);
    this.#observed.set(id, observed);
    const restarts = observed.restarts - (before?.restarts ?? 0);
    if (restarts > 0) this.#services.runtimeMetrics.countRestarts(restarts);
    if (before?.phase === 'up' && at - before.at >= SETTLED_MS) this.#failures.forget(id);
    if (phase === 'gone' && reason) this.#failures.note(id, generation, reason);
    this.#looks.add(id);
  }

  /** Marks this host as alive and looks at each runtime where something is to be done. */
  #check(): void {
    if (this.#stopping.signal.aborted) return;
    this.#checking ??= this.#checkAll()
      .catch((error: unknown) =>
        this.#services.log.warn({ err: error }, 'the runtimes of this host were not checked'),
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
    if (!this.#hasSeen) return;
    this.#health.look(rows);
    const hosted = new Set(rows.map(({ id }) => id));
    for (const [id, { phase }] of this.#observed) {
      if (!hosted.has(id) && phase !== 'gone') this.#looks.add(id);
    }
    for (const row of rows) if (this.#isOpen(row)) this.#looks.add(row.id);
  }

  #isOpen(row: HostedRuntime): boolean {
    const observed = this.#observed.get(row.id);
    if (!row.is_mine || this.#planFor(row, observed) !== 'wait') return true;
    return !(row.wanted || row.is_suspended) || differs(row, this.#noteOf(row, observed));
  }

  #planFor(row: HostedRuntime, observed: Observed | undefined): Action {
    const { failures, is_pausing } = this.#failures.of(row.id, row.generation);
    const now = Date.now();
    // The start is of the database's clock, all else is of this process's.
    const since = now - (row.now.getTime() - row.since.getTime());
    return plan({ ...row, since, failures, is_pausing, has_given_up: hasGivenUp(row) }, observed, now);
  }

  /** A look that fails is repeated by the next check. */
  async #lookSafely(id: string): Promise<void> {
    try {
      await this.#look(id);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#services.log.warn({ instance_id: id, err: error }, 'a runtime could not be started or ended');
    }
  }

  async #look(id: string): Promise<void> {
    const { db, settings } = this.#services;
    // Before the row is read: what is noted in the row before a start is never older than what was seen.
    const observed = this.#observed.get(id);
    const row = await db.system.run(findHostedRuntime(id, settings.host_id));
    if (!row) return this.#endOthers(id, observed);
    if (!row.is_mine) {
      // The claim notifies this host, which then looks again.
      await db.tenant(row.tenant_id).run(keepRuntime(id, settings.host_id));
      return;
    }
    await this.#carryOut(this.#planFor(row, observed), row, observed);
  }

  /** This host was taken for dead, because it was suspended or without the database, and others took the runtime over. */
  async #endOthers(id: string, observed: Observed | undefined): Promise<void> {
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
      const { spec, minted } = await runtimeToRun(this.#services, row);
      const isRestart = this.#failures.begin(row.id, row.generation) && row.was_up;
      if (isRestart) this.#services.runtimeMetrics.countRestarts(1);
      // The first start of a generation is none of its restarts.
      const restarts = row.restarts + Number(isRestart && observed?.generation === row.generation);
      await this.#note(row, { ...row, phase: 'starting', address: null, restarts });
      await engine.ensure(spec, minted);
    } else if (action === 'remove') {
      await this.#note(row, { ...row, phase: 'ending', address: null });
      await engine.remove(row.id);
    } else if (action === 'wait') {
      await this.#settle(row, observed);
    } else {
      await this.#note(row, { ...row, phase: 'gone', reason: action.fail, address: null });
      if (observed && observed.phase !== 'gone') await engine.remove(row.id);
    }
  }

  /** Nothing is to be done now; what is seen is noted. */
  async #settle(row: HostedRuntime, observed: Observed | undefined): Promise<void> {
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

  /** The row after it has been brought in line with what is seen. A pause before the next try counts as starting. */
  #noteOf(row: HostedRuntime, observed: Observed | undefined): RuntimeNote {
    if (!observed || hasGivenUp(row)) return row;
    if (observed.phase === 'gone')
      return { ...row, phase: row.wanted ? 'starting' : row.phase, reason: observed.reason, address: null };
    // The last end stays the reason until the runtime is up again.
    const last = observed.phase === 'starting' ? this.#failures.of(row.id, row.generation).reason : null;
    return { ...observed, reason: observed.reason ?? last };
  }
}

/** Given up, because it failed before it was ever up; until it is unwanted. */
const hasGivenUp = ({ wanted, was_up, phase, reason }: HostedRuntime) =>
  wanted && !was_up && phase === 'gone' && reason !== null;

const differs = (row: HostedRuntime, note: RuntimeNote) =>
  row.phase !== note.phase ||
  row.reason !== note.reason ||
  row.address !== note.address ||
  row.restarts < note.restarts;
