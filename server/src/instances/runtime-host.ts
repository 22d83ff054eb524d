import type { Database } from '../platform/db/database.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import type { Log } from '../platform/ports.ts';
import {
  deleteHost,
  type HostedRuntime,
  keepRuntime,
  listHostedRuntimes,
  listOthersRuntimes,
  seeHost,
} from './runtime-hosts.db.ts';
import { type RuntimeServices, startRuntime, stopRuntime } from './runtimes.ts';

const RECONCILE_EVERY_MS = 5000;

interface HostServices extends RuntimeServices {
  db: Database;
  notifications: Notifications;
  log: Log;
}

/**
 * This process as a host of runtimes. It marks itself as alive, starts runtimes that should run here but do not (after
 * a restart, or because their host died), and ends those that are unwanted or belong to another host now.
 */
export class RuntimeHost {
  readonly #services: HostServices;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe = () => {};
  #reconciling: Promise<void> | undefined;
  #heartbeat: Promise<unknown> | undefined;
  #reconcileAgain = false;
  #isClosed = false;

  constructor(services: HostServices) {
    this.#services = services;
  }

  async start(): Promise<void> {
    const { db, notifications, settings } = this.#services;
    await db.system.run(seeHost(settings.host_id));
    this.#unsubscribe = notifications.subscribe('runtime_unwanted', (host) => {
      if (host === settings.host_id) this.#requestReconcile();
    });
    this.#timer = setInterval(() => {
      if (this.#reconciling) this.#beat();
      this.#requestReconcile();
    }, RECONCILE_EVERY_MS);
    this.#requestReconcile();
  }

  /** Ends the runtimes even when the database is away, then lets other hosts take them over at once. */
  async stop(): Promise<void> {
    const { db, engine, settings } = this.#services;
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#unsubscribe();
    await engine.close();
    await this.#reconciling;
    await this.#heartbeat;
    await db.system.run(deleteHost(settings.host_id)).catch(() => {});
  }

  /** Reconciles now; a request during a reconciliation makes one more follow it. */
  #requestReconcile(): void {
    if (this.#isClosed) return;
    if (this.#reconciling) {
      this.#reconcileAgain = true;
      return;
    }
    this.#reconciling = this.#reconcile()
      .catch((error: unknown) =>
        this.#services.log.warn({ err: error }, 'the runtimes of this host were not checked'),
      )
      .finally(() => {
        this.#reconciling = undefined;
        if (!this.#reconcileAgain) return;
        this.#reconcileAgain = false;
        this.#requestReconcile();
      });
  }

  /**
   * Marks this host as alive during a long reconciliation, which waits for every runtime that it starts. Otherwise
   * other hosts would take this one for dead and start its runtimes themselves.
   */
  #beat(): void {
    const { db, settings, log } = this.#services;
    this.#heartbeat ??= db.system
      .run(seeHost(settings.host_id))
      .catch((error: unknown) => log.warn({ err: error }, 'this host could not be marked as alive'))
      .finally(() => {
        this.#heartbeat = undefined;
      });
  }

  async #reconcile(): Promise<void> {
    const { db, settings, engine } = this.#services;
    // Listed before the database is read: a runtime is claimed before it starts, so a new one is not taken for another host's.
    const running = await engine.list();
    const [, others, runtimes] = await db.system.run(
      seeHost(settings.host_id),
      listOthersRuntimes(settings.host_id, running),
      listHostedRuntimes(settings.host_id),
    );
    const ending = Promise.all(others.map((id) => this.#endOthersRuntime(id)));
    const known = new Set(await engine.list());
    await Promise.all(
      runtimes.map(async (runtime) => {
        const isRunning = (await engine.find(runtime.id)) !== undefined;
        // An unwanted runtime is given up even if there is nothing to end: its task waits for that.
        const isGone = !runtime.wanted && !known.has(runtime.id);
        if (runtime.wanted !== isRunning || isGone) await this.#correct(runtime);
      }),
    );
    await ending;
  }

  /** This host was taken for dead, because it was suspended or without the database, and others took the runtime over. */
  async #endOthersRuntime(instance_id: string): Promise<void> {
    const { engine, log } = this.#services;
    log.warn({ instance_id }, 'a runtime is ended here: this host is not responsible for it any more');
    await engine.stop(instance_id).catch((error: unknown) => {
      log.warn({ instance_id, err: error }, 'a runtime could not be started or ended');
    });
  }

  async #correct({ id, tenant_id, wanted }: HostedRuntime): Promise<void> {
    const { db, settings, log } = this.#services;
    const q = db.tenant(tenant_id);
    try {
      if (!wanted) await stopRuntime(this.#services, q, id);
      else if (await q.run(keepRuntime(id, settings.host_id))) await startRuntime(this.#services, q, id);
    } catch (error) {
      log.warn({ instance_id: id, tenant_id, err: error }, 'a runtime could not be started or ended');
    }
  }
}
