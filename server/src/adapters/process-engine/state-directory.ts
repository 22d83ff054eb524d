import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a runtime keeps what a restart goes on with: <dataDir>/runtimes/<instance_id>, for its owner alone. */
const pathOf = (dataDir: string, instance_id: string) => join(dataDir, 'runtimes', instance_id);

/** @returns its path */
export async function makeStateDirectory(dataDir: string, instance_id: string): Promise<string> {
  const path = pathOf(dataDir, instance_id);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}

/** Takes what a runtime kept away, its keys among it; nothing happens where there is none. */
export async function removeStateDirectory(dataDir: string, instance_id: string): Promise<void> {
  await rm(pathOf(dataDir, instance_id), { recursive: true, force: true });
}
