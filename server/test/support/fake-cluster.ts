import { EventEmitter, on } from 'node:events';
import { expect } from 'vitest';
import type { Engine, Mint, Minted, Observed, RuntimeSpec } from '../../src/runtimes/engine.port.ts';

interface Made extends Observed {
  minted: Minted | undefined;
}

const AWAY = Symbol('away');

/**
 * A cluster in memory. It outlives the engines that are opened on it, and has one name for each instance, so a second runtime
 * of an instance is not made.
 */
export class FakeCluster {
  readonly runtimes = new Map<string, Made>();
  /** In the order in which they were made. */
  readonly made: Pick<Observed, 'instance_id' | 'generation'>[] = [];
  readonly removed: string[] = [];
  readonly #events = new EventEmitter().setMaxListeners(0);
  #isAway = false;
  /** How often an engine was opened, and what throws then. */
  opened = 0;
  openError: Error | undefined;

  set isAway(isAway: boolean) {
    this.#isAway = isAway;
    if (isAway) this.#events.emit('event', AWAY);
  }

  /** @param beforeCreate runs between the credentials of a start and the start */
  open({ beforeCreate = async () => {} }: { beforeCreate?: () => Promise<void> } = {}): Engine {
    if (this.openError) throw this.openError;
    this.opened++;
    return {
      ensure: (spec, mint) => this.#ensure(spec, mint, beforeCreate),
      remove: async (id) => this.#remove(id),
      watch: (signal) => this.#watch(signal),
      close: async () => {},
    };
  }

  async #ensure(spec: RuntimeSpec, mint: Mint, beforeCreate: () => Promise<void>): Promise<void> {
    this.#requireReach();
    const { instance_id, generation, hash: spec_hash } = spec;
    const before = this.runtimes.get(instance_id);
    if (before && before.phase !== 'gone') return this.#tell(before);
    const minted = await mint();
    if (!minted) return;
    await beforeCreate();
    this.#requireReach();
    const other = this.runtimes.get(instance_id);
    if (other && other.phase !== 'gone') return this.#tell(other);
    this.made.push({ instance_id, generation });
    this.put(instance_id, { generation, spec_hash, minted });
  }

  /** Without being asked. */
  put(instance_id: string, change: Partial<Made> = {}): void {
    const calm = { reason: null, last_line: null, restarts: 0, exit_code: null, minted: undefined };
    const there = { generation: 1, spec_hash: '', phase: 'up' as const };
    const address = `https://runtime.invalid/${instance_id}`;
    const made = { instance_id, ...there, address, ...calm, ...change, at: Date.now() };
    this.runtimes.set(instance_id, made);
    this.#tell(made);
  }

  /** It ends by itself, and what is left of it stays. */
  lose(instance_id: string, change: Partial<Observed>): void {
    const before = this.runtimes.get(instance_id) ?? expect.unreachable();
    this.put(instance_id, { ...before, ...change, phase: 'gone', address: null });
  }

  /** Nobody is told of it. */
  removeByHand(instance_id: string): void {
    this.runtimes.delete(instance_id);
    this.list();
  }

  list(): void {
    this.#events.emit('event', { all: [...this.runtimes.values()] });
  }

  #remove(instance_id: string): void {
    this.#requireReach();
    const before = this.runtimes.get(instance_id);
    if (!before) return;
    this.removed.push(instance_id);
    this.runtimes.delete(instance_id);
    this.#tell({ ...before, phase: 'gone', reason: null, address: null, at: Date.now() });
  }

  async *#watch(signal: AbortSignal): AsyncGenerator<{ all: readonly Observed[] } | Observed> {
    this.#requireReach();
    const events = on(this.#events, 'event', { signal });
    yield { all: [...this.runtimes.values()] };
    for await (const [event] of events as AsyncIterable<
      [{ all: readonly Observed[] } | Observed | typeof AWAY]
    >) {
      if (event === AWAY) throw new Error('The cluster is away');
      yield event;
    }
  }

  #tell(observed: Observed): void {
    if (!this.#isAway) this.#events.emit('event', { ...observed });
  }

  #requireReach(): void {
    if (this.#isAway) throw new Error('The cluster is away');
  }
}
