import type { Services } from '../services.ts';
import {
  deleteHost,
  type HostedRuntime,
  keepRuntime,
  listHostedRuntimes,
  listOthersRuntimes,
  seeHost,
} from './runtime-hosts.db.ts';
import { startRuntime, stopRuntime } from './runtimes.ts';

const LOOK_EVERY_MS = 5000;

/**
 * This copy of the service as a host of runtimes: it says that it lives, starts what should run here and does not (after
 * a restart, or because the host that had it died), and ends what is no longer wanted, or another host's by now.
 */
export class RuntimeHost {
  readonly #services: Services;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe = () => {};
  #looking: Promise<void> | undefined;
  #seeing: Promise<unknown> | undefined;
  #again = false;
  #closed = false;

  constructor(services: Services) {
    this.#services = services;
  }

  async start(): Promise<void> {
    const { notifications, settings } = this.#services;
    await seeHost(this.#services.db.system, settings.host_id);
    this.#unsubscribe = notifications.subscribe('runtime_unwanted', (host) => {
      if (host === settings.host_id) this.#look();
    });
    this.#timer = setInterval(() => {
      if (this.#looking) this.#see();
      this.#look();
    }, LOOK_EVERY_MS);
    this.#look();
  }

  /** Ends the runtimes first, whatever the database does; then another host may take them over at once. */
  async stop(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#unsubscribe();
    await this.#services.engine.close();
    await this.#looking;
    await this.#seeing;
    await deleteHost(this.#services.db.system, this.#services.settings.host_id).catch(() => {});
  }

  /** One look at a time; what asks for one meanwhile gets another after it. */
  #look(): void {
    if (this.#closed) return;
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = this.#reconcile()
      .catch((error: unknown) =>
        this.#services.log.warn({ err: error }, 'the runtimes of this host were not checked'),
      )
      .finally(() => {
        this.#looking = undefined;
        if (this.#again) {
          this.#again = false;
          this.#look();
        }
      });
  }

  /**
   * Says that this host lives while a look is under way. One lasts as long as the runtimes take that it starts, a few at a
   * time: with many, or with some that hang, others would take this host for dead and all its runtimes over.
   */
  #see(): void {
    const { db, settings, log } = this.#services;
    this.#seeing ??= seeHost(db.system, settings.host_id)
      .catch((error: unknown) => log.warn({ err: error }, 'this host could not say that it lives'))
      .finally(() => {
        this.#seeing = undefined;
      });
  }

  async #reconcile(): Promise<void> {
    const { db, settings, engine } = this.#services;
    // Before the database is asked: whatever runs was claimed before it was started, so a new one is not taken for left.
    const here = await engine.list();
    await seeHost(db.system, settings.host_id);
    const others = await listOthersRuntimes(db.system, settings.host_id, here);
    const ending = Promise.all(others.map((id) => this.#endOthersRuntime(id)));
    const runtimes = await listHostedRuntimes(db.system, settings.host_id);
    const known = new Set(await engine.list());
    await Promise.all(
      runtimes.map(async (runtime) => {
        const running = (await engine.find(runtime.id)) !== undefined;
        // Who asked for its end waits until this host has given it up, though there is nothing to end.
        const isGone = !runtime.wanted && !known.has(runtime.id);
        if (runtime.wanted !== running || isGone) await this.#correct(runtime);
      }),
    );
    await ending;
  }

  /** Whoever was silent for long, suspended or without the database, was taken for dead, and others went on. */
  async #endOthersRuntime(instance_id: string): Promise<void> {
    const { engine, log } = this.#services;
    log.warn({ instance_id }, 'a runtime is ended here: this host is not responsible for it any more');
    await engine.stop(instance_id).catch((error: unknown) => {
      log.warn({ instance_id, err: error }, 'a runtime is not as it should be');
    });
  }

  async #correct({ id, tenant_id, wanted }: HostedRuntime): Promise<void> {
    const { db, settings } = this.#services;
    const q = db.tenant(tenant_id);
    try {
      if (!wanted) await stopRuntime(this.#services, q, id);
      else if (await keepRuntime(q, id, settings.host_id)) await startRuntime(this.#services, q, id);
    } catch (error) {
      this.#services.log.warn({ instance_id: id, tenant_id, err: error }, 'a runtime is not as it should be');
    }
  }
}
