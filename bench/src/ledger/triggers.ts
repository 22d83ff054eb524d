import type { Message } from './messages.ts';
import type { WriterContext } from './writers.ts';

const TRIGGERS = 'times of a trigger';
/** The runtime answers each with these words and the message's id. */
const TOLD = 'answers to triggers';
const ANSWER = 'told ';
const MINUTE_MS = 60_000;
/** How long after its time a trigger is told on a busy machine, where nothing else is wrong. */
const LATE_MS = 20_000;

/**
 * The trigger speaks every minute, once. A time is missed only where a fault came between: of several missed times the last
 * counts.
 */
export function compareTriggers({ book, began, ended }: WriterContext, messages: readonly Message[]): void {
  const told = messages.filter(({ kind }) => kind === 'trigger');
  const times = told.map(({ at }) => Math.floor(Date.parse(at) / MINUTE_MS) * MINUTE_MS);
  for (const time of times) book.try(TRIGGERS, nameOf(time));
  for (let time = Math.ceil(began() / MINUTE_MS) * MINUTE_MS; time + LATE_MS < ended(); time += MINUTE_MS) {
    if (times.includes(time) || !book.wasInTrouble(time, time + MINUTE_MS))
      book.acknowledge(TRIGGERS, nameOf(time));
    else book.allow('time of a trigger that passed under a fault');
  }
  book.compare(TRIGGERS, times.map(nameOf));
  for (const { id } of told) book.acknowledge(TOLD, id);
  const answers = messages.filter(({ author, text }) => author === 'agent' && text.startsWith(ANSWER));
  book.compare(
    TOLD,
    answers.map(({ text }) => text.slice(ANSWER.length)),
  );
}

const nameOf = (time: number) => new Date(time).toISOString();
