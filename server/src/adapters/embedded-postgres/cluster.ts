import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { syncDirectory } from '../sync-directory.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, errorCode } from './error.ts';
import { type Launch, spawnProgram } from './privileges.ts';

export const SUPERUSER = 'postgres';

/**
 * Creates the cluster when there is none, under a temporary name, so that a kill leaves no partial one.
 * `<directory>.password` (mode 0600) holds the password. @returns the superuser's password
 */
export async function ensureCluster(directory: string, binaries: Binaries, launch: Launch): Promise<string> {
  const passwordFile = `${directory}.password`;
  await removeUnfinished(directory);
  if (await isCluster(directory)) return readPassword(passwordFile, directory);

  // A new name each time, because an initdb whose parent was killed still deletes its directory.
  const unfinished = await mkdtemp(`${directory}.init-`);
  const password = randomBytes(32).toString('base64url');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flush: true });
  if (launch.user !== undefined) {
    await chown(unfinished, launch.user.uid, launch.user.gid);
    await chown(passwordFile, launch.user.uid, launch.user.gid);
  }
  await runInitdb(unfinished, passwordFile, binaries, launch);
  await rename(unfinished, directory);
  await syncDirectory(dirname(directory));
  return password;
}

/** Leaves a directory that is still being written to for the next start. */
async function removeUnfinished(directory: string): Promise<void> {
  const parent = dirname(directory);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(directory)}.init-`)) continue;
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
}

async function isCluster(directory: string): Promise<boolean> {
  try {
    await stat(join(directory, 'PG_VERSION'));
    return true;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const content = await readdir(directory).catch(() => []);
  if (content.length === 0) return false;
  throw new EmbeddedPostgresError(
    `${directory} is neither empty nor a PostgreSQL cluster: move it away or choose another DATA_DIR`,
  );
}

async function readPassword(passwordFile: string, directory: string): Promise<string> {
  try {
    return (await readFile(passwordFile, 'utf8')).trim();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The password of the PostgreSQL cluster ${directory} cannot be read (${passwordFile}: ${errorCode(error)})`,
    );
  }
}

/**
 * Without --no-sync, which saves no measurable time: after a power cut, an unsynced cluster would never start again.
 */
async function runInitdb(target: string, passwordFile: string, binaries: Binaries, launch: Launch) {
  const child = spawnProgram(launch, join(binaries.native, 'bin', 'initdb'), [
    `--pgdata=${target}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    '--no-instructions',
  ]);
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code === 0 ? '' : `initdb ended with ${signal ?? code}`));
  });
  const [failure, complaint] = await Promise.all([ended, text(child.stderr)]);
  if (failure === '') return;
  const [first] = complaint.trim().split('\n');
  // PostgreSQL tells a full disk by how much of a block it wrote.
  const isFull = /No space left on device|could not extend file|Disk quota exceeded/.test(complaint);
  const cause = isFull ? 'the disk of DATA_DIR is full: ' : '';
  throw new EmbeddedPostgresError(`Cannot create the embedded PostgreSQL: ${cause}${first || failure}`);
}
