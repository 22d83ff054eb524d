import { readFileSync } from 'node:fs';

/** Identifies a Linux process. A pid may be reused; pid and start time together are unique. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Process group: the pid of its leader. */
  readonly group: number;
  /** Clock ticks since boot (proc(5), field 22), as text for comparison. */
  readonly startTime: string;
}

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
export function isAlive(identity: ProcessIdentity): boolean {
  const stat = readStat(identity.pid);
  return stat !== undefined && stat.startTime === identity.startTime && !stat.isZombie;
}
