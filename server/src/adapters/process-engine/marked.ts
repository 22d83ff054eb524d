import { readdir, readFile } from 'node:fs/promises';
import type { Observed, RuntimeSpec } from '../../runtimes/engine.port.ts';
import type { NetworkKind } from './network.ts';
import { type ProcessIdentity, readStat } from './proc.ts';

/** Marks a runtime with its data directory. Unlike a pid file, an environment variable cannot be outdated. */
const MARKER = 'ACP_DATA_DIR';
const GENERATION = 'ACP_GENERATION';
const SPEC_HASH = 'ACP_SPEC_HASH';
const MEMORY_MIB = 'ACP_MEMORY_MIB';
const NETWORK = 'ACP_NETWORK';

export type StartedWith = Pick<Observed, 'generation' | 'spec_hash'>;

/** Environment variables that let a later server recognise a runtime. */
export const markersOf = (
  dataDir: string,
  { generation, hash, memory_mib }: RuntimeSpec,
  network: NetworkKind,
) => ({
  [MARKER]: dataDir,
  [GENERATION]: String(generation),
  [SPEC_HASH]: hash,
  [MEMORY_MIB]: String(memory_mib),
  [NETWORK]: network,
});

/** A process with the marker and data from its environment. */
export interface MarkedProcess extends ProcessIdentity, StartedWith, ServerAddresses {
  readonly instance_id: string;
  /** NaN when missing. */
  readonly port: number;
  /** NaN when missing. */
  readonly memory_mib: number;
  readonly network: NetworkKind;
}

/** Runtimes get these addresses only at their start. */
export interface ServerAddresses {
  readonly base_url: string;
  readonly mtls_url: string;
}

/** Finds this user's live processes of a data directory, of this server or an earlier one. */
export async function findMarked(dataDir: string): Promise<MarkedProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found: MarkedProcess[] = [];
  // One at a time: all at once might exceed the limit of open files.
  for (const pid of pids) {
    const marked = await readMarked(pid, dataDir);
    if (marked) found.push(marked);
  }
  return found;
}

async function readMarked(pid: number, dataDir: string): Promise<MarkedProcess | undefined> {
  // Read the start time before the environment: if the pid is reused in between, no signal reaches the new process.
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
    network: networkIn(environment.get(NETWORK)),
    base_url: environment.get('CONTROL_PLANE_URL') ?? '',
    mtls_url: environment.get('CONTROL_PLANE_MTLS_URL') ?? '',
  };
}

const networkIn = (marked: string | undefined): NetworkKind =>
  marked === 'own' || marked === 'internet' ? marked : 'machine';

/** @returns an empty map for a process that is gone or another user's */
async function readEnvironment(pid: number): Promise<Map<string, string>> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const entries = text.split('\0').map((entry): [string, string] => {
    const end = entry.indexOf('=');
    return [entry.slice(0, end), entry.slice(end + 1)];
  });
  return new Map(entries);
}
