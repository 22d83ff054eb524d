import type { Task } from '@agent-control-plane/sdk';
import { partsOf, taskWords } from '../rules/task-steps.ts';
import { clockSeconds, day, isSameDay, took } from '../rules/time.ts';
import type { TimelineStep, TimelineTask } from '../rules/timeline.ts';
import { visible } from '../rules/visible-text.ts';
import { Panel } from '../ui/panel.tsx';
import { Segments } from '../ui/segments.tsx';
import { ShapeMark } from '../ui/status.tsx';
import { useNow } from '../ui/time.tsx';
import style from './instance-timeline.module.css';

/** One task with its steps and their times. */
export function TaskPanel({ of: { task, steps } }: { of: TimelineTask }) {
  const isUnderWay = task.finished_at === null;
  return (
    <Panel title={titleOf(task)} aside={<Times of={task} />} bare>
      {isUnderWay && (
        <div className={style.progress}>
          <Segments {...partsOf(task)} label={taskWords(task.kind)} wide />
        </div>
      )}
      <ol className={style.steps}>
        {steps.map((step) => (
          <Step key={step.key} of={step} />
        ))}
      </ol>
      {isUnderWay && <p className={`hint ${style.foot}`}>{FEET[task.kind] ?? IF_IT_FAILS}</p>}
    </Panel>
  );
}

const IF_IT_FAILS = 'If a step fails for good, those before it are undone, newest first.';
const FEET: Partial<Record<Task['kind'], string>> = {
  move: 'If the runtime does not come up there, it goes back.',
  restart: 'If the new runtime does not come up, the agent stays, and its runtime is tried further.',
  stop: 'It is tried until it is done.',
  terminate: 'It is tried until it is done.',
  leave: 'It is tried until it is done.',
};

const ENDS: Partial<Record<Task['status'], string>> = {
  failed: 'failed',
  canceled: 'canceled',
  canceling: 'is being canceled',
};

const titleOf = ({ kind, status }: Task) => {
  const end = ENDS[status];
  return end === undefined ? taskWords(kind) : `${taskWords(kind)}, ${end}`;
};

function Times({ of: { created_at, finished_at } }: { of: Task }) {
  const now = useNow(finished_at === null ? 200 : undefined);
  const ms = Math.max(0, (finished_at === null ? now : Date.parse(finished_at)) - Date.parse(created_at));
  return (
    <span className="hint num">
      {!isSameDay(created_at, now) && `${day(created_at, now)}, `}
      {clockSeconds(created_at)} · {took(ms)}
      {finished_at === null && ' so far'}
    </span>
  );
}

const MARKS = {
  done: { shape: 'check', tone: 'good' },
  now: { shape: 'arc', tone: 'act' },
  next: { shape: 'ring', tone: 'off' },
  failed: { shape: 'triangle', tone: 'bad' },
} as const;

const Step = ({ of: { words, is, tookMs, since } }: { of: TimelineStep }) => (
  <li data-is={is}>
    <ShapeMark {...MARKS[is]} />
    <span className={style.words}>
      {visible(words)}
      {is === 'next' && <span className="vh">, not begun</span>}
    </span>
    <span className="mono num muted">
      {since === undefined ? tookMs !== undefined && took(tookMs) : <SoFar since={since} />}
    </span>
  </li>
);

const SoFar = ({ since }: { since: string }) => took(Math.max(0, useNow(200) - Date.parse(since)));
