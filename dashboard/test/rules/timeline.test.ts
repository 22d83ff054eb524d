import type { InstanceEvent, Task } from '@agent-control-plane/sdk';
import { expect, it } from 'vitest';
import { timelineOf } from '../../src/rules/timeline.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 27, 9, 41, 0) + seconds * 1000).toISOString();

const event = (id: number, seconds: number, message: string): InstanceEvent => ({
  id,
  at: at(seconds),
  from: 'provisioning',
  to: 'provisioning',
  step: null,
  message,
});

const task = (change: Partial<Task>): Task => ({
  task_id: 'a-task',
  instance_id: 'an-instance',
  kind: 'deploy',
  status: 'succeeded',
  step: null,
  progress: 100,
  error: null,
  created_at: at(0),
  updated_at: at(2),
  finished_at: at(2),
  hostname: 'crew.example.com',
  ...change,
});

it('puts events into their tasks, and others between them', () => {
  const events = [
    event(4, 10, 'Crashed'),
    event(3, 2, 'Running'),
    event(2, 1, 'Started'),
    event(1, 0, 'Accepted'),
  ];
  const [loose, deploy, ...more] = timelineOf(events, [task({})]);
  expect(loose).toMatchObject({ is: 'events', events: [{ message: 'Crashed' }] });
  expect(deploy).toMatchObject({
    is: 'task',
    steps: [
      { words: 'Accepted', is: 'done', tookMs: 0 },
      { words: 'Started', is: 'done', tookMs: 1000 },
      { words: 'Running', is: 'done', tookMs: 1000 },
    ],
  });
  expect(more).toEqual([]);
});

it('shows the step under way and those to come', () => {
  const unfinished = task({ status: 'running', step: 'wire_rules', finished_at: null, progress: 57 });
  const [deploy] = timelineOf([event(1, 0, 'Accepted')], [unfinished]);
  expect(deploy).toMatchObject({
    steps: [
      { is: 'done' },
      { words: 'PIN policy from the recipe', is: 'now', since: at(0) },
      { words: 'Waiting until it is healthy', is: 'next' },
    ],
  });
});

it('says why a task failed, once', () => {
  const failed = task({ kind: 'upgrade', status: 'failed', error: 'It never became healthy' });
  const [entry] = timelineOf([], [failed]);
  expect(entry).toMatchObject({ steps: [{ words: 'It never became healthy', is: 'failed' }] });
  const told: InstanceEvent = { ...event(1, 1, 'It never became healthy'), to: 'failed' };
  const [other] = timelineOf([told], [failed]);
  expect(other).toMatchObject({ steps: [{ words: 'It never became healthy', is: 'failed' }] });
  const undone = { ...event(1, 1, 'Undone: It never became healthy'), step: 'upgrade' };
  const [last] = timelineOf([undone], [failed]);
  expect(last).toMatchObject({ steps: [{ words: 'Undone: It never became healthy', is: 'failed' }] });
});
