import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const MAX_BYTES = 5 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;
const MAX_LINE = 300;

/** Frames of a stack and the farewell of Node.js, which follow what an uncaught error says. */
const NOISE = /^\s*$|^\s+at |^Node\.js v|^\s*[{}[\]^~]+$/;

export interface LogFile {
  readonly handle: FileHandle;
  /** The last line that says something since the file was opened, at most 300 characters; may be empty. */
  lastLine(clean: (line: string) => string): Promise<string>;
}

/**
 * Opens what a runtime writes to: <dataDir>/runtimes/<instance_id>.log, for its owner alone. A file and no pipe, because
 * the runtime may outlive this process. Over 5 MiB it becomes <instance_id>.log.1 first.
 */
export async function openLog(dataDir: string, instance_id: string): Promise<LogFile> {
  const path = join(dataDir, 'runtimes', `${instance_id}.log`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const before = await stat(path).catch(() => undefined);
  if (before !== undefined && before.size > MAX_BYTES) await rename(path, `${path}.1`);
  const handle = await open(path, 'a+', 0o600);
  const { size } = await handle.stat();
  return { handle, lastLine: async (clean) => lastLineOf(await readTail(path, size), clean) };
}

async function readTail(path: string, from: number): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const start = Math.max(from, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start);
    const text = buffer.toString('utf8', 0, bytesRead);
    // the rest of a line could be the rest of a secret, which nothing would recognise
    return start === from ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

function lastLineOf(text: string, clean: (line: string) => string): string {
  const line = text.split('\n').findLast((line) => !NOISE.test(line)) ?? '';
  return clean(line)
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_LINE);
}
