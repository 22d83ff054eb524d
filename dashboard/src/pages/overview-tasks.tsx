import type { Item } from '@agent-control-plane/sdk';
import { useRead } from '../queries.ts';
import { signOf } from '../rules/status.ts';
import { took } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { Meter } from '../ui/chart.tsx';
import { Panel, Rows } from '../ui/panel.tsx';
import { ShapeMark } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import style from './overview.module.css';

type Task = Item<'list_tasks'>;

const SHOWN = 5;

/** The tasks under way, else the last ones. */
export function Tasks() {
  const tasks = useRead('list_tasks', { query: { per_page: SHOWN } });
  return (
    <Panel title="Under way" bare>
      <Answered of={tasks}>
        {({ items }) => (
          <Rows className={style.tasks}>
            {items.map((task) => (
              <TaskRow key={task.task_id} task={task} />
            ))}
          </Rows>
        )}
      </Answered>
    </Panel>
  );
}

function TaskRow({ task }: { task: Task }) {
  const { shape, tone } = signOf('task', task.status);
  const isOver = task.finished_at !== null;
  return (
    <li>
      <span>
        <ShapeMark shape={shape} tone={tone} />
        <span className="one">{visible(task.hostname ?? 'An ended agent')}</span>
      </span>
      <span className={`hint one ${style.step}`}>
        {sentence(task.kind)}
        {task.error ? ` · ${visible(task.error)}` : !isOver && task.step && ` · ${sentence(task.step)}`}
      </span>
      <span className={style.progress}>
        {!isOver && <Meter share={task.progress / 100} label={`${task.progress} %`} />}
      </span>
      <span className="mono muted num">
        {task.finished_at ? <Time at={task.finished_at} /> : took(Date.now() - Date.parse(task.created_at))}
      </span>
    </li>
  );
}
