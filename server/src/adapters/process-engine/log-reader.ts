import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { KeyedQueue } from '../../platform/load/keyed-queue.ts';
import type { Log } from '../../platform/ports.ts';
import { logPathOf } from './log-file.ts';

const READ_EVERY_MS = 1000;
const READS_AT_ONCE = 4;
/** Per read; the earlier part is skipped. */
const MAX_BYTES = 256 * 1024;
const NEWLINE = 10;

interface LogReaderOptions {
  dataDir: string;
  log: Log;
  /** Ids of instances that may be writing now. */
  instances: () => Iterable<string>;
  /** Oldest first. The lines are sent again after a rejection. */
  onLines: (instance_id: string, lines: readonly string[]) => Promise<void>;
}

/**
 * Delivers the lines of runtimes' logs at least once. <instance_id>.log.read holds the position, because the runtime may
 * outlive this process; a kill between delivery and its write repeats lines.
 */
export class LogReader {
  readonly #options: LogReaderOptions;
  readonly #reads: KeyedQueue;
  readonly #timer: NodeJS.Timeout;
  readonly #positions = new Map<string, number>();
  #isFailing = false;

  constructor(options: LogReaderOptions) {
    this.#options = options;
    this.#reads = new KeyedQueue(READS_AT_ONCE, (id) => this.#readSafely(id));
    this.#timer = setInterval(() => {
      for (const id of options.instances()) this.read(id);
    }, READ_EVERY_MS).unref();
  }

  read(instance_id: string): void {
    this.#reads.add(instance_id);
  }

  /** Delivers the remaining lines; a rejection leaves them to the next start. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reads.close();
    for (const id of this.#options.instances()) await this.#readSafely(id);
  }

  async #readSafely(instance_id: string): Promise<void> {
    const { dataDir, log } = this.#options;
    try {
      await this.#read(instance_id, logPathOf(dataDir, instance_id));
      this.#isFailing = false;
    } catch (error) {
      // Logged once per outage, because reads repeat every second.
      if (!this.#isFailing) log.warn({ instance_id, err: error }, 'the output of a runtime was not kept');
      this.#isFailing = true;
    }
  }

  async #read(instance_id: string, path: string): Promise<void> {
    const size = await stat(path).then(
      (file) => file.size,
      () => 0,
    );
    const known = this.#positions.get(instance_id) ?? (await readPosition(path));
    // A shorter file was truncated.
    const from = size < known ? 0 : known;
    if (size === from) return;
    const { text, end, skipped } = await readLines(path, from, size);
    if (end === from) return;
    const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
    const note = skipped > 0 ? [`(${skipped} bytes of output left out)`] : [];
    await this.#options.onLines(instance_id, [...note, ...lines]);
    this.#positions.set(instance_id, end);
    await writeFile(`${path}.read`, String(end), { mode: 0o600 });
  }
}

async function readPosition(path: string): Promise<number> {
  const text = await readFile(`${path}.read`, 'utf8').catch(() => '0');
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** Complete lines between two positions. A line longer than MAX_BYTES is skipped. */
async function readLines(path: string, from: number, to: number) {
  const start = Math.max(from, to - MAX_BYTES);
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - start), 0, to - start, start);
    const bytes = buffer.subarray(0, bytesRead);
    const last = bytes.lastIndexOf(NEWLINE) + 1;
    if (last === 0) {
      const isTooLong = bytes.length >= MAX_BYTES;
      const end = isTooLong ? start + bytes.length : from;
      return { text: '', end, skipped: isTooLong ? end - from : 0 };
    }
    // Drop a cut line: redaction would not recognise part of a secret.
    const first = start > from ? bytes.indexOf(NEWLINE) + 1 : 0;
    return {
      text: bytes.subarray(first, last).toString(),
      end: start + last,
      skipped: start + first - from,
    };
  } finally {
    await handle.close();
  }
}
