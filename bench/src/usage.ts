import { readdirSync, readFileSync } from 'node:fs';

/** Includes descendants. */
interface Usage {
  /** User and system time, also of descendants that have ended. */
  cpu_ms: number;
  /** Resident; shared pages count once for each process. */
  rss_mib: number;
}

/** Linux counts CPU time in hundredths of a second (USER_HZ). */
const MS_PER_TICK = 10;
const PAGE_MIB = 4096 / 1024 / 1024;

interface Stat {
  ppid: number;
  cpu_ms: number;
  rss_mib: number;
}

export function usageOf(pid: number): Usage {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(name);
    if (stat) stats.set(Number(name), stat);
  }
  const tree = new Set([pid]);
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const [id, { ppid }] of stats) if (tree.has(ppid)) tree.add(id);
  }
  const total: Usage = { cpu_ms: 0, rss_mib: 0 };
  for (const id of tree) {
    total.cpu_ms += stats.get(id)?.cpu_ms ?? 0;
    total.rss_mib += stats.get(id)?.rss_mib ?? 0;
  }
  return total;
}

/** The CPU time in ms of a process and of its children that have ended. Throws when there is no such process. */
export function cpuOf(pid: number): number {
  const stat = readStat(String(pid));
  if (!stat) throw new Error(`Process ${pid} has ended`);
  return stat.cpu_ms;
}

function readStat(pid: string): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold anything, so split after the last one.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (number: number) => fields[number - 3] ?? 0;
  return {
    ppid: at(4),
    cpu_ms: (at(14) + at(15) + at(16) + at(17)) * MS_PER_TICK,
    rss_mib: at(24) * PAGE_MIB,
  };
}
