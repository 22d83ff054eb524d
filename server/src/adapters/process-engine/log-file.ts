import { type FileHandle, mkdir, open, rename, stat, truncate, writeFile } from 'node:fs/promises';
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

const pathOf = (dataDir: string, instance_id: string) => join(dataDir, 'runtimes', `${instance_id}.log`);

/**
 * Opens what a runtime writes to: <dataDir>/runtimes/<instance_id>.log, for its owner alone. A file and no pipe, because
 * the runtime may outlive this process. Over 5 MiB it becomes <instance_id>.log.1 first.
 */
export async function openLog(dataDir: string, instance_id: string): Promise<LogFile> {
  const path = pathOf(dataDir, instance_id);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const before = await stat(path).catch(() => undefined);
  if (before !== undefined && before.size > MAX_BYTES) await rename(path, `${path}.1`);
  const handle = await open(path, 'a+', 0o600);
  const { size } = await handle.stat();
  return { handle, lastLine: async (clean) => lastLineOf(await readTail(path, size), clean) };
}

/**
 * Empties a log over 5 MiB that is being written to: the runtime appends, and goes on at the beginning. The end of what
 * it said becomes <instance_id>.log.1; what it says meanwhile is lost. Nothing happens where there is no log.
 */
export async function shortenLog(dataDir: string, instance_id: string): Promise<void> {
  const path = pathOf(dataDir, instance_id);
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size <= MAX_BYTES) return;
  const { bytes } = await readEnd(path, MAX_BYTES);
  await writeFile(`${path}.1`, bytes, { mode: 0o600 });
  await truncate(path);
}

/** The last bytes of a file, `length` at most, and none before `from` unless the file is shorter than that by now. */
async function readEnd(path: string, length: number, from = 0): Promise<{ bytes: Buffer; isCut: boolean }> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const first = size < from ? 0 : from;
    const start = Math.max(first, size - length);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
    return { bytes: buffer.subarray(0, bytesRead), isCut: start > first };
  } finally {
    await handle.close();
  }
}

async function readTail(path: string, opened: number): Promise<string> {
  const { bytes, isCut } = await readEnd(path, TAIL_BYTES, opened);
  const text = bytes.toString();
  // the rest of a line could be the rest of a secret, which nothing would recognise
  return isCut ? text.slice(text.indexOf('\n') + 1) : text;
}

function lastLineOf(text: string, clean: (line: string) => string): string {
  const line = text.split('\n').findLast((line) => !NOISE.test(line)) ?? '';
  return clean(line)
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_LINE);
}
