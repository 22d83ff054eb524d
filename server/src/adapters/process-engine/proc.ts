import { readFileSync } from 'node:fs';

/** One Linux process. A number is used again after its process is gone; number and start time together are not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Process group; the number of its leader. */
  readonly group: number;
  /** Clock ticks since boot (proc(5), field 22), as text: only ever compared. */
  readonly startTime: string;
}

interface ProcessStat extends ProcessIdentity {
  readonly isZombie: boolean;
}

/** Reads the line of /proc/<pid>/stat (proc(5)). The second field is the command and may hold spaces and brackets. */
export function parseStat(line: string): ProcessStat {
  const [state = '', , group = ''] = fieldsAfterCommand(line);
  const startTime = fieldsAfterCommand(line)[19] ?? '';
  return {
    pid: Number.parseInt(line, 10),
    group: Number(group),
    startTime,
    isZombie: state === 'Z' || state === 'X',
  };
}

function fieldsAfterCommand(line: string): string[] {
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
}

/** Undefined when there is no such process. Synchronous, so that nothing happens between a look and a signal. */
export function readStat(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whether this very process still runs. A zombie does not: under a PID 1 that reaps nobody it stays for ever. */
export function isAlive(identity: ProcessIdentity): boolean {
  const stat = readStat(identity.pid);
  return stat !== undefined && stat.startTime === identity.startTime && !stat.isZombie;
}
