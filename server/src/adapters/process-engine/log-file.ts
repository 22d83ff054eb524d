import { type FileHandle, mkdir, open, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Log } from '../../platform/ports.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;
const MAX_LINE = 300;
const CHECK_EVERY_MS = 1000;

/** These lines follow the message of an uncaught error. */
const NOISE = /^\s*$|^\s+at |^Node\.js v|^\s*[{}[\]^~]+$/;

interface LogFile {
  readonly handle: FileHandle;
  /** The last meaningful line since the opening, at most 300 characters; may be empty. */
  lastLine(clean: (line: string) => string): Promise<string>;
}

export const logPathOf = (dataDir: string, instance_id: string) =>
  join(dataDir, 'runtimes', `${instance_id}.log`);

/**
 * <dataDir>/runtimes/<instance_id>.log, mode 0600. A file and not a pipe, because the runtime may outlive this process.
 * A log over 5 MiB is first renamed to <instance_id>.log.1.
 */
export async function openLog(dataDir: string, instance_id: string): Promise<LogFile> {
  const path = logPathOf(dataDir, instance_id);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const before = await stat(path).catch(() => undefined);
  if (before !== undefined && before.size > MAX_BYTES) await rename(path, `${path}.1`);
  const handle = await open(path, 'a+', 0o600);
  const { size } = await handle.stat();
  return { handle, lastLine: async (clean) => lastLineOf(await readTail(path, size), clean) };
}

/** Truncates logs during writing: a runaway runtime would fill the database's disk. */
export class LogBounds {
  readonly #timer: NodeJS.Timeout;
  #isChecking = false;

  /** @param instances ids of instances that may be writing now */
  constructor(dataDir: string, log: Log, instances: () => Iterable<string>) {
    this.#timer = setInterval(() => void this.#check(dataDir, log, instances()), CHECK_EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #check(dataDir: string, log: Log, instances: Iterable<string>): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    for (const instance_id of instances) {
      try {
        await shortenLog(dataDir, instance_id);
      } catch (error) {
        log.error({ instance_id, err: error }, 'a runtime log could not be truncated');
      }
    }
    this.#isChecking = false;
  }
}

/** Copies the end of a log over 5 MiB to <instance_id>.log.1. Lines written during the call are lost. */
async function shortenLog(dataDir: string, instance_id: string): Promise<void> {
  const path = logPathOf(dataDir, instance_id);
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size <= MAX_BYTES) return;
  const { bytes } = await readEnd(path, MAX_BYTES);
  await writeFile(`${path}.1`, bytes, { mode: 0o600 });
  await truncate(path);
}

/** Reads at most the last `length` bytes after `from`, or after 0 if the file was truncated. */
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
  // Redaction would not recognise part of a secret in a cut line.
  return isCut ? text.slice(text.indexOf('\n') + 1) : text;
}

/** The last meaningful line, at most 300 characters; may be empty. */
export function lastLineOf(text: string, clean: (line: string) => string): string {
  const line = text.split('\n').findLast((line) => !NOISE.test(line)) ?? '';
  return clean(line)
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_LINE);
}
