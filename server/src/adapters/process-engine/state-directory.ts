import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A runtime's state across restarts: <dataDir>/runtimes/<instance_id>, mode 0700. */
const pathOf = (dataDir: string, instance_id: string) => join(dataDir, 'runtimes', instance_id);

/** @returns its path */
export async function makeStateDirectory(dataDir: string, instance_id: string): Promise<string> {
  const path = pathOf(dataDir, instance_id);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}

/** Deletes a runtime's state, including its keys. */
export async function removeStateDirectory(dataDir: string, instance_id: string): Promise<void> {
  await rm(pathOf(dataDir, instance_id), { recursive: true, force: true });
}
