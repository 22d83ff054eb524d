import { createHash } from 'node:crypto';
import { access, constants, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PERIOD_US = 100_000;
/** A tenth of the defaults (1024 and 100), so that busy runtimes yield the cores to the service. */
const CPU_SHARES = '102';
const CPU_WEIGHT = '10';
const MIB = 1024 * 1024;
const REMOVE_TRIES = 20;
const REMOVE_PAUSE_MS = 25;

interface CgroupPlaces {
  /** The mount point. */
  root: string;
  /** The file with this process's own group. */
  self: string;
}

const OF_THIS_PROCESS: CgroupPlaces = { root: '/sys/fs/cgroup', self: '/proc/self/cgroup' };

interface Hierarchy {
  base: string;
  version: 1 | 2;
}

/** Control groups for runtimes: version 2 if its controllers are available, else version 1. */
export class Cgroups {
  readonly #prefix: string;
  readonly #memory: Hierarchy | undefined;
  readonly #cpu: Hierarchy | undefined;

  private constructor(prefix: string, memory: Hierarchy | undefined, cpu: Hierarchy | undefined) {
    this.#prefix = prefix;
    this.#memory = memory;
    this.#cpu = cpu;
  }

  /** @param dataDir tells the groups of several services apart */
  static async open(dataDir: string, places = OF_THIS_PROCESS): Promise<Cgroups> {
    const prefix = `acp-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}-`;
    const lines = (await readFile(places.self, 'utf8').catch(() => '')).split('\n');
    const [memory, cpu] = await Promise.all([
      findHierarchy('memory', lines, places.root, prefix),
      findHierarchy('cpu', lines, places.root, prefix),
    ]);
    return new Cgroups(prefix, memory, cpu);
  }

  get limitsMemory(): boolean {
    return this.#memory !== undefined;
  }

  get limitsCpu(): boolean {
    return this.#cpu !== undefined;
  }

  /** True when the process is in the group that limits the instance's memory. */
  async limitsMemoryOf(instance_id: string, pid: number): Promise<boolean> {
    if (!this.#memory) return false;
    return (await readWords(join(this.#at(this.#memory, instance_id), 'cgroup.procs'))).includes(String(pid));
  }

  /** Replaces existing groups. @returns the groups' directories */
  async make(
    instance_id: string,
    { memory_mib, cpu_millis }: { memory_mib: number; cpu_millis: number },
  ): Promise<string[]> {
    await this.remove(instance_id);
    const directories = this.#directories(instance_id);
    for (const directory of directories) await mkdir(directory, { recursive: true });
    const bytes = String(memory_mib * MIB);
    const quota = Math.round((cpu_millis / 1000) * PERIOD_US);
    if (this.#memory?.version === 2) {
      await write(this.#at(this.#memory, instance_id), { 'memory.max': bytes });
      await write(this.#at(this.#memory, instance_id), { 'memory.swap.max': '0' }).catch(() => {});
    } else if (this.#memory) {
      await write(this.#at(this.#memory, instance_id), { 'memory.limit_in_bytes': bytes });
      // Missing on systems that do not account for swap.
      const withSwap = { 'memory.memsw.limit_in_bytes': bytes };
      await write(this.#at(this.#memory, instance_id), withSwap).catch(() => {});
    }
    if (this.#cpu?.version === 2) {
      await write(this.#at(this.#cpu, instance_id), {
        'cpu.max': `${quota} ${PERIOD_US}`,
        'cpu.weight': CPU_WEIGHT,
      });
    } else if (this.#cpu) {
      await write(this.#at(this.#cpu, instance_id), {
        'cpu.cfs_period_us': String(PERIOD_US),
        'cpu.cfs_quota_us': String(quota),
        'cpu.shares': CPU_SHARES,
      });
    }
    return directories;
  }

  /** Counts processes that the kernel killed for lack of memory. */
  async outOfMemoryKills(instance_id: string): Promise<number> {
    if (!this.#memory) return 0;
    const file = this.#memory.version === 2 ? 'memory.events' : 'memory.oom_control';
    const text = await readFile(join(this.#at(this.#memory, instance_id), file), 'utf8').catch(() => '');
    return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
  }

  /** Call it when the instance's processes are gone. */
  async remove(instance_id: string): Promise<void> {
    for (const directory of this.#directories(instance_id)) await removeGroup(directory);
  }

  #at({ base }: Hierarchy, instance_id: string): string {
    return join(base, `${this.#prefix}${instance_id}`);
  }

  #directories(instance_id: string): string[] {
    const hierarchies = [this.#memory, this.#cpu].filter((hierarchy) => hierarchy !== undefined);
    return [...new Set(hierarchies.map((hierarchy) => this.#at(hierarchy, instance_id)))];
  }
}

/** Retries, because the group's last processes may still be exiting. */
async function removeGroup(directory: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES; tries++) {
    const error = await rmdir(directory).catch(({ code }: NodeJS.ErrnoException) => code);
    if (error !== 'EBUSY') return;
    await sleep(REMOVE_PAUSE_MS);
  }
}

async function write(directory: string, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, value] of Object.entries(values)) await writeFile(join(directory, file), value);
}

async function findHierarchy(
  controller: 'memory' | 'cpu',
  lines: readonly string[],
  root: string,
  prefix: string,
): Promise<Hierarchy | undefined> {
  const ownPath = (isIt: (controllers: string[]) => boolean) =>
    lines.map((line) => line.split(':')).find(([, controllers = '']) => isIt(controllers.split(',')))?.[2];
  const path2 = ownPath((controllers) => controllers.join() === '');
  for (const base of [join(root, path2 ?? ''), root]) {
    if (path2 !== undefined && (await isDelegated(base, controller, prefix))) return { base, version: 2 };
  }
  const path1 = ownPath((controllers) => controllers.includes(controller));
  for (const base of [join(root, controller, path1 ?? ''), join(root, controller)]) {
    if (path1 !== undefined && (await canMakeGroups(base, prefix))) return { base, version: 1 };
  }
  return undefined;
}

/**
 * True when groups below a version 2 group can have the controller. A group that delegates controllers must not contain
 * processes itself, so the service's processes move to a group below it.
 */
async function isDelegated(base: string, controller: string, prefix: string): Promise<boolean> {
  const control = join(base, 'cgroup.subtree_control');
  if (!(await readWords(join(base, 'cgroup.controllers'))).includes(controller)) return false;
  if (!(await canMakeGroups(base, prefix))) return false;
  if ((await readWords(control)).includes(controller)) return true;
  const leaf = join(base, `${prefix}service`);
  try {
    await mkdir(leaf, { recursive: true });
    const pids = (await readWords(join(base, 'cgroup.procs'))).filter((pid) => pid !== '');
    for (const pid of pids) await writeFile(join(leaf, 'cgroup.procs'), pid);
    await writeFile(control, `+${controller}`);
    return true;
  } catch {
    return false;
  }
}

const readWords = async (path: string) => (await readFile(path, 'utf8').catch(() => '')).trim().split(/\s+/);

async function canMakeGroups(base: string, prefix: string): Promise<boolean> {
  const trial = join(base, `${prefix}trial-${process.pid}`);
  try {
    await mkdir(trial);
    await access(join(trial, 'cgroup.procs'), constants.W_OK);
    return true;
  } catch {
    return false;
  } finally {
    await rmdir(trial).catch(() => {});
  }
}
