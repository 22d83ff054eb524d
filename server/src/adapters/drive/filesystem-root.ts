import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriveConnection } from '../../drive/drive.port.ts';
import { driveFailure } from './content.ts';
import type { Path } from './filesystem-ids.ts';

/** open(2) fails with these for a path that does not exist or leads through a link. */
const NOT_THERE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'];

export const unreadable = () => driveFailure('The drive cannot be read');
const notBelow = () => driveFailure('The connection’s root is not a folder below the drive’s');

/**
 * Creates `<filesystem_root>/<tenant_id>/<root>` when missing. Refuses links below the tenant's folder, `..` and
 * absolute paths. @returns its real path
 */
export async function openRoot(filesystemRoot: string, connection: DriveConnection): Promise<string> {
  const { root } = connection.credentials;
  if (typeof root !== 'string') throw driveFailure('The connection’s credentials are not complete');
  if (root.startsWith('/') || root.includes('\0')) throw notBelow();
  const names = root.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw notBelow();
  try {
    const tenantFolder = join(filesystemRoot, connection.tenant_id);
    await mkdir(tenantFolder, { recursive: true, mode: 0o700 });
    let folder = await realpath(tenantFolder);
    for (const name of names) folder = await enter(join(folder, name));
    return folder;
  } catch (error) {
    throw isError(error, ['ENAMETOOLONG', 'ENOTDIR']) ? notBelow() : unreachable(error);
  }
}

/** Creates the folder when missing. Refuses a link. */
async function enter(folder: string): Promise<string> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!isError(error, ['EEXIST'])) throw error;
  });
  if (!(await lstat(folder)).isDirectory()) throw notBelow();
  return folder;
}

/**
 * Follows no links, even those created during the call, because /proc shows the real path of the open file.
 * @returns undefined when it does not exist
 */
export async function openBelow(root: string, path: Path, flags = 0): Promise<FileHandle | undefined> {
  const target = join(root, ...path);
  let handle: FileHandle;
  try {
    // O_NONBLOCK: opening a named pipe would wait for a writer.
    handle = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | flags);
  } catch (error) {
    if (isError(error, NOT_THERE)) return undefined;
    throw unreachable(error);
  }
  const isThere = await readlink(descriptorPath(handle)).then(
    (real) => real === target,
    () => false,
  );
  if (isThere) return handle;
  await handle.close();
  return undefined;
}

/** Leads to the open file itself, even after a rename. */
export const descriptorPath = (handle: FileHandle): string => `/proc/self/fd/${handle.fd}`;

const isError = (error: unknown, codes: readonly unknown[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code);

/** Hides system errors, which name paths; errors meant for the client pass through. */
const unreachable = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).syscall === undefined ? error : unreadable();
