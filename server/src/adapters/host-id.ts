import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, writeSecretFile } from './secret-files.ts';

/** Stored with the data, so that a restarted host finds its runtimes again. */
export async function openHostId(data_dir: string): Promise<string> {
  const path = join(data_dir, 'host-id');
  const stored = (await readIfThere(path))?.trim();
  if (stored) return stored;
  const id = randomUUID();
  await writeSecretFile(path, `${id}\n`);
  return id;
}
