import { open } from 'node:fs/promises';

/** What was made or renamed in a directory is there after a crash, too. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
