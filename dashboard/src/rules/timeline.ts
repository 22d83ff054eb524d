import type { InstanceEvent, Task } from '@agent-control-plane/sdk';
import { stepsAfter, stepWords } from './task-steps.ts';
import { sentence } from './words.ts';

export interface TimelineStep {
  key: string;
  words: string;
  is: 'done' | 'now' | 'next' | 'failed';
  /** Since the step before; while it goes on, since it began. */
  tookMs: number | undefined;
  /** When it began, where it goes on. */
  since?: string | undefined;
}

export interface TimelineTask {
  is: 'task';
  task: Task;
  steps: readonly TimelineStep[];
}

/** Events outside of tasks. */
export interface TimelineEvents {
  is: 'events';
  events: readonly InstanceEvent[];
}

/**
 * An agent's life, the newest first: its tasks with their steps, and between them what happened by itself.
 * @param events newest first, as the service lists them
 * @param tasks newest first
 */
export function timelineOf(
  events: readonly InstanceEvent[],
  tasks: readonly Task[],
): readonly (TimelineTask | TimelineEvents)[] {
  const rest = [...events];
  const entries: (TimelineTask | TimelineEvents)[] = [];
  const take = (isTaken: (event: InstanceEvent) => boolean) => {
    const end = rest.findIndex((event) => !isTaken(event));
    return rest.splice(0, end === -1 ? rest.length : end);
  };
  const between = (loose: readonly InstanceEvent[]) => {
    if (loose.length > 0) entries.push({ is: 'events', events: loose });
  };
  for (const task of tasks) {
    const { created_at, finished_at } = task;
    between(take(({ at }) => finished_at !== null && at > finished_at));
    const own = take(({ at }) => at >= created_at);
    entries.push({ is: 'task', task, steps: stepsOf(task, own.toReversed()) });
  }
  between(rest);
  return entries;
}

const millisOf = (from: string, to: string) => Math.max(0, Date.parse(to) - Date.parse(from));

export const eventWords = ({ message, to, step }: InstanceEvent): string =>
  message ?? (step === null ? sentence(to) : stepWords(step));

function stepsOf(task: Task, events: readonly InstanceEvent[]): readonly TimelineStep[] {
  let before = task.created_at;
  const past = events.map((event): TimelineStep => {
    const tookMs = millisOf(before, event.at);
    before = event.at;
    const isOwnEnd = task.status === 'failed' && event.step === task.kind;
    const isFailure = isOwnEnd || (event.to === 'failed' && event.from !== 'failed');
    return { key: String(event.id), words: eventWords(event), is: isFailure ? 'failed' : 'done', tookMs };
  });
  if (task.finished_at !== null) {
    const isTold = past.some(({ is }) => is === 'failed');
    return task.error === null || isTold
      ? past
      : [...past, { key: 'error', words: task.error, is: 'failed', tookMs: undefined }];
  }
  const now: TimelineStep = {
    key: 'now',
    words: task.step === null ? 'Waiting for its turn' : stepWords(task.step),
    is: 'now',
    tookMs: undefined,
    since: before,
  };
  const next = stepsAfter(task.kind, task.step).map(
    (step): TimelineStep => ({ key: step, words: stepWords(step), is: 'next', tookMs: undefined }),
  );
  return [...past, now, ...next];
}
