import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rmdir } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { dirname, join, resolve } from 'node:path';

/** The message is one line and says how to proceed. */
export class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUseError';

  /** @param pid undefined where the holder does not say it */
  constructor(directory: string, pid: string | undefined) {
    const holder = pid === undefined ? 'another process' : `another process (pid ${pid})`;
    super(`DATA_DIR ${directory} is in use by ${holder}; stop it or choose another DATA_DIR`);
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
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(String(process.pid));
  });
  try {
    await listen(server, abstractName(directory));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new DataDirectoryInUseError(directory, await holderOf(abstractName(directory)));
    }
    throw error;
  }
  server.unref();
  return {
    release: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** Anybody may hold the name, so only a number counts, and it is not waited for long. */
function holderOf(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    let said = '';
    socket.setEncoding('utf8').setTimeout(HOLDER_ANSWERS_WITHIN_MS, () => socket.destroy());
    socket.on('data', (text: string) => {
      said += text;
      if (said.length > MAX_PID_LENGTH) socket.destroy();
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(/^\d{1,10}$/.test(said) ? said : undefined));
  });
}

const HOLDER_ANSWERS_WITHIN_MS = 1000;
const MAX_PID_LENGTH = 10;

async function makeWritableDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    throw new Error(`DATA_DIR ${path} cannot be a folder: ${inWords(await causeOf(path, error.code))}`);
  });
  const probe = await mkdtemp(join(path, 'start-')).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`DATA_DIR ${path} cannot be written to: ${inWords(error.code)}`);
  });
  await rmdir(probe);
}

/** Node.js reports every fault of a recursive mkdir as ENOENT, so the first missing folder is tried alone. */
async function causeOf(path: string, code: string | undefined): Promise<string | undefined> {
  if (code !== 'ENOENT') return code;
  for (let missing = resolve(path); ; missing = dirname(missing)) {
    const cause = await mkdir(missing, { mode: 0o700 }).then(
      () => code,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (cause !== 'ENOENT' || missing === dirname(missing)) return cause;
  }
}

const WORDS: Readonly<Record<string, string>> = {
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of the path is a file',
};

const inWords = (code = 'unknown'): string => (WORDS[code] ? `${WORDS[code]} (${code})` : code);

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
