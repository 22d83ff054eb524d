import { Semaphore } from '../../platform/load/semaphore.ts';
import type { Mint, Minted, Observed, RuntimeReason, RuntimeSpec } from '../../runtimes/engine.port.ts';
import { LaunchFailure } from './failure.ts';
import { controlPlaneOf, type MarkedProcess, type StartedWith } from './marked.ts';
import { type RecoveryOptions, type Requirements, recoverOne } from './recovery.ts';
import { Retry } from './retry.ts';
import type { End, RuntimeProcess } from './runtime-process.ts';

/** A runtime that lived this long was healthy, so the restart backoff is reset. */
const SETTLED_MS = 60_000;
/** A runtime that ends with this code needs a new generation, which is for others to decide. */
const NEW_IDENTITY = 75;

/** A runtime that should run. */
export interface WantedRuntime {
  spec: RuntimeSpec;
  minted: Mint;
}

export interface SupervisorOptions extends RecoveryOptions {
  instance_id: string;
  launch: (
    spec: RuntimeSpec,
    minted: Minted,
    preferredPort: number | undefined,
    signal: AbortSignal,
  ) => Promise<RuntimeProcess>;
  /** Resolves with undefined when the runtime should no longer run. */
  findWanted: () => Promise<WantedRuntime | undefined>;
  onChange: (observed: Observed) => void;
}

type Change = Partial<Omit<Observed, 'instance_id' | 'at'>>;

