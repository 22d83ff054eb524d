import type pg from 'pg';
import type { ProtocolConnection } from './batch.ts';

/** Without probes, TCP takes a quarter of an hour to notice a dead host, and a firewall may drop an idle connection. */
export const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** Longer than the server's statement_timeout of 30 s, after which no answer can come. */
export const ANSWER_WITHIN_MS = 40_000;

export const connectionOf = (client: pg.ClientBase): ProtocolConnection =>
  (client as unknown as { connection: ProtocolConnection }).connection;

/** Closes a connection that does not answer; its callers get an error. */
export function giveUp(connection: ProtocolConnection): void {
  connection.stream.destroy(new Error('The database did not answer'));
}

/** Waits for an answer up to a time limit, and closes the connection past it. */
export async function answered<T>(client: pg.ClientBase, withinMs: number, answer: Promise<T>): Promise<T> {
  const timer = setTimeout(() => giveUp(connectionOf(client)), withinMs);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}
