import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rmdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** The message is one line and says how to proceed. */
export class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUseError';

  constructor(directory: string) {
    super(`DATA_DIR ${directory} is in use by another process; stop it or choose another DATA_DIR`);
  }
}

/**
 * Locks a directory until `release()` or the end of the process; creates it (mode 0700) when missing. Throws
 * DataDirectoryInUseError when another process holds it, or an error with the setting's name when it is not writable.
 *
 * The lock is a Linux abstract socket: it leaves no file, and the kernel frees it on kill -9. It is local to a network
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

/** Hashed, because a socket name has at most 107 bytes. */
function abstractName(directory: string): string {
  return `\0agent-control-plane:${createHash('sha256').update(directory).digest('hex')}`;
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // Otherwise a node:cluster worker would share its primary's handle, and thus the lock.
    server.listen({ path, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
