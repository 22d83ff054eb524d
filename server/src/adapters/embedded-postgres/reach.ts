import type { Stats } from 'node:fs';
import { chmod, chown, cp, lchown, lstat, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, errorCode } from './error.ts';
import type { User } from './privileges.ts';

/**
 * Gives an ordinary user access to the cluster and the programs. @returns the programs, copied beside the cluster when
 * the user cannot reach them. Throws EmbeddedPostgresError when a directory above the data directory is closed.
 */
export async function openTo(user: User, directory: string, binaries: Binaries): Promise<Binaries> {
  await openPath(user, directory);
  await giveCluster(user, directory);
  if ((await firstClosed(user, join(binaries.native, 'bin', 'postgres'))) === undefined) return binaries;
  return copyBinaries(binaries, `${directory}.binaries-${binaries.version}`);
}

/** Only lets the user's group enter the data directory. Directories above it are not ours to change. */
async function openPath(user: User, directory: string): Promise<void> {
  const parent = dirname(directory);
  const closed = await firstClosed(user, parent);
  if (closed === undefined) return;
  const { uid, mode } = await stat(closed);
  if (closed !== parent || uid !== 0) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and as user ${user.uid} it cannot enter ${closed}: ` +
        'choose a DATA_DIR that every user can reach, run as an ordinary user, or set DATABASE_URL',
    );
  }
  await chown(parent, uid, user.gid);
  await chmod(parent, mode | 0o010);
}

/** Root owns a cluster that was created in a namespace, which the system may no longer allow. */
async function giveCluster(user: User, directory: string): Promise<void> {
  const cluster = await stat(directory).catch(() => undefined);
  if (cluster === undefined || cluster.uid === user.uid) return;
  for (const entry of await readdir(directory, { recursive: true })) {
    await lchown(join(directory, entry), user.uid, user.gid);
  }
  await chown(directory, user.uid, user.gid);
}

async function copyBinaries(binaries: Binaries, target: string): Promise<Binaries> {
  const unfinished = `${target}.${process.pid}`;
  try {
    if ((await stat(target).catch(() => undefined)) !== undefined) return { ...binaries, native: target };
    await cp(binaries.native, unfinished, { recursive: true, verbatimSymlinks: true });
    await chmod(unfinished, 0o755);
    for (const entry of await readdir(unfinished, { recursive: true })) {
      const path = join(unfinished, entry);
      const stats = await lstat(path);
      // Under umask 077, npm installs files that only their owner can read.
      if (!stats.isSymbolicLink()) await chmod(path, (stats.mode & 0o100) === 0 ? 0o644 : 0o755);
    }
    await rename(unfinished, target);
  } catch (error) {
    // Another process finished the same copy.
    if (errorCode(error) !== 'ENOTEMPTY') throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return { ...binaries, native: target };
}

/** @returns the topmost part of the absolute path that the user may not enter or execute */
async function firstClosed(user: User, path: string): Promise<string | undefined> {
  const above = dirname(path);
  const closed = above === path ? undefined : await firstClosed(user, above);
  if (closed !== undefined) return closed;
  return mayExecute(user, await stat(path)) ? undefined : path;
}

function mayExecute(user: User, { uid, gid, mode }: Stats): boolean {
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
