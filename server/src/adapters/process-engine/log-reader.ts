import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { KeyedQueue } from '../../platform/load/keyed-queue.ts';
import type { Log } from '../../platform/ports.ts';
import { logPathOf } from './log-file.ts';

const READ_EVERY_MS = 1000;
const READS_AT_ONCE = 4;
/** A runtime that says more between two reads is heard in part. */
const MAX_BYTES = 256 * 1024;
const NEWLINE = 10;

export interface LogReaderOptions {
  dataDir: string;
  log: Log;
  /** The ids of instances that may be writing now. */
  instances: () => Iterable<string>;
  /** Takes the lines of an instance, oldest first. Rejects to be called again. */
  onLines: (instance_id: string, lines: readonly string[]) => Promise<void>;
}

/**
 * Hands on what runtimes write to their logs. The place that was read up to stands in <instance_id>.log.read, because the
 * runtime may outlive this process; lines that were handed on just before a kill are handed on again.
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

  /** Reads an instance's log soon. */
  read(instance_id: string): void {
    this.#reads.add(instance_id);
  }

  /** Reads everything that is left, as far as it is taken. */
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
      // Once per outage: it is tried again every second.
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
    // A shorter file was begun anew.
    const from = size < known ? 0 : known;
    if (size === from) return;
    const { text, end, skipped } = await readLines(path, from, size);
    if (end === from) return;
    const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
    const left = skipped > 0 ? [`(${skipped} bytes of output left out)`] : [];
    await this.#options.onLines(instance_id, [...left, ...lines]);
    this.#positions.set(instance_id, end);
    await writeFile(`${path}.read`, String(end), { mode: 0o600 });
  }
}

async function readPosition(path: string): Promise<number> {
  const text = await readFile(`${path}.read`, 'utf8').catch(() => '0');
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The whole lines between two places; a line that is longer than one read counts as whole. */
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
    // The rest of a line that was cut in two may be part of a secret.
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
