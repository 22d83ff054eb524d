import type { Connection } from './connection.ts';
import { ConnectionError } from './errors.ts';
import { isTransient, parsedData, streamed } from './event-stream.ts';
import type { LogLine } from './generated/shapes.ts';
import { pause } from './until.ts';

export interface LogsOptions {
  /** Stops following, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Begins with this many of the last lines; by default 1,000, which is all. */
  readonly tail?: number | undefined;
}

const REOPEN_AFTER_MS = 1000;

/**
 * Yields the output of an instance's runtime, in order and once each. Reopens a dropped stream. Throws when the
 * server refuses, or is unreachable at first.
 */
export async function* followLogs(
  connection: Connection,
  instance_id: string,
  { signal, tail = 1000 }: LogsOptions,
): AsyncGenerator<LogLine, void> {
  let last = 0;
  for (let reached = false; ; reached = true) {
    const input = { path: { instance_id }, query: { tail } };
    const open = (either: AbortSignal) => connection.openEvents('list_instance_logs', input, last, either);
    try {
      for await (const { data } of streamed(open, signal)) {
        const line = parsedData(data) as LogLine | null | undefined;
        if (typeof line?.id !== 'number') throw new ConnectionError('The stream is not of lines');
        if (line.id <= last) continue;
        last = line.id;
        yield line;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTransient(error) || !(reached || last > 0)) throw error;
    }
    await pause(REOPEN_AFTER_MS, signal);
  }
}
