import { readdir, readFile } from 'node:fs/promises';
import type { Log } from '../../platform/ports.ts';
import type { Cgroups } from './cgroups.ts';
import { type ProcessIdentity, parseStat } from './proc.ts';
import { sendSignal } from './signals.ts';

const LOOK_EVERY_MS = 500;
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

export interface MemoryLimitOptions {
  instance_id: string;
  memory_mib: number;
  cgroups: Cgroups;
  /** A control group holds it, so nothing is to be watched. */
  isInGroup: boolean;
  log: Log;
}

/**
 * Ends a runtime that uses more memory than its tier allows: by its control group, or by watching the resident memory of
 * its processes. A limit of the address space would be no substitute: Node.js reserves much more than it uses.
 */
export class MemoryLimit implements Limit {
  readonly #options: MemoryLimitOptions;
  #timer: NodeJS.Timeout | undefined;
  #isExceeded = false;

  constructor(options: MemoryLimitOptions) {
    this.#options = options;
  }

  follow(target: ProcessIdentity): void {
    if (this.#options.isInGroup) return;
    this.#timer = setInterval(() => void this.#look(target), LOOK_EVERY_MS).unref();
  }

  async end(): Promise<boolean> {
    const { cgroups, instance_id } = this.#options;
    clearInterval(this.#timer);
    const kills = await cgroups.outOfMemoryKills(instance_id);
    await cgroups.remove(instance_id);
    return this.#isExceeded || kills > 0;
  }

  async #look(target: ProcessIdentity): Promise<void> {
    const resident_mib = (await residentKib(target.pid)) / KIB_PER_MIB;
    const { instance_id, memory_mib, log } = this.#options;
    if (resident_mib <= memory_mib || this.#isExceeded) return;
    this.#isExceeded = true;
    log.warn({ instance_id, resident_mib, memory_mib }, 'a runtime is ended: too much memory');
    sendSignal(target, 'SIGKILL');
  }
}

/** The resident memory of a process and its descendants. */
export async function residentKib(pid: number): Promise<number> {
  const children = new Map<number, number[]>();
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const line = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined);
      if (line === undefined) return;
      const { parent } = parseStat(line);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    }),
  );
  const family = [pid];
  for (const one of family) family.push(...(children.get(one) ?? []));
  const sizes = await Promise.all(family.map(residentKibOfOne));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Without pages that it shares with others through files. */
async function residentKibOfOne(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
  return kib('RssAnon') + kib('RssShmem');
}
