import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriveConnection } from '../../drive/drive.port.ts';
import { driveFailure } from './content.ts';
import type { Path } from './filesystem-ids.ts';

/** What open(2) says about a path that leads nowhere, or through a link. */
const NOT_THERE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'];

export const unreadable = () => driveFailure('The drive cannot be read');
const notBelow = () => driveFailure('The connection’s root is not a folder below the drive’s');

/**
 * A connection's folder: `<filesystem_root>/<tenant_id>/<root>`, made when missing. Links on the way from the tenant's
 * folder are refused, not followed, and so are `..` and absolute paths. @returns its real path
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

/** One folder deeper; made when missing. */
async function enter(folder: string): Promise<string> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!isError(error, ['EEXIST'])) throw error;
  });
  if (!(await lstat(folder)).isDirectory()) throw notBelow();
  return folder;
}

/**
 * Opens what stands below a root, and nothing that a link leads to, also when somebody puts one in the way meanwhile:
 * Linux tells where what was opened really is. @returns undefined when it is not there
 */
export async function openBelow(root: string, path: Path, flags = 0): Promise<FileHandle | undefined> {
  const target = join(root, ...path);
  let handle: FileHandle;
  try {
    // without waiting: a named pipe would, for somebody to write
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

/** A path to an open file or folder itself, wherever its name leads by now. */
export const descriptorPath = (handle: FileHandle): string => `/proc/self/fd/${handle.fd}`;

const isError = (error: unknown, codes: readonly unknown[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code);

/** The system's errors name paths: the client learns none. What is already told for a client stays. */
const unreachable = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).syscall === undefined ? error : unreadable();
