import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from '../../platform/load/semaphore.ts';
import type { Mint, Observed, RuntimeSpec } from '../../runtimes/engine.port.ts';
import { Calls } from '../remote-engine/calls.ts';
import { addressAt, RUNTIME_PORT } from '../remote-engine/runtime-environment.ts';
import type { ContainerInspect } from './api.ts';
import type { Daemon } from './daemon.ts';
import { listens } from './listens.ts';
import { LABEL } from './names.ts';
import { CALM, type Change, type Ours, Starter } from './starter.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_LOOK_PAUSE_MS = 1000;
const CONNECT_MS = 2000;
/** Containers that are known from before listen at once. */
const FIRST_CONNECT_MS = 500;

const NOTHING: Omit<Observed, 'instance_id' | 'at'> = {
  generation: 0,
  spec_hash: '',
  phase: 'gone',
  ...CALM,
  address: null,
  restarts: 0,
};

/** Starts, watches and ends the container of one instance, one step at a time. */
export class ContainerSupervisor {
  readonly #instance_id: string;
  readonly #daemon: Daemon;
  readonly #onChange: (observed: Observed) => void;
  readonly #starter: Starter;
  readonly #steps = new Semaphore(1);
  #observed: Observed;
  readonly #calls: Calls;
  /** Ends with the run of a container that is watched. */
  #run: { id: string; ip: string | null; over: AbortController } | undefined;
  #isStarting = false;
  /** From the call until all of it is gone. */
  #isRemoving = false;
  /** An event came while a start was under way. */
  #mustLookAgain = false;
  #tenant_id: string | undefined;

