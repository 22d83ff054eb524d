import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rmdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** Another live process holds the directory. The message is one line that says what to do. */
export class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUseError';

  constructor(directory: string) {
    super(`DATA_DIR ${directory} is in use by another process; stop it or choose another DATA_DIR`);
  }
}

/**
 * Takes a directory for this process alone until `release()` or the end of the process, and creates it
 * (mode 0700) when it is missing. Throws DataDirectoryInUseError when another process has it, and an error that names
 * the setting where there can be no such directory or it cannot be written to.
 *
 * The lock is a Linux abstract socket: no file is left behind, and the kernel frees it on kill -9. It does not
 * keep the process alive. It is seen within one network namespace: two containers with one volume do not meet here.
 */
export async function lockDataDirectory(path: string): Promise<{ release(): Promise<void> }> {
  await makeWritableDirectory(path);
  const directory = await realpath(path);
  const server = createServer((socket) => socket.destroy());
  try {
    await listen(server, abstractName(directory));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new DataDirectoryInUseError(directory);
    }
    throw error;
  }
  server.unref();
  return {
    release: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

async function makeWritableDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`DATA_DIR ${path} cannot be a folder: ${error.code}`);
  });
  const probe = await mkdtemp(join(path, 'start-')).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`DATA_DIR ${path} cannot be written to: ${error.code}`);
  });
  await rmdir(probe);
}

/** Hashed, because a socket's name ends at 107 bytes and a path does not. */
function abstractName(directory: string): string {
  return `\0agent-control-plane:${createHash('sha256').update(directory).digest('hex')}`;
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // exclusive: else a node:cluster worker would share its primary's handle, and the lock with it
    server.listen({ path, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
