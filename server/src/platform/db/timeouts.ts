import type pg from 'pg';
import type { ProtocolConnection } from './batch.ts';

/**
 * Whose host is gone without a word, or forgotten by something between, answers nothing, and TCP by itself gives up
 * after a quarter of an hour. What is unused is asked whether it is there, so that nothing between forgets it either.
 */
export const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** The database ends a statement after 30 s, so what was not answered by then never will be. */
export const ANSWER_WITHIN_MS = 40_000;

export const connectionOf = (client: pg.ClientBase): ProtocolConnection =>
  (client as unknown as { connection: ProtocolConnection }).connection;

/** Gives a connection up; whoever waits for it is told that it was lost. */
export function giveUp(connection: ProtocolConnection): void {
  connection.stream.destroy(new Error('The database did not answer'));
}

/** Waits for an answer for as long as there may be one. */
export async function answered<T>(client: pg.ClientBase, withinMs: number, answer: Promise<T>): Promise<T> {
  const timer = setTimeout(() => giveUp(connectionOf(client)), withinMs);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}
