import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../platform/ports.ts';
import type { Cgroups } from './cgroups.ts';
import { isAlive, type ProcessIdentity, processTreeOf } from './proc.ts';
import { sendSignal } from './signals.ts';

const CHECK_EVERY_MS = 500;
/** A pause lasts at least this many times as long as the check before it, however many runtimes there are. */
const PAUSE_PER_CHECK = 20;
const KIB_PER_MIB = 1024;

export interface Limit {
  /** Watches the process's memory unless a control group limits it. */
  follow(target: ProcessIdentity): void;
  /** Call it when the runtime is gone. @returns true when it ran out of memory */
  end(): Promise<boolean>;
}

export const noLimit: Limit = { follow: () => {}, end: async () => false };

interface Watched {
  target: ProcessIdentity;
  memory_mib: number;
  onExceeded: (resident_mib: number) => void;
}

/** Measures the resident memory of runtimes without a control group, one at a time. */
export class MemoryWatch {
  readonly #watched = new Set<Watched>();
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @returns a function that ends the watch */
  add(watched: Watched): () => void {
    this.#watched.add(watched);
    this.#schedule(CHECK_EVERY_MS);
    return () => {
      this.#watched.delete(watched);
    };
  }

  #schedule(pauseMs: number): void {
    if (this.#timer || this.#isChecking || this.#watched.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#checkAll();
    }, pauseMs).unref();
  }

  async #checkAll(): Promise<void> {
    this.#isChecking = true;
    let busyMs = 0;
    for (const one of this.#watched) {
      const began = performance.now();
      this.#check(one);
      busyMs += performance.now() - began;
      await nextTurn();
    }
    this.#isChecking = false;
    this.#schedule(Math.max(CHECK_EVERY_MS, busyMs * PAUSE_PER_CHECK));
  }

  #check({ target, memory_mib, onExceeded }: Watched): void {
    try {
      if (!isAlive(target)) return;
      const resident_mib = residentKib(target.pid) / KIB_PER_MIB;
      if (resident_mib > memory_mib) onExceeded(resident_mib);
    } catch (error) {
      this.#log.warn({ pid: target.pid, err: error }, 'the memory of a runtime could not be measured');
    }
  }
}

interface MemoryLimitOptions {
  instance_id: string;
  memory_mib: number;
  cgroups: Cgroups;
  /** undefined: a control group limits the memory. */
  watch?: MemoryWatch | undefined;
  log: Log;
}

/**
 * Ends a runtime that uses more memory than its tier allows, by a control group or by watching the resident memory.
 * A limit on the address space is no substitute, because Node.js reserves much more than it uses.
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

/** With descendants. */
function residentKib(pid: number): number {
  return processTreeOf(pid).reduce((sum, member) => sum + residentKibOfOne(member), 0);
}

/** Without file-backed pages, which processes share; 0 when it has just ended. */
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
