import type { InstanceEvent } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { eventWords, timelineOf } from '../rules/timeline.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Panel } from '../ui/panel.tsx';
import { ShapeMark } from '../ui/status.tsx';
import { Pager } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import frame from './instance-frame.module.css';
import { InstanceSide } from './instance-side.tsx';
import { TaskPanel } from './instance-task.tsx';
import style from './instance-timeline.module.css';

const MOST = 100;

const route = getRouteApi('/inside/instances/$instance_id/timeline');

export function InstanceTimeline() {
  const { instance_id } = route.useParams();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const events = useRead('list_instance_events', { path: { instance_id }, query: { page, per_page: MOST } });
  const tasks = useRead('list_tasks', { query: { instance_id, per_page: MOST } });
  return (
    <div className={frame.two}>
      <div className={frame.stack}>
        <Answered of={tasks}>
          {({ items }) => (
            <Answered of={events}>
              {(log) => (
                <>
                  {timelineOf(log.items, items)
                    .filter((entry) => page === 1 || entry.is === 'events' || entry.steps.length > 0)
                    .map((entry) =>
                      entry.is === 'task' ? (
                        <TaskPanel key={entry.task.task_id} of={entry} />
                      ) : (
                        <Events key={entry.events[0]?.id} of={entry.events} />
                      ),
                    )}
                  <Pager
                    page={page}
                    perPage={MOST}
                    total={log.total}
                    onPage={(to) => void navigate({ search: { page: to } })}
                  />
                </>
              )}
            </Answered>
          )}
        </Answered>
      </div>
      <div className={tasks.data && events.data ? undefined : frame.early}>
        <InstanceSide />
      </div>
    </div>
  );
}

/** Events outside tasks, the newest first. */
const Events = ({ of }: { of: readonly InstanceEvent[] }) => (
  <Panel label="What happened by itself" bare>
    <ol className={style.events}>
      {of.map((event) => (
        <li key={event.id}>
          <ShapeMark {...markOf(event)} />
          <span className="said">{visible(eventWords(event))}</span>
          <span className="hint">
            <Time at={event.at} as="when" />
          </span>
        </li>
      ))}
    </ol>
  </Panel>
);

function markOf({ to, step }: InstanceEvent) {
  if (to === 'failed') return { shape: 'triangle', tone: 'bad' } as const;
  if (step === 'trigger' || step === 'loop_suspected') return { shape: 'diamond', tone: 'wait' } as const;
  return { shape: 'ring', tone: 'off' } as const;
}
