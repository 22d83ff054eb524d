import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../platform/ports.ts';
import type { Cgroups } from './cgroups.ts';
import { familyOf, isAlive, type ProcessIdentity } from './proc.ts';
import { sendSignal } from './signals.ts';

const LOOK_EVERY_MS = 500;
/** A pause lasts at least as many times as long as the look before it, however many runtimes there are. */
const PAUSE_PER_LOOK = 20;
const KIB_PER_MIB = 1024;

/** The limits of one running runtime. */
export interface Limit {
  /** Watches the memory where no control group does. */
  follow(target: ProcessIdentity): void;
  /** The runtime is gone. @returns true when it ended for lack of memory */
  end(): Promise<boolean>;
}

/** Without limits. */
export const noLimit: Limit = { follow: () => {}, end: async () => false };

interface Watched {
  target: ProcessIdentity;
  memory_mib: number;
  onExceeded: (resident_mib: number) => void;
}

/** Measures the resident memory of all runtimes that no control group holds, one after the other, never two at once. */
export class MemoryWatch {
  readonly #watched = new Set<Watched>();
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @returns ends the watch of this runtime */
  add(watched: Watched): () => void {
    this.#watched.add(watched);
    this.#later(LOOK_EVERY_MS);
    return () => {
      this.#watched.delete(watched);
    };
  }

  #later(pauseMs: number): void {
    if (this.#timer || this.#isLooking || this.#watched.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#look();
    }, pauseMs).unref();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    let busyMs = 0;
    for (const one of this.#watched) {
      const began = performance.now();
      this.#lookAt(one);
      busyMs += performance.now() - began;
      await nextTurn();
    }
    this.#isLooking = false;
    this.#later(Math.max(LOOK_EVERY_MS, busyMs * PAUSE_PER_LOOK));
  }

  #lookAt({ target, memory_mib, onExceeded }: Watched): void {
    try {
      if (!isAlive(target)) return;
      const resident_mib = residentKib(target.pid) / KIB_PER_MIB;
      if (resident_mib > memory_mib) onExceeded(resident_mib);
    } catch (error) {
      this.#log.warn({ pid: target.pid, err: error }, 'the memory of a runtime could not be measured');
    }
  }
}

export interface MemoryLimitOptions {
  instance_id: string;
  memory_mib: number;
  cgroups: Cgroups;
  /** Absent where a control group holds it. */
  watch?: MemoryWatch | undefined;
  log: Log;
}

/**
 * Ends a runtime that uses more memory than its tier allows: by its control group, or by watching the resident memory of
 * its processes. A limit of the address space would be no substitute: Node.js reserves much more than it uses.
 */
export class MemoryLimit implements Limit {
  readonly #options: MemoryLimitOptions;
  #unwatch = () => {};
  #isExceeded = false;

  constructor(options: MemoryLimitOptions) {
    this.#options = options;
  }

  follow(target: ProcessIdentity): void {
    const { instance_id, memory_mib, watch, log } = this.#options;
    if (!watch) return;
    const onExceeded = (resident_mib: number) => {
      this.#unwatch();
      this.#isExceeded = true;
      log.warn({ instance_id, resident_mib, memory_mib }, 'a runtime is ended: too much memory');
      sendSignal(target, 'SIGKILL');
    };
    this.#unwatch = watch.add({ target, memory_mib, onExceeded });
  }

  async end(): Promise<boolean> {
    const { cgroups, instance_id } = this.#options;
    this.#unwatch();
    const kills = await cgroups.outOfMemoryKills(instance_id);
    await cgroups.remove(instance_id);
    return this.#isExceeded || kills > 0;
  }
}

/** The resident memory of a process and its descendants. */
function residentKib(pid: number): number {
  return familyOf(pid).reduce((sum, member) => sum + residentKibOfOne(member), 0);
}

/** Without pages that it shares with others through files; 0 when it has just ended. */
function residentKibOfOne(pid: number): number {
  let kib = 0;
  for (const [, size] of readStatus(pid).matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) kib += Number(size);
  return kib;
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
