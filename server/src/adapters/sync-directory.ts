import { open } from 'node:fs/promises';

/** Afterwards the directory's new and renamed entries survive a crash. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
