import { Semaphore } from '../../platform/load/semaphore.ts';
import type { Log } from '../../platform/ports.ts';
import type { Mint, Minted, Observed, RuntimeSpec } from '../../runtimes/engine.port.ts';
import { LaunchFailure } from './failure.ts';
import type { StartedWith } from './marked.ts';
import type { Adopted } from './recovery.ts';
import type { End, RuntimeProcess } from './runtime-process.ts';

interface SupervisorOptions {
  instance_id: string;
  log: Log;
  launch: (spec: RuntimeSpec, minted: Minted, signal: AbortSignal) => Promise<RuntimeProcess>;
  onChange: (observed: Observed) => void;
  /** Takes the secrets of the instance out of a line that it printed. */
  clean: (line: string) => Promise<string>;
}

type Change = Partial<Omit<Observed, 'instance_id' | 'at'>>;

const CALM = { reason: null, last_line: null, exit_code: null } as const;

/** Starts and stops one instance's runtime, one step at a time. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #steps = new Semaphore(1);
  #runtime: RuntimeProcess | undefined;
  #observed: Observed;
  /** stop() aborts all earlier calls. */
  #untilStop = new AbortController();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#observed = {
      instance_id: options.instance_id,
      generation: 0,
      spec_hash: '',
      phase: 'gone',
      reason: null,
      last_line: null,
      address: null,
      restarts: 0,
      exit_code: null,
      at: Date.now(),
    };
  }

  get observed(): Observed {
    return this.#observed;
  }

  /** No process runs and no step is queued. */
  get isIdle(): boolean {
    return !this.#runtime && this.#steps.isFree;
  }

  /** Resolves when the runtime is up or the start has failed. */
  ensure(spec: RuntimeSpec, mint: Mint): Promise<void> {
    const { signal } = this.#untilStop;
    return this.#steps.run(async () => {
      if (signal.aborted || this.#runtime) return;
      const { generation, hash: spec_hash } = spec;
      this.#change({ phase: 'starting', generation, spec_hash, ...CALM });
      await this.#launch(spec, mint, signal);
    });
  }

  /** @param afterwards runs before later steps */
  stop(afterwards?: () => Promise<void>): Promise<void> {
    this.#untilStop.abort(new Error(`The runtime of instance ${this.#options.instance_id} is being stopped`));
    this.#untilStop = new AbortController();
    return this.#steps.run(async () => {
      const runtime = this.#runtime;
      this.#runtime = undefined;
      if (this.#observed.phase !== 'gone') this.#change({ phase: 'ending', address: null });
      await runtime?.end();
      await afterwards?.();
      this.#change({ phase: 'gone', address: null, ...CALM });
    });
  }

  adopt({ runtime, started }: Adopted): void {
    this.#watch(runtime, started, 'a runtime was adopted');
  }

  async #launch(spec: RuntimeSpec, mint: Mint, signal: AbortSignal): Promise<void> {
    const { instance_id, log, launch } = this.#options;
    try {
      const minted = await mint();
      signal.throwIfAborted();
      if (!minted) return this.#change({ phase: 'gone' });
      const runtime = await launch(spec, minted, signal);
      this.#watch(runtime, { generation: spec.generation, spec_hash: spec.hash }, 'a runtime was started');
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ instance_id, err: error }, 'a runtime could not be started');
      const failure = error instanceof LaunchFailure ? error : undefined;
      const last_line = await this.#clean(failure?.lastLine);
      if (!signal.aborted) this.#change({ phase: 'gone', reason: failure?.reason ?? 'crashed', last_line });
    }
  }

  #watch(runtime: RuntimeProcess, { generation, spec_hash }: StartedWith, message: string): void {
    const { pid, address } = runtime;
    this.#runtime = runtime;
    this.#options.log.info({ instance_id: this.#options.instance_id, pid, address }, message);
    this.#change({ phase: 'up', generation, spec_hash, ...CALM, address });
    void runtime.ended.then((end) => this.#onEnd(runtime, end));
  }

  async #onEnd(runtime: RuntimeProcess, { exit_code, how, reason }: End): Promise<void> {
    if (this.#runtime !== runtime) return;
    const { instance_id, log } = this.#options;
    log.warn({ instance_id, pid: runtime.pid, reason, how }, 'a runtime exited');
    const last_line = await this.#clean(await runtime.lastLine?.().catch(() => ''));
    if (this.#runtime !== runtime) return;
    this.#runtime = undefined;
    this.#change({ phase: 'gone', reason, last_line, address: null, exit_code });
  }

  async #clean(line = ''): Promise<string | null> {
    if (line === '') return null;
    const { clean, instance_id, log } = this.#options;
    const cleaned = await clean(line).catch((error: unknown) => {
      log.warn({ instance_id, err: error }, 'the last line of a runtime is left out');
      return '';
    });
    return cleaned || null;
  }

  #change(change: Change): void {
    this.#observed = { ...this.#observed, ...change, at: Date.now() };
    this.#options.onChange(this.#observed);
  }
}
