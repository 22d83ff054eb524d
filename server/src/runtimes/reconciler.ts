import { wakeTasksOf } from '../instances/tasks.db.ts';
import type { Database } from '../platform/db/database.ts';
import type { Log } from '../platform/ports.ts';
import type { Observed, RuntimeReason } from './engine.port.ts';
import { hasLease } from './leases.db.ts';
import type { OpenPlace } from './place.port.ts';
import type { Reach } from './reach.ts';
import { Renewals } from './renewals.ts';
import { RuntimeFailures } from './runtime-failures.ts';
import {
  findHostedRuntime,
  type HostedRuntime,
  insertRuntimeEvent,
  nextGeneration,
  noteRuntime,
  type RuntimeNote,
  releaseHostedRuntime,
  takeRuntimeOver,
} from './runtime-hosts.db.ts';
import type { RuntimeMetrics } from './runtime-metrics.ts';
import { type Action, asksForIdentity, plan, planUnreached } from './runtime-plan.ts';
import { whyRuntimeFailed } from './runtime-reasons.ts';
import { runtimeToRun, type SpecServices } from './runtimes.ts';
import { endFailedWake } from './wakes.db.ts';

/** A runtime that was up this long counts as stable, and its failures are forgotten. */
const SETTLED_MS = 60_000;

export interface ReconcilerServices extends SpecServices {
  db: Database;
  runtimeMetrics: RuntimeMetrics;
  log: Log;
}

export interface ReconcilerOptions {
  reach: Pick<Reach, 'isConnected' | 'isAway'>;
  startTimeoutMs: number;
  /** Asks for `reconcile` of an instance. */
  wake: (instance_id: string) => void;
}

/** Compares what a place's engine runs with what is wanted, and carries out the difference. */
export class Reconciler {
  readonly #services: ReconcilerServices;
  readonly #place: OpenPlace;
  readonly #options: ReconcilerOptions;
  readonly #observed = new Map<string, Observed>();
  /** The generations that this process began to start. */
  readonly #begun = new Map<string, number>();
  readonly #failures: RuntimeFailures;
  readonly #renewals: Renewals;

  constructor(services: ReconcilerServices, place: OpenPlace, options: ReconcilerOptions) {
    this.#services = services;
    this.#place = place;
    this.#options = options;
    this.#failures = new RuntimeFailures(options.wake);
    this.#renewals = new Renewals(options.wake);
  }

  get observed(): ReadonlyMap<string, Observed> {
    return this.#observed;
  }

