import type { RuntimeSpec } from '../../instances/engine.port.ts';
import { Semaphore } from '../../platform/load/semaphore.ts';
import type { Log } from '../../platform/ports.ts';
import { Announcer } from './announcer.ts';
import { controlPlaneOf, type MarkedProcess } from './marked.ts';
import { recoverOne, type Wanted } from './recovery.ts';
import { Retry } from './retry.ts';
import type { RuntimeProcess } from './runtime-process.ts';

/** A runtime that lived this long was healthy, so the restart backoff is reset. */
const SETTLED_MS = 60_000;

export interface SupervisorOptions {
  instance_id: string;
  log: Log;
  /** See ProcessEngineOptions. */
  graceMs?: number | undefined;
  launch: (
    spec: RuntimeSpec,
    preferredPort: number | undefined,
    signal: AbortSignal,
  ) => Promise<RuntimeProcess>;
  /** Resolves with undefined when the runtime should no longer run. */
  findSpec: () => Promise<RuntimeSpec | undefined>;
  /** Reports a new address, or null when the runtime is gone for good. Retried until it resolves. */
  onAddress: (address: string | null) => Promise<void>;
}

/** Keeps one instance's runtime running from start to stop. Steps run one at a time. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #steps = new Semaphore(1);
  readonly #restarts = new Retry();
  readonly #announcer: Announcer;
  #runtime: RuntimeProcess | undefined;
  #isWanted = false;
  #startedAt = 0;
  #lastPort: number | undefined;
  /** A stop aborts all earlier requests. */
  #untilStop = new AbortController();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#announcer = new Announcer({
      ...options,
      current: () => this.address ?? (this.#isWanted ? undefined : null),
    });
  }

  get address(): string | undefined {
    return this.#runtime?.address;
  }

  /** Nothing runs and nothing will start. */
  get isIdle(): boolean {
    return !this.#runtime && !this.#isWanted && this.#steps.isFree;
  }

  start(spec: RuntimeSpec): Promise<string> {
    const { signal } = this.#untilStop;
    return this.#steps.run(async () => {
      signal.throwIfAborted();
      this.#restarts.cancel();
      try {
        const { address } = this.#runtime ?? (await this.#launch(spec, signal));
        this.#announcer.note(address);
        return address;
      } catch (error) {
        // It ran before, so automatic restarts continue.
        if (this.#isWanted) this.#restarts.later(() => this.#restart());
        throw error;
      }
    });
  }

  /** @param afterwards runs before any later step */
  stop(afterwards?: () => Promise<void>): Promise<void> {
    this.#untilStop.abort(new Error(`The runtime of instance ${this.#options.instance_id} is being stopped`));
    this.#untilStop = new AbortController();
    return this.#steps.run(async () => {
      const runtime = this.#runtime;
      this.#restarts.cancel();
      this.#restarts.forget();
      this.#runtime = undefined;
      this.#isWanted = false;
      this.#announcer.note(null);
      await runtime?.end();
      await afterwards?.();
    });
  }

  /** Adopts the runtime of an earlier server, or ends it and, when one should run, starts a new one. */
  recover(found: readonly MarkedProcess[]): Promise<void> {
    return this.#steps.run(async () => {
      const others = found.filter((marked) => marked.group !== this.#runtime?.pid);
      const wanted = this.#runtime ? undefined : await this.#findWanted();
      const runtime = await recoverOne(others, wanted, this.#options);
      if (runtime) this.#watch(runtime, 'a runtime was adopted');
      else if (wanted) {
        this.#isWanted = true;
        void this.#restart();
      }
    });
  }

  /** Resolves after the first attempt to report the address, even when it fails. */
  announce(): Promise<void> {
    return this.#announcer.announce(this.#untilStop.signal);
  }

  async #findWanted(): Promise<Wanted | undefined> {
    const { instance_id, log, findSpec } = this.#options;
    try {
      const spec = await findSpec();
      return spec && { control_plane: controlPlaneOf(spec.environment) };
    } catch (error) {
      log.error(
        { instance_id, err: error },
        'a runtime specification could not be read; a healthy runtime stays',
      );
      return { control_plane: undefined };
    }
  }

  async #launch(spec: RuntimeSpec, signal: AbortSignal): Promise<RuntimeProcess> {
    const runtime = await this.#options.launch(spec, this.#lastPort, signal);
    this.#watch(runtime, 'a runtime was started');
    return runtime;
  }

  #watch(runtime: RuntimeProcess, message: string): void {
    const { pid, port } = runtime;
    this.#runtime = runtime;
    this.#isWanted = true;
    this.#startedAt = performance.now();
    this.#lastPort = port;
    this.#options.log.info({ instance_id: this.#options.instance_id, pid, port }, message);
    void runtime.ended.then((reason) => this.#onEnd(runtime, reason));
  }

  #onEnd(runtime: RuntimeProcess, reason: string): void {
    if (this.#runtime !== runtime) return;
    const { instance_id, log } = this.#options;
    log.warn({ instance_id, pid: runtime.pid, reason }, 'a runtime exited and is restarted');
    this.#runtime = undefined;
    if (performance.now() - this.#startedAt >= SETTLED_MS) this.#restarts.forget();
    this.#restarts.later(() => this.#restart());
  }

  async #restart(): Promise<void> {
    const { instance_id, log, findSpec } = this.#options;
    const { signal } = this.#untilStop;
    await this.#steps.run(async () => {
      if (this.#runtime || !this.#isWanted || signal.aborted) return;
      try {
        const spec = await findSpec();
        signal.throwIfAborted();
        if (spec) await this.#launch(spec, signal);
        else this.#isWanted = false;
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ instance_id, err: error }, 'a runtime could not be restarted; trying later');
        this.#restarts.later(() => this.#restart());
      }
    });
    await this.#announcer.announce(signal);
  }
}
