import { setTimeout as sleep } from 'node:timers/promises';
import type { Mint, Observed, RuntimeSpec } from '../../runtimes/engine.port.ts';
import { redact } from '../process-engine/redact.ts';
import type { Found } from './containers.ts';
import type { Daemon } from './daemon.ts';
import { StartFailure, startFailureOf } from './failures.ts';

export type Ours = Extract<Found, { isOurs: true }>;
export type Change = Partial<Omit<Observed, 'instance_id' | 'at'>>;

export const CALM = { reason: null, last_line: null, exit_code: null } as const;

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 10_000;
/** Counted in looks: time also passes for a process that stands still. */
const UNUSED_LOOKS = 50;
const UNUSED_LOOK_MS = 100;
const UNSEEN_MS = 10_000;

interface Caller {
  /** Takes over what the daemon says. */
  see(found: Ours): Promise<void>;
  tell(change: Change): void;
  /** Nothing is there. */
  end(reason: Observed['reason']): void;
  warn(error: unknown, message: string): void;
}

/** Makes and starts the container of one instance, in as many tries as the failure is worth. */
export class Starter {
  readonly #instance_id: string;
  readonly #daemon: Daemon;
  readonly #caller: Caller;

  constructor(instance_id: string, daemon: Daemon, caller: Caller) {
    this.#instance_id = instance_id;
    this.#daemon = daemon;
    this.#caller = caller;
  }

  /** Resolves when the container runs or the start has failed. Never rejects. */
  async run(spec: RuntimeSpec, mint: Mint, signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    let last: { reason: string; since: number } | undefined;
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await this.#tryStart(spec, mint, signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        const text = redact((error as Error).message, spec.environment);
        const failure = startFailureOf(error, text);
        this.#caller.warn(
          Object.assign(new Error(text), { reason: failure.reason }),
          'a runtime could not be started',
        );
        const now = performance.now();
        if (last?.reason !== failure.reason) last = { reason: failure.reason, since: now };
        const isOver = now - begun >= this.#daemon.start_timeout_ms;
        if (isOver || now - last.since >= failure.triesForMs) {
          return this.#caller.end(failure.reason);
        }
        this.#caller.tell({ phase: 'starting', address: null, ...CALM, reason: failure.reason });
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  async #tryStart(spec: RuntimeSpec, mint: Mint, signal: AbortSignal): Promise<void> {
    const { containers, images, networks } = this.#daemon;
    const { instance_id, generation, hash: spec_hash } = spec;
    const found = await this.#findSettled(signal);
    if (found && !found.isOurs)
      throw new StartFailure('name_taken', 'A container that is not ours has its name');
    if (found && found.seen.phase !== 'gone') return this.#caller.see(found);
    this.#caller.tell({
      phase: 'starting',
      generation,
      spec_hash,
      address: null,
      last_line: null,
      exit_code: null,
    });
    if (found && !(await containers.discard(instance_id))) return this.#seeAgain(signal);
    const image = spec.image ?? this.#daemon.image;
    await images.provide(image, signal);
    await networks.use(spec.tenant_id, spec, async (attached) => {
      signal.throwIfAborted();
      const minted = await mint();
      signal.throwIfAborted();
      if (!minted) return this.#caller.end(null);
      if (!(await containers.create(spec, minted, image, attached))) return this.#seeOther(signal);
      signal.throwIfAborted();
      await containers.start(instance_id);
      await this.#seeAgain(signal);
    });
  }

  /** Another copy that made a container is about to start it, unless it died in between. */
  async #findSettled(signal: AbortSignal): Promise<Found | undefined> {
    for (let looks = 1; ; looks++) {
      const found = await this.#daemon.containers.find(this.#instance_id);
      if (!found?.isOurs || !found.seen.isUnused || looks >= UNUSED_LOOKS) return found;
      await sleep(UNUSED_LOOK_MS, undefined, { signal });
    }
  }

  /** A daemon reserves a name before it shows the container. */
  async #seeOther(signal: AbortSignal): Promise<void> {
    const found = await this.#findSettled(signal);
    if (!found) throw new StartFailure('unschedulable', 'Its name is taken by nothing to be seen', UNSEEN_MS);
    if (!found.isOurs) throw new StartFailure('name_taken', 'A container that is not ours has its name');
    await this.#caller.see(found);
  }

  async #seeAgain(signal: AbortSignal): Promise<void> {
    const found = await this.#findSettled(signal);
    if (found?.isOurs) await this.#caller.see(found);
    else this.#caller.end(null);
  }
}
