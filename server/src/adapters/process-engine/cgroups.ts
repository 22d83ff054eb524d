import { createHash } from 'node:crypto';
import { access, constants, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PERIOD_US = 100_000;
/**
 * A runtime's share of cores that others want too, a tenth of the default of 1024 and 100. The service answers first
 * where runtimes would take all cores.
 */
const SHARES = '102';
const WEIGHT = '10';
const MIB = 1024 * 1024;
const REMOVE_TRIES = 20;
const REMOVE_PAUSE_MS = 25;

export interface CgroupPlaces {
  /** Where control groups are mounted, and the file that names this process's own. */
  root: string;
  self: string;
}

const OF_THIS_PROCESS: CgroupPlaces = { root: '/sys/fs/cgroup', self: '/proc/self/cgroup' };

/** A hierarchy in which groups for runtimes can be made. */
interface Hierarchy {
  base: string;
  version: 1 | 2;
}

/** Control groups of one process engine: version 2 where its controllers are there, else version 1. */
export class Cgroups {
  readonly #prefix: string;
  readonly #memory: Hierarchy | undefined;
  readonly #cpu: Hierarchy | undefined;

  private constructor(prefix: string, memory: Hierarchy | undefined, cpu: Hierarchy | undefined) {
    this.#prefix = prefix;
    this.#memory = memory;
    this.#cpu = cpu;
  }

  /** @param dataDir keeps the groups of several services apart */
  static async open(dataDir: string, places = OF_THIS_PROCESS): Promise<Cgroups> {
    const prefix = `acp-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}-`;
    const lines = (await readFile(places.self, 'utf8').catch(() => '')).split('\n');
    const [memory, cpu] = await Promise.all([
      find('memory', lines, places.root, prefix),
      find('cpu', lines, places.root, prefix),
    ]);
    return new Cgroups(prefix, memory, cpu);
  }

  get limitsMemory(): boolean {
    return this.#memory !== undefined;
  }

  get limitsCpu(): boolean {
    return this.#cpu !== undefined;
  }

  /** True when the group that limits an instance's memory holds the process. */
  async limitsMemoryOf(instance_id: string, pid: number): Promise<boolean> {
    if (!this.#memory) return false;
    return (await read(join(this.#at(this.#memory, instance_id), 'cgroup.procs'))).includes(String(pid));
  }

  /** Makes the groups of an instance anew. @returns their directories */
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
      // Only where swap is counted.
      const withSwap = { 'memory.memsw.limit_in_bytes': bytes };
      await write(this.#at(this.#memory, instance_id), withSwap).catch(() => {});
    }
    if (this.#cpu?.version === 2) {
      await write(this.#at(this.#cpu, instance_id), {
        'cpu.max': `${quota} ${PERIOD_US}`,
        'cpu.weight': WEIGHT,
      });
    } else if (this.#cpu) {
      await write(this.#at(this.#cpu, instance_id), {
        'cpu.cfs_period_us': String(PERIOD_US),
        'cpu.cfs_quota_us': String(quota),
        'cpu.shares': SHARES,
      });
    }
    return directories;
  }

  /** How many processes of the instance were killed because it used up its memory. */
  async outOfMemoryKills(instance_id: string): Promise<number> {
    if (!this.#memory) return 0;
    const file = this.#memory.version === 2 ? 'memory.events' : 'memory.oom_control';
    const text = await readFile(join(this.#at(this.#memory, instance_id), file), 'utf8').catch(() => '');
    return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
  }

  /** Removes the groups of an instance whose processes are gone. */
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

/** The last processes of a group may be ending still. */
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

async function find(
  controller: 'memory' | 'cpu',
  lines: readonly string[],
  root: string,
  prefix: string,
): Promise<Hierarchy | undefined> {
  const own = (isIt: (controllers: string[]) => boolean) =>
    lines.map((line) => line.split(':')).find(([, controllers = '']) => isIt(controllers.split(',')))?.[2];
  const second = own((controllers) => controllers.join() === '');
  for (const base of [join(root, second ?? ''), root]) {
    if (second !== undefined && (await isDelegated(base, controller, prefix))) return { base, version: 2 };
  }
  const first = own((controllers) => controllers.includes(controller));
  for (const base of [join(root, controller, first ?? ''), join(root, controller)]) {
    if (first !== undefined && (await canMake(base, prefix))) return { base, version: 1 };
  }
  return undefined;
}

/**
 * True when groups below a group of version 2 can have the controller. A group that hands controllers down may hold no
 * process itself, so its processes, the service's, are moved into one below.
 */
async function isDelegated(base: string, controller: string, prefix: string): Promise<boolean> {
  const control = join(base, 'cgroup.subtree_control');
  if (!(await read(join(base, 'cgroup.controllers'))).includes(controller)) return false;
  if (!(await canMake(base, prefix))) return false;
  if ((await read(control)).includes(controller)) return true;
  const leaf = join(base, `${prefix}service`);
  try {
    await mkdir(leaf, { recursive: true });
    const pids = (await read(join(base, 'cgroup.procs'))).filter((pid) => pid !== '');
    for (const pid of pids) await writeFile(join(leaf, 'cgroup.procs'), pid);
    await writeFile(control, `+${controller}`);
    return true;
  } catch {
    return false;
  }
}

const read = async (path: string) => (await readFile(path, 'utf8').catch(() => '')).trim().split(/\s+/);

async function canMake(base: string, prefix: string): Promise<boolean> {
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
