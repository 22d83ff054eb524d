import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rmdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** Another live process holds the directory. The message is one line and says how to proceed. */
export class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUseError';

  constructor(directory: string) {
    super(`DATA_DIR ${directory} is in use by another process; stop it or choose another DATA_DIR`);
  }
}

/**
 * Locks a directory for this process until `release()` or the end of the process; creates it (mode 0700) when missing.
 * Throws DataDirectoryInUseError when another process holds it, and an error that names the setting when the directory
 * cannot be created or written to.
 *
 * The lock is a Linux abstract socket: it leaves no file, and the kernel frees it on kill -9. It works within one network
 * namespace, so two containers that share a volume do not notice each other.
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

/** Hashed, because a socket name is limited to 107 bytes and a path is not. */
function abstractName(directory: string): string {
  return `\0agent-control-plane:${createHash('sha256').update(directory).digest('hex')}`;
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // exclusive: otherwise a node:cluster worker would share its primary's handle and thus the lock
    server.listen({ path, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
