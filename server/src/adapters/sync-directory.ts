import { open } from 'node:fs/promises';

/** Makes new and renamed entries of a directory survive a crash. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
