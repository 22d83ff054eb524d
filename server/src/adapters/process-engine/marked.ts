import { readdir, readFile } from 'node:fs/promises';
import { type ProcessIdentity, readStat } from './proc.ts';

/** Marks, in a runtime's environment, whose it is: the path of the data directory. So no file can be out of date. */
export const MARKER = 'ACP_DATA_DIR';

/** A process that bears the mark, and what its environment says beside it. */
export interface MarkedProcess extends ProcessIdentity {
  readonly instance_id: string;
  /** NaN when it has none. */
  readonly port: number;
  /** See controlPlaneOf. */
  readonly control_plane: string;
}

/** Where a runtime with this environment calls: both addresses of the server, to be compared. */
export function controlPlaneOf({
  CONTROL_PLANE_URL,
  CONTROL_PLANE_MTLS_URL,
}: Readonly<Record<string, string>>): string {
  return JSON.stringify([CONTROL_PLANE_URL, CONTROL_PLANE_MTLS_URL]);
}

/** Every live process of this user that was started for a data directory, by this server or by one before it. */
export async function findMarked(dataDir: string): Promise<MarkedProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => readMarked(pid, dataDir)));
  return found.filter((marked) => marked !== undefined);
}

async function readMarked(pid: number, dataDir: string): Promise<MarkedProcess | undefined> {
  // First the start time, then the environment: should the number change hands in between, no signal will find it.
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
    control_plane: controlPlaneOf(Object.fromEntries(environment)),
  };
}

/** Empty for another user's process, and for one that has gone. */
async function readEnvironment(pid: number): Promise<Map<string, string>> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const entries = text.split('\0').map((entry): [string, string] => {
    const end = entry.indexOf('=');
    return [entry.slice(0, end), entry.slice(end + 1)];
  });
  return new Map(entries);
}
