import type { Counter } from '../platform/ports.ts';

const BYTES_A_MINUTE = 1024 * 1024;

/** Bytes of log lines that an instance may send in a minute. */
export class LogAllowance {
  readonly #counter: Counter;

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /** @returns `isFirst`: these lines were the first too many of their minute */
  async take(
    instance_id: string,
    lines: readonly string[],
  ): Promise<{ isRefused: boolean; isFirst: boolean; ends_in_ms: number }> {
    // An empty line costs a row, too.
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    const { count, ends_in_ms } = await this.#counter.count(`logs:${instance_id}`, 60, bytes);
    const isRefused = count > BYTES_A_MINUTE;
    return { isRefused, isFirst: isRefused && count - bytes <= BYTES_A_MINUTE, ends_in_ms };
  }
}