/** Keeps one instance's runtime running from start to stop. Steps run one at a time. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #steps = new Semaphore(1);
  readonly #restarts = new Retry();
  #runtime: RuntimeProcess | undefined;
  #isWanted = false;
  #startedAt = 0;
  #lastPort: number | undefined;
  #observed: Observed;
  /** A stop aborts all earlier requests. */
  #untilStop = new AbortController();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#observed = {
      instance_id: options.instance_id,
      generation: 0,
      spec_hash: '',
      phase: 'gone',
      reason: null,
      address: null,
      restarts: 0,
      exit_code: null,
      at: Date.now(),
    };
  }

  get observed(): Observed {
    return this.#observed;
  }

  /** Nothing runs and nothing will start. */
  get isIdle(): boolean {
    return !this.#runtime && !this.#isWanted && this.#steps.isFree;
  }

  /** Resolves when the runtime is up, or the attempt has failed. */
  ensure({ spec, minted }: WantedRuntime): Promise<void> {
    const { signal } = this.#untilStop;
    return this.#steps.run(async () => {
      if (signal.aborted || this.#runtime) return;
      this.#restarts.cancel();
      this.#change({ phase: 'starting', ...startedWith(spec), reason: null, restarts: 0, exit_code: null });
      await this.#launchOr(spec, minted, signal, (reason) => {
        // It ran before, so automatic restarts continue.
        if (this.#isWanted) this.#restartLater(reason);
        else this.#change({ phase: 'gone', reason });
      });
    });
  }

  /** @param afterwards runs before any later step, and again until it succeeds */
  stop(afterwards?: () => Promise<void>): Promise<void> {
    this.#untilStop.abort(new Error(`The runtime of instance ${this.#options.instance_id} is being stopped`));
    this.#untilStop = new AbortController();
    return this.#steps.run(async () => {
      const runtime = this.#runtime;
      this.#restarts.cancel();
      this.#restarts.forget();
      this.#runtime = undefined;
      this.#isWanted = false;
      if (this.#observed.phase !== 'gone') this.#change({ phase: 'ending', address: null });
      await runtime?.end();
      await afterwards?.();
      this.#change({ phase: 'gone', address: null, reason: null, exit_code: null });
    });
  }

  /** Adopts the runtime of an earlier server, or ends it and, when one should run, starts a new one. */
  recover(found: readonly MarkedProcess[]): Promise<void> {
    return this.#steps.run(async () => {
      const others = found.filter((marked) => marked.group !== this.#runtime?.pid);
      const wanted = this.#runtime ? undefined : await this.#findRequirements();
      const adopted = await recoverOne(others, wanted, this.#options);
      if (adopted) this.#watch(adopted.runtime, adopted.started, 'a runtime was adopted');
      else if (wanted) {
        this.#isWanted = true;
        void this.#restart();
      }
    });
  }

  async #findRequirements(): Promise<Requirements | undefined> {
    const { instance_id, log, findWanted } = this.#options;
    try {
      const wanted = await findWanted();
      if (!wanted) return undefined;
      const { environment, generation } = wanted.spec;
      return { control_plane: controlPlaneOf(environment), generation };
    } catch (error) {
      log.error(
        { instance_id, err: error },
        'a runtime specification could not be read; a healthy runtime stays',
      );
      return { control_plane: undefined, generation: undefined };
    }
  }

  /** Launches unless the runtime is no longer to run; `failed` is called with the reason unless a stop came between. */
  async #launchOr(
    spec: RuntimeSpec,
    mint: Mint,
    signal: AbortSignal,
    failed: (reason: RuntimeReason) => void,
  ): Promise<void> {
    const { instance_id, log, launch } = this.#options;
    try {
      const minted = await mint();
      signal.throwIfAborted();
      if (!minted) return this.#giveUp();
      const runtime = await launch(spec, minted, this.#lastPort, signal);
      this.#watch(runtime, startedWith(spec), 'a runtime was started');
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ instance_id, err: error }, 'a runtime could not be started');
      failed(error instanceof LaunchFailure ? error.reason : 'crashed');
    }
  }

  #watch(runtime: RuntimeProcess, started: StartedWith, message: string): void {
    const { pid, port, address } = runtime;
    const { generation, spec_hash } = started;
    this.#runtime = runtime;
    this.#isWanted = true;
    this.#startedAt = performance.now();
    this.#lastPort = port;
    this.#options.log.info({ instance_id: this.#options.instance_id, pid, port }, message);
    this.#change({ phase: 'up', generation, spec_hash, reason: null, address });
    void runtime.ended.then((end) => this.#onEnd(runtime, end));
  }

  #onEnd(runtime: RuntimeProcess, { exit_code, how, reason }: End): void {
    if (this.#runtime !== runtime) return;
    const { instance_id, log } = this.#options;
    log.warn({ instance_id, pid: runtime.pid, reason, how }, 'a runtime exited');
    this.#runtime = undefined;
    if (performance.now() - this.#startedAt >= SETTLED_MS) this.#restarts.forget();
    if (exit_code === NEW_IDENTITY) {
      this.#isWanted = false;
      this.#change({ phase: 'gone', reason: 'crashed', address: null, exit_code });
    } else this.#restartLater(reason, exit_code);
  }

  #restartLater(reason: RuntimeReason, exit_code: number | null = null): void {
    this.#change({ phase: 'starting', reason, address: null, exit_code });
    this.#restarts.later(() => this.#restart());
  }

  async #restart(): Promise<void> {
    const { signal } = this.#untilStop;
    await this.#steps.run(async () => {
      if (this.#runtime || !this.#isWanted || signal.aborted) return;
      const wanted = await this.#options.findWanted().catch((error: unknown) => {
        const { instance_id, log } = this.#options;
        log.warn({ instance_id, err: error }, 'a runtime specification could not be read; trying later');
        return 'unknown' as const;
      });
      if (signal.aborted) return;
      if (wanted === 'unknown') this.#restarts.later(() => this.#restart());
      else if (!wanted) this.#giveUp();
      else {
        const { reason, restarts } = this.#observed;
        this.#change({ phase: 'starting', ...startedWith(wanted.spec), reason, restarts: restarts + 1 });
        await this.#launchOr(wanted.spec, wanted.minted, signal, (why) => this.#restartLater(why));
      }
    });
  }

  #giveUp(): void {
    this.#isWanted = false;
    this.#change({ phase: 'gone', address: null, reason: null });
  }

  #change(change: Change): void {
    this.#observed = { ...this.#observed, ...change, at: Date.now() };
    this.#options.onChange(this.#observed);
  }
}

const startedWith = ({ generation, hash }: RuntimeSpec): StartedWith => ({ generation, spec_hash: hash });
