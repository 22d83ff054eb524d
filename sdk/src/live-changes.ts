import type { Connection } from './connection.ts';
import { parsedData, streamed } from './event-stream.ts';

/** Says which row changed, never how. */
export interface LiveChange {
  readonly kind:
    | 'conversation'
    | 'approval'
    | 'instance'
    | 'task'
    | 'channel_message'
    | 'connection'
    | 'timesheet'
    | 'recipe'
    | 'customer';
  readonly id: string;
  readonly instance_id: string | null;
  readonly customer_id: string | null;
}

export interface ChangesOptions {
  /** Stops following, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the stream is open: from now on no change is missed. */
  readonly onOpen?: () => void;
}

/**
 * Yields hints of what changes from now on. Nothing is replayed, so it ends when the stream drops (by ConnectionError or
 * silently): read anew what is shown, and follow again.
 */
export async function* followChanges(
  connection: Connection,
  { signal, onOpen }: ChangesOptions,
): AsyncGenerator<LiveChange, void> {
  const open = async (until: AbortSignal) => {
    const response = await connection.openEvents('follow_changes', {}, 0, until);
    onOpen?.();
    return response;
  };
  for await (const { data } of streamed(open, signal)) {
    const change = parsedData(data) as LiveChange | undefined;
    if (change) yield change;
  }
}
