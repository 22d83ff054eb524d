import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, writeSecretFile } from './secret-files.ts';

/** The id of this runtime host, stored with the data so that a restart finds its runtimes again. */
export async function openHostId(data_dir: string): Promise<string> {
  const path = join(data_dir, 'host-id');
  const kept = (await readIfThere(path))?.trim();
  if (kept) return kept;
  const id = randomUUID();
  await writeSecretFile(path, `${id}\n`);
  return id;
}
