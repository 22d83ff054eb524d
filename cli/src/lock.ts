import { rmSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than anything that is done under a lock. */
const STALE_MS = 20_000;
const RETRY_MS = 25;

/**
 * Does something while no other process does it with the same path. A lock whose process was killed is taken over.
 * (Two that take it over at once both go on; what they do to a login is forgiven for 10 seconds: contract, section 3.)
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  await acquire(lock);
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function acquire(lock: string): Promise<void> {
  while (!(await isCreated(lock))) {
    if (await isStale(lock)) await rm(lock, { force: true });
    else await sleep(RETRY_MS);
  }
}

async function isCreated(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

async function isStale(lock: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(lock)).mtimeMs > STALE_MS;
  } catch {
    return false;
  }
}
