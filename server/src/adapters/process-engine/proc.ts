import { readdirSync, readFileSync } from 'node:fs';

/** The price of a look at a runtime with ever more processes is bounded. */
const MAX_FAMILY = 1000;

/** Identifies a Linux process. A pid may be reused; pid and start time together are unique. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Process group: the pid of its leader. */
  readonly group: number;
  /** Clock ticks since boot (proc(5), field 22), as text for comparison. */
  readonly startTime: string;
}

/** Names a process for good. */
export type NamedProcess = Pick<ProcessIdentity, 'pid' | 'startTime'>;

interface ProcessStat extends ProcessIdentity {
  readonly parent: number;
  readonly isZombie: boolean;
}

/** Parses /proc/<pid>/stat (proc(5)). The second field, the command, may hold spaces and brackets. */
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

/** @returns undefined when there is no such process. Synchronous, so nothing happens between check and signal */
export function readStat(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** True when this exact process still runs. A zombie does not count: some containers never reap it. */
export function isAlive(identity: NamedProcess): boolean {
  const stat = readStat(identity.pid);
  return stat !== undefined && stat.startTime === identity.startTime && !stat.isZombie;
}

/**
 * The pids of a process and its descendants. It reads files of these processes alone, so the price does not grow with the
 * machine (proc(5), task/<tid>/children).
 */
export function familyOf(pid: number): number[] {
  const family = [pid];
  for (const member of family) {
    family.push(...childrenOf(member));
    if (family.length > MAX_FAMILY) return family.slice(0, MAX_FAMILY);
  }
  return family;
}

/** Children belong to the thread that started them. */
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
