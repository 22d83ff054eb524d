import type { Log } from './ports.ts';

const PAUSE_MS = 60_000;
const MAX_KEYS = 10_000;

/** One line per minute and key for repeated failures, with the number of omitted ones. */
export class SeldomLog {
  readonly #log: Log;
  /** The last line of each key, and the number of omitted ones since. */
  readonly #last = new Map<string, { at: number; left_out: number }>();

  constructor(log: Log) {
    this.#log = log;
  }

  warn(key: string, fields: object, message: string): void {
    this.#write('warn', key, fields, message);
  }

  error(key: string, fields: object, message: string): void {
    this.#write('error', key, fields, message);
  }

  #write(level: 'warn' | 'error', key: string, fields: object, message: string): void {
    const last = this.#last.get(key);
    const now = performance.now();
    if (last && now - last.at < PAUSE_MS) {
      last.left_out++;
      return;
    }
    this.#last.delete(key);
    const [oldest] = this.#last.keys();
    if (oldest !== undefined && this.#last.size >= MAX_KEYS) this.#last.delete(oldest);
    this.#last.set(key, { at: now, left_out: 0 });
    this.#log[level]({ ...fields, ...(last && { left_out: last.left_out }) }, message);
  }
}
