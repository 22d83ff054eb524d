import { readdirSync, readFileSync } from 'node:fs';

/** Bounds the work for a runtime that starts ever more processes. */
const MAX_TREE_SIZE = 1000;

export interface ProcessIdentity {
  readonly pid: number;
  /** The pid of the process group's leader. */
  readonly group: number;
  /** Clock ticks since boot (proc(5), field 22). */
  readonly startTime: string;
}

/** Unique, unlike a pid alone, which may be reused. */
export type ProcessKey = Pick<ProcessIdentity, 'pid' | 'startTime'>;

interface ProcessStat extends ProcessIdentity {
  readonly parent: number;
  readonly isZombie: boolean;
}

/** From /proc/<pid>/stat (proc(5)). The second field, the command, may contain spaces and brackets. */
export function parseStat(line: string): ProcessStat {
  const [state = '', parent = '', group = ''] = fieldsAfterCommand(line);
  const startTime = fieldsAfterCommand(line)[19] ?? '';
  return {
    pid: Number.parseInt(line, 10),
    parent: Number(parent),
    group: Number(group),
    startTime,
    isZombie: state === 'Z' || state === 'X',
  };
}

function fieldsAfterCommand(line: string): string[] {
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
}

/** Synchronous, so nothing happens between a check and a signal. @returns undefined when there is no such process */
export function readStat(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** False for a zombie, because some containers never reap it. */
export function isAlive(identity: ProcessKey): boolean {
  const stat = readStat(identity.pid);
  return stat !== undefined && stat.startTime === identity.startTime && !stat.isZombie;
}

/**
 * The pids of a process and its descendants. Reads only their own files (task/<tid>/children of proc(5)), so the time
 * does not depend on other processes.
 */
export function processTreeOf(pid: number): number[] {
  const tree = [pid];
  for (const member of tree) {
    tree.push(...childrenOf(member));
    if (tree.length > MAX_TREE_SIZE) return tree.slice(0, MAX_TREE_SIZE);
  }
  return tree;
}

/** The kernel lists children by the thread that started them. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    // The process or one of its threads has just ended.
    return [];
  }
}
