import type { Database } from '../platform/db/database.ts';
import { Semaphore } from '../platform/load/semaphore.ts';
import type { Log } from '../platform/ports.ts';
import type { SeldomLog } from '../platform/seldom-log.ts';
import type { Place } from './place.port.ts';
import type { RuntimeClient } from './runtime-client.port.ts';
import { type HostedRuntime, noteHealth } from './runtime-hosts.db.ts';

const CHECKS_AT_ONCE = 10;
/** In a row. A single late answer does not matter. */
const MAX_MISSES = 3;

const MESSAGES = {
  healthy: 'The runtime answers for its health again',
  unhealthy: 'The runtime does not answer for its health, or says that it is not well',
};

interface HealthServices {
  db: Database;
  runtimes: Pick<RuntimeClient, 'isHealthy'>;
  log: Log;
  seldomLog: SeldomLog;
}

/** Checks the health of a place's runtimes and records changes. */
export class RuntimeHealth {
  readonly #services: HealthServices;
  readonly #place: Place;
  readonly #checks = new Semaphore(CHECKS_AT_ONCE);
  /** In a row, by instance and generation. */
  #misses = new Map<string, number>();
  #round: Promise<void> | undefined;

  constructor(services: HealthServices, place: Place) {
    this.#services = services;
    this.#place = place;
  }

  /**
   * Starts a round unless one is under way. Nobody is asked on a lost node.
   * @param readyOf what the place's own checks say; undefined: it makes none
   */
  check(rows: readonly HostedRuntime[], readyOf: (id: string) => boolean | undefined): void {
    this.#round ??= this.#checkAll(
      rows.filter((row) => row.is_mine && row.wanted && row.phase === 'up' && row.reason !== 'node_lost'),
      readyOf,
    ).finally(() => {
      this.#round = undefined;
    });
  }

  async close(): Promise<void> {
    await this.#round;
  }

  async #checkAll(
    rows: readonly HostedRuntime[],
    readyOf: (id: string) => boolean | undefined,
  ): Promise<void> {
    const before = this.#misses;
    this.#misses = new Map();
    await Promise.all(rows.map((row) => this.#checks.run(() => this.#check(row, before, readyOf(row.id)))));
  }

  async #check(
    row: HostedRuntime,
    before: ReadonlyMap<string, number>,
    ready: boolean | undefined,
  ): Promise<void> {
    if (row.address === null) return;
    const key = `${row.id} ${row.generation}`;
    const isHealthy = ready ?? (await this.#services.runtimes.isHealthy(row.address));
    const misses = isHealthy ? 0 : (before.get(key) ?? 0) + 1;
    if (misses > 0) this.#misses.set(key, misses);
    if (isHealthy ? row.is_unready : misses >= MAX_MISSES && !row.is_unready)
      await this.#note(row, isHealthy);
  }

  async #note(row: HostedRuntime, isHealthy: boolean): Promise<void> {
    const { db, log, seldomLog } = this.#services;
    const message = isHealthy ? MESSAGES.healthy : MESSAGES.unhealthy;
    const { id: instance_id, tenant_id, generation } = row;
    try {
      const isNew = await db.tenant(tenant_id).run(noteHealth(row, this.#place, { isHealthy, message }));
      if (!isNew) return;
      if (isHealthy) log.info({ instance_id, tenant_id, generation }, 'a runtime is well again');
      else
        log.warn(
          { instance_id, tenant_id, generation },
          'a runtime is unready: it does not answer for its health',
        );
    } catch (error) {
      const why = { instance_id, err: error };
      seldomLog.warn(`health ${instance_id}`, why, 'the health of a runtime was not noted');
    }
  }
}
