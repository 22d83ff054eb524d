import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A runtime's state across restarts: <dataDir>/runtimes/<instance_id>, mode 0700. */
export const statePathOf = (dataDir: string, instance_id: string) => join(dataDir, 'runtimes', instance_id);

/** <dataDir>/runtimes/<instance_id>, mode 0700, survives restarts. @returns its path */
export async function makeStateDirectory(dataDir: string, instance_id: string): Promise<string> {
  const path = statePathOf(dataDir, instance_id);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}

/** The state includes the runtime's keys. */
export async function removeStateDirectory(dataDir: string, instance_id: string): Promise<void> {
  await rm(statePathOf(dataDir, instance_id), { recursive: true, force: true });
}
