import type { Database } from '../platform/db/database.ts';
import { Semaphore } from '../platform/load/semaphore.ts';
import type { Log } from '../platform/ports.ts';
import type { RuntimeClient } from './runtime-client.port.ts';
import { type HostedRuntime, noteHealth } from './runtime-hosts.db.ts';

const ASKED_AT_ONCE = 10;
/** One late answer is no illness. */
const MISSES = 3;

const MESSAGES = {
  well: 'The runtime answers for its health again',
  unwell: 'The runtime does not answer for its health, or says that it is not well',
};

interface HealthServices {
  db: Database;
  runtimes: Pick<RuntimeClient, 'isHealthy'>;
  log: Log;
  settings: { host_id: string };
}

/** Asks the runtimes of this host for their health, and has the instance show when that changes. */
export class RuntimeHealth {
  readonly #services: HealthServices;
  readonly #places = new Semaphore(ASKED_AT_ONCE);
  /** Failures in a row, by instance and generation. */
  #misses = new Map<string, number>();
  #round: Promise<void> | undefined;

  constructor(services: HealthServices) {
    this.#services = services;
  }

  /** Begins a round unless one is under way. */
  look(rows: readonly HostedRuntime[]): void {
    this.#round ??= this.#askAll(
      rows.filter((row) => row.is_mine && row.wanted && row.phase === 'up'),
    ).finally(() => {
      this.#round = undefined;
    });
  }

  /** Resolves when no round is under way. */
  async close(): Promise<void> {
    await this.#round;
  }

  async #askAll(rows: readonly HostedRuntime[]): Promise<void> {
    const before = this.#misses;
    this.#misses = new Map();
    await Promise.all(rows.map((row) => this.#places.run(() => this.#ask(row, before))));
  }

  async #ask(row: HostedRuntime, before: ReadonlyMap<string, number>): Promise<void> {
    if (row.address === null) return;
    const key = `${row.id} ${row.generation}`;
    const isWell = await this.#services.runtimes.isHealthy(row.address);
    const misses = isWell ? 0 : (before.get(key) ?? 0) + 1;
    if (misses > 0) this.#misses.set(key, misses);
    if (isWell ? row.is_unready : misses >= MISSES && !row.is_unready) await this.#note(row, isWell);
  }

  async #note(row: HostedRuntime, isWell: boolean): Promise<void> {
    const { db, log, settings } = this.#services;
    const message = isWell ? MESSAGES.well : MESSAGES.unwell;
    const { id: instance_id, tenant_id, generation } = row;
    try {
      const isNew = await db.tenant(tenant_id).run(noteHealth(row, settings.host_id, { isWell, message }));
      if (!isNew) return;
      if (isWell) log.info({ instance_id, tenant_id, generation }, 'a runtime is well again');
      else
        log.warn(
          { instance_id, tenant_id, generation },
          'a runtime is unready: it does not answer for its health',
        );
    } catch (error) {
      log.warn({ instance_id, err: error }, 'the health of a runtime was not noted');
    }
  }
}