  observeAll(all: readonly Observed[]): void {
    const found = new Set(all.map(({ instance_id }) => instance_id));
    for (const id of this.#observed.keys()) if (!found.has(id)) this.#observed.delete(id);
    for (const observed of all) {
      const before = this.#observed.get(observed.instance_id);
      // A change has told it already.
      const isKnown =
        before?.phase === 'gone' && observed.phase === 'gone' && before.generation === observed.generation;
      if (!isKnown) this.observe(observed);
    }
  }

  observe(observed: Observed): void {
    const { instance_id: id, generation, phase, reason, at } = observed;
    const before = this.#observed.get(id);
    this.#observed.set(id, observed);
    const restarts = observed.restarts - (before?.restarts ?? 0);
    if (before && restarts > 0) this.#services.runtimeMetrics.countRestarts(restarts);
    if (before?.phase === 'up' && at - before.at >= SETTLED_MS) this.#failures.forget(id);
    if (phase === 'up') this.#renewals.end(id);
    if (phase === 'gone' && reason) {
      this.#failures.note(id, generation, reason);
      this.#renewals.end(id);
    }
  }

  close(): void {
    this.#failures.close();
  }

  isDue(row: HostedRuntime): boolean {
    const observed = this.#observed.get(row.id);
    if (!row.is_mine || this.#planFor(row, observed) !== 'wait') return true;
    if (!this.#options.reach.isConnected) return false;
    return !(row.wanted || row.is_suspended) || differs(row, this.#noteOf(row, observed));
  }

  #planFor(row: HostedRuntime, observed: Observed | undefined): Action {
    const { reach, startTimeoutMs: start_timeout_ms } = this.#options;
    const { failures, is_pausing } = this.#failures.of(row.id, row.generation);
    const now = Date.now();
    const desired = {
      ...row,
      // Converts from the database's clock to this process's.
      since: now - (row.now.getTime() - row.since.getTime()),
      failures,
      is_pausing,
      has_given_up: hasGivenUp(row),
      is_begun_elsewhere: this.#isBegunElsewhere(row),
      start_timeout_ms,
    };
    if (reach.isConnected) return plan(desired, observed, now);
    return reach.isAway ? planUnreached(desired, now) : 'wait';
  }

  /** By a former holder of the cluster. A copy's own processes end with it. */
  #isBegunElsewhere({ id, generation, spec_hash }: HostedRuntime): boolean {
    return this.#place.holder !== null && spec_hash !== null && this.#begun.get(id) !== generation;
  }

  async reconcile(id: string): Promise<void> {
    const { db } = this.#services;
    // Read the observation before the row, so that the row is never the older one.
    const observed = this.#observed.get(id);
    const row = await db.system.run(findHostedRuntime(id, this.#place));
    if (!row) return this.#withoutRow(id, observed);
    if (!row.is_mine) {
      // This update notifies this host, which then reconciles again.
      await db.tenant(row.tenant_id).run(takeRuntimeOver(id, this.#place));
      return;
    }
    const action = this.#planFor(row, observed);
    if (action === 'wait' && !this.#options.reach.isConnected) return;
    await this.#carryOut(action, row, observed);
  }

  /**
   * A copy counted as dead (suspended, or without the database), and another one took the runtime over: it ends at once.
   * In a cluster a missing row ends nothing, because the database may be an older one.
   */
  async #withoutRow(id: string, observed: Observed | undefined): Promise<void> {
    if (this.#place.holder !== null) return;
    this.#forget(id);
    if (!observed || observed.phase === 'gone') return void this.#observed.delete(id);
    if (observed.phase === 'ending') return;
    this.#services.log.warn(
      { instance_id: id },
      'a runtime is ended here: this host is not responsible for it any more',
    );
    await this.#place.engine.remove(id);
  }

  /** One that the sweep chose, unless it has a row meanwhile. */
  async removeStranger(id: string): Promise<void> {
    const { row, isHeld } = await this.#services.db.system.run({
      row: findHostedRuntime(id, this.#place),
      isHeld: hasLease(this.#place),
    });
    if (row || !isHeld || !this.#place.isHeld()) return;
    this.#forget(id);
    this.#services.log.warn({ instance_id: id }, 'a runtime is removed: no instance here has it');
    await this.#place.engine.remove(id);
  }

  #forget(id: string): void {
    this.#failures.forget(id);
    this.#renewals.end(id);
    this.#begun.delete(id);
  }

  async #carryOut(action: Action, row: HostedRuntime, observed: Observed | undefined): Promise<void> {
    if (action === 'replace') {
      if (asksForIdentity(observed) && !this.#renewals.admit(row.id)) return;
      this.#failures.carryOver(row.id, row.generation + 1);
      await this.#services.db.tenant(row.tenant_id).run(nextGeneration(row.id, this.#place, row.generation));
    } else if (action === 'ensure') {
      await this.#ensure(row, observed);
    } else if (action === 'remove') {
      await this.#note(row, { ...row, phase: 'ending', address: null });
      await this.#remove(row.id);
    } else if (action === 'wait') {
      await this.#release(row, observed);
    } else {
      await this.#giveUp(row, action.fail, observed?.last_line ?? row.last_line);
      if (observed && observed.phase !== 'gone' && this.#options.reach.isConnected)
        await this.#remove(row.id);
    }
  }

  async #giveUp(row: HostedRuntime, reason: RuntimeReason, last_line: string | null): Promise<void> {
    const note: RuntimeNote = { ...row, phase: 'gone', reason, last_line, address: null };
    if (!row.is_waking) return this.#note(row, note);
    const { db, runtimeMetrics } = this.#services;
    const { id, generation } = row;
    const message = `The runtime did not wake: ${whyRuntimeFailed(reason, last_line)}`;
    // Before the note: all lock the instance first.
    const { hasFailed } = await db.tenant(row.tenant_id).run({
      hasFailed: endFailedWake(id, this.#place, generation, message),
      noted: noteRuntime(id, this.#place, generation, note),
      tasks: wakeTasksOf(id),
    });
    if (hasFailed) runtimeMetrics.wakes.count('failed');
  }

  async #remove(id: string): Promise<void> {
    if (this.#place.isHeld()) await this.#place.engine.remove(id);
  }

  async #ensure(row: HostedRuntime, observed: Observed | undefined): Promise<void> {
    this.#begun.set(row.id, row.generation);
    const toRun = await runtimeToRun(this.#services, this.#place, row);
    if (!toRun) return;
    const isRestart = this.#failures.claimRestart(row.id, row.generation) && row.was_up;
    if (isRestart) {
      this.#services.runtimeMetrics.countRestarts(1);
      await this.#tellEnd(row, observed);
    }
    // The first start of a generation does not count.
    const restarts = row.restarts + Number(isRestart && observed?.generation === row.generation);
    await this.#note(row, { ...row, phase: 'starting', address: null, restarts });
    await this.#place.engine.ensure(toRun.spec, toRun.mint);
  }

  /** Once for failures in a row: a runtime that never settles would fill the events of its instance. */
  async #tellEnd(row: HostedRuntime, observed: Observed | undefined): Promise<void> {
    const { failures } = this.#failures.of(row.id, row.generation);
    if (!observed?.reason || failures > 1) return;
    const message = `${whyRuntimeFailed(observed.reason, observed.last_line)} (it is started again)`;
    await this.#services.db.tenant(row.tenant_id).run(insertRuntimeEvent(row.id, this.#place, message));
  }

  /** Releases a runtime that is gone as wanted. Otherwise only notes the state. */
  async #release(row: HostedRuntime, observed: Observed | undefined): Promise<void> {
    const isGone = !observed || observed.phase === 'gone';
    if (!row.wanted && isGone) {
      this.#forget(row.id);
      if (row.is_suspended) return this.#note(row, { ...row, phase: 'gone', address: null });
      // A runtime that ended by itself leaves something in a cluster.
      if (observed && this.#place.holder !== null) await this.#remove(row.id);
      await this.#services.db
        .tenant(row.tenant_id)
        .run(releaseHostedRuntime(row.id, this.#place), wakeTasksOf(row.id));
      return;
    }
    await this.#note(row, this.#noteOf(row, observed));
  }

  async #note(row: HostedRuntime, note: RuntimeNote): Promise<void> {
    if (!differs(row, note)) return;
    if (note.phase === 'up' && row.is_waking) this.#services.runtimeMetrics.wakes.count('woken');
    if (note.phase === 'up' && row.phase === 'starting')
      this.#services.runtimeMetrics.observeStart(
        this.#place.kind,
        (row.now.getTime() - row.since.getTime()) / 1000,
      );
    await this.#services.db
      .tenant(row.tenant_id)
      .run(noteRuntime(row.id, this.#place, row.generation, note), wakeTasksOf(row.id));
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
