import { readdir, readFile } from 'node:fs/promises';
import type { Observed, RuntimeSpec } from '../../runtimes/engine.port.ts';
import { type ProcessIdentity, readStat } from './proc.ts';

/** Environment variable that marks a runtime with its data directory. Unlike a pid file, it cannot be out of date. */
const MARKER = 'ACP_DATA_DIR';
const GENERATION = 'ACP_GENERATION';
const SPEC_HASH = 'ACP_SPEC_HASH';
const MEMORY_MIB = 'ACP_MEMORY_MIB';

/** The part of a specification that stays known while the process lives. */
export type StartedWith = Pick<Observed, 'generation' | 'spec_hash'>;

/** Environment variables by which a later server recognises a runtime. */
export const markersOf = (dataDir: string, { generation, hash, memory_mib }: RuntimeSpec) => ({
  [MARKER]: dataDir,
  [GENERATION]: String(generation),
  [SPEC_HASH]: hash,
  [MEMORY_MIB]: String(memory_mib),
});

/** A process with the marker, and facts from its environment. */
export interface MarkedProcess extends ProcessIdentity, StartedWith, ServerAddresses {
  readonly instance_id: string;
  /** NaN when missing. */
  readonly port: number;
  /** NaN when missing. */
  readonly memory_mib: number;
}

/** The addresses at which runtimes reach the server. A runtime learns them only at its start. */
export interface ServerAddresses {
  readonly base_url: string;
  readonly mtls_url: string;
}

/** Finds this user's live processes of a data directory, started by this server or an earlier one. */
export async function findMarked(dataDir: string): Promise<MarkedProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found: MarkedProcess[] = [];
  // One after the other: a file for each process of the machine at once may be more than a process may open.
  for (const pid of pids) {
    const marked = await readMarked(pid, dataDir);
    if (marked) found.push(marked);
  }
  return found;
}

async function readMarked(pid: number, dataDir: string): Promise<MarkedProcess | undefined> {
  // The start time is read before the environment: if the pid is reused in between, no signal reaches the new process.
  const stat = readStat(pid);
  if (stat === undefined || stat.isZombie || pid === process.pid) return undefined;
  const environment = await readEnvironment(pid);
  const instance_id = environment.get('INSTANCE_ID');
  if (environment.get(MARKER) !== dataDir || !instance_id) return undefined;
  return {
    pid,
    group: stat.group,
    startTime: stat.startTime,
    instance_id,
    port: Number.parseInt(environment.get('PORT') ?? '', 10),
    generation: Number.parseInt(environment.get(GENERATION) ?? '', 10),
    spec_hash: environment.get(SPEC_HASH) ?? '',
    memory_mib: Number.parseInt(environment.get(MEMORY_MIB) ?? '', 10),
    base_url: environment.get('CONTROL_PLANE_URL') ?? '',
    mtls_url: environment.get('CONTROL_PLANE_MTLS_URL') ?? '',
  };
}

/** @returns an empty map for another user's process, or one that is gone */
async function readEnvironment(pid: number): Promise<Map<string, string>> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const entries = text.split('\0').map((entry): [string, string] => {
    const end = entry.indexOf('=');
    return [entry.slice(0, end), entry.slice(end + 1)];
  });
  return new Map(entries);
}
