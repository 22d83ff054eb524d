import { readdirSync, readFileSync } from 'node:fs';

/** CPU time and memory of processes, each with its descendants. */
export interface Usage {
  /** User and system time, of descendants that have ended too. */
  cpu_ms: number;
  /** Resident; pages that processes share count for each of them. */
  rss_mib: number;
}

/** The kernel counts CPU time in hundredths of a second wherever Linux runs Node (USER_HZ). */
const MS_PER_TICK = 10;
const PAGE_MIB = 4096 / 1024 / 1024;

interface Stat {
  ppid: number;
  cpu_ms: number;
  rss_mib: number;
}

/** Usage of the process tree below `pid`, from /proc (proc(5)). */
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

/** undefined: it ended meanwhile. */
function readStat(pid: string): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name stands in parentheses and may hold anything; the third field follows the last one.
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