  constructor(instance_id: string, daemon: Daemon, onChange: (observed: Observed) => void) {
    this.#instance_id = instance_id;
    this.#calls = new Calls(instance_id);
    this.#daemon = daemon;
    this.#onChange = onChange;
    this.#observed = { ...NOTHING, instance_id, at: Date.now() };
    this.#starter = new Starter(instance_id, daemon, {
      see: (found) => this.#see(found),
      tell: (change) => this.#change(change),
      end: (reason) => this.#end({ ...CALM, reason }),
      warn: (error, message) => this.#warn(error, message),
    });
  }

  get observed(): Observed {
    return this.#observed;
  }

  /** Nothing is there, and nothing is under way. */
  get isIdle(): boolean {
    return this.#observed.phase === 'gone' && !this.#run && this.#steps.isFree;
  }

  /** Resolves when the container runs or the start has failed. Never rejects. */
  ensure(spec: RuntimeSpec, mint: Mint): Promise<void> {
    return this.#calls.ensure((signal) => this.#ensure(spec, mint, signal));
  }

  /** Never rejects: the caller asks again. */
  stop(): Promise<void> {
    return this.#calls.stop(() => this.#steps.run(() => this.#removeSafely()));
  }

  /** Takes over what the daemon says. Does not wait for a start under way. */
  async look(): Promise<void> {
    if (this.#isStarting) {
      this.#mustLookAgain = true;
      return;
    }
    await this.#steps.run(async () => {
      const found = await this.#daemon.containers.find(this.#instance_id);
      if (found?.isOurs) await this.#see(found);
      else if (this.#isRemoving) await this.#removeSafely();
      else if (this.#observed.phase !== 'gone') this.#end({ ...CALM, reason: 'evicted' });
      else this.#leave();
    });
  }

  /** The container stays as it is. Resolves when nothing is under way. */
  close(): Promise<void> {
    this.#calls.abort();
    return this.#steps.run(() => Promise.resolve(this.#leave()));
  }

  async #ensure(spec: RuntimeSpec, mint: Mint, signal: AbortSignal): Promise<void> {
    await this.#steps.run(async () => {
      if (signal.aborted) return;
      this.#isStarting = true;
      this.#isRemoving = false;
      this.#tenant_id = spec.tenant_id;
      await this.#starter.run(spec, mint, signal);
      this.#isStarting = false;
    });
    if (!this.#mustLookAgain) return;
    this.#mustLookAgain = false;
    await this.look().catch((error: unknown) => this.#warn(error, 'a container could not be looked at'));
  }

  async #see({ inspect, seen }: Ours): Promise<void> {
    const { generation, spec_hash } = seen;
    this.#tenant_id = inspect.Config.Labels?.[LABEL.tenant];
    if (seen.phase === 'ending')
      return this.#change({ phase: 'ending', generation, spec_hash, address: null });
    if (seen.phase === 'starting') {
      const ip = seen.ip ?? (await this.#reconnect());
      const isKnown = this.#run?.id === seen.run && this.#run.ip === ip;
      if (isKnown && this.#observed.phase !== 'ending') return;
      this.#leave();
      const { signal } = this.#begin(seen.run, ip);
      const address = await this.#addressOf(ip, FIRST_CONNECT_MS);
      this.#change({ phase: address ? 'up' : 'starting', generation, spec_hash, address, ...CALM });
      if (!address) void this.#follow(ip, signal);
      return;
    }
    const isNews = this.#run?.id !== seen.run || this.#observed.phase !== 'gone';
    this.#leave();
    this.#begin(seen.run, null);
    if (!isNews) return;
    const line = seen.isUnused ? '' : await this.#lastLine(inspect);
    const end = { reason: seen.reason, exit_code: seen.exit_code, last_line: line || null };
    this.#change({ phase: 'gone', generation, spec_hash, address: null, ...end });
  }

  /** A container that runs is up once it listens, which it does when it has its identity. */
  async #follow(ip: string | null, signal: AbortSignal): Promise<void> {
    const until = performance.now() + this.#daemon.start_timeout_ms;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_LOOK_PAUSE_MS)) {
      const address = await this.#addressOf(ip, CONNECT_MS);
      if (signal.aborted) return;
      if (address) return this.#change({ phase: 'up', address, ...CALM });
      if (performance.now() >= until) break;
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
    await this.#steps.run(() => this.#giveUp(signal));
  }

  /** Somebody took it out of its tenant's network. @returns its address there; null: it has none */
  async #reconnect(): Promise<string | null> {
    const { containers, networks } = this.#daemon;
    const tenant_id = this.#tenant_id;
    if (tenant_id === undefined) return null;
    try {
      await networks.use(tenant_id, { internet: false }, ({ network }) =>
        containers.connect(this.#instance_id, network),
      );
      const found = await containers.find(this.#instance_id);
      return found?.isOurs ? found.seen.ip : null;
    } catch (error) {
      this.#warn(error, 'a container could not be connected to its network again');
      return null;
    }
  }

  /** null: nobody listens there. */
  async #addressOf(ip: string | null, timeoutMs: number): Promise<string | null> {
    if (ip === null || !(await listens(ip, RUNTIME_PORT, timeoutMs))) return null;
    return addressAt(ip, this.#instance_id);
  }

  async #giveUp(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      const found = await this.#daemon.containers.find(this.#instance_id);
      if (!found?.isOurs || found.seen.phase !== 'starting') return;
      const last_line = (await this.#lastLine(found.inspect)) || null;
      await this.#daemon.containers.end(this.#instance_id);
      this.#end({ ...CALM, reason: 'start_timeout', last_line });
    } catch (error) {
      this.#warn(error, 'a container that does not listen could not be removed');
      // Another look begins anew.
      this.#leave();
    }
  }

  async #removeSafely(): Promise<void> {
    try {
      await this.#remove();
    } catch (error) {
      this.#warn(error, 'a container could not be removed');
    }
  }

  async #remove(): Promise<void> {
    const { containers, networks } = this.#daemon;
    this.#isRemoving = true;
    if (this.#observed.phase !== 'gone') this.#change({ phase: 'ending', address: null });
    const found = await containers.find(this.#instance_id);
    if (found?.isOurs) {
      this.#tenant_id = found.inspect.Config.Labels?.[LABEL.tenant];
      await containers.end(this.#instance_id);
    }
    if (found?.isOurs !== false) await containers.removeState(this.#instance_id);
    if (this.#tenant_id !== undefined) await networks.release(this.#tenant_id);
    this.#isRemoving = false;
    this.#end(CALM);
  }

  async #lastLine(inspect: ContainerInspect): Promise<string> {
    try {
      const { line } = await this.#daemon.lastWordsOf(this.#instance_id, inspect);
      return line === '' ? '' : await this.#daemon.clean(this.#instance_id, line);
    } catch (error) {
      this.#warn(error, 'the last words of a runtime are left out');
      return '';
    }
  }

  /** Nothing is there any more. */
  #end(end: Pick<Observed, 'reason' | 'last_line' | 'exit_code'>): void {
    this.#leave();
    this.#change({ phase: 'gone', address: null, ...end });
  }

  #begin(id: string, ip: string | null): AbortController {
    const over = new AbortController();
    this.#run = { id, ip, over };
    return over;
  }

  #leave(): void {
    this.#run?.over.abort();
    this.#run = undefined;
  }

  #change(change: Change): void {
    const { at: _at, ...before } = this.#observed;
    const after = { ...before, ...change };
    const isSame = Object.entries(after).every(
      ([key, value]) => before[key as keyof typeof before] === value,
    );
    // A caller that waits for the end of a call gets it each time.
    if (isSame && after.phase !== 'gone') return;
    if (after.phase === 'gone') this.#calls.forget();
    this.#observed = { ...after, at: Date.now() };
    this.#onChange(this.#observed);
  }

  #warn(error: unknown, message: string): void {
    const fields = { instance_id: this.#instance_id, err: error };
    this.#daemon.log.warn(`${this.#instance_id} ${message}`, fields, message);
  }
}
