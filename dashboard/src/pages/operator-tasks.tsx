import type { OperatorTask, TaskStatus } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useOperatorRead } from '../operator.ts';
import { signOf } from '../rules/status.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { Progress } from '../ui/chart.tsx';
import type { Choice } from '../ui/field.tsx';
import { Listed } from '../ui/listed.tsx';
import { Page } from '../ui/page.tsx';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import style from './operator.module.css';
import { Filters, type Narrowed, None, TenantName } from './operator-filters.tsx';

const STATES: readonly TaskStatus[] = ['queued', 'running', 'succeeded', 'failed', 'canceling', 'canceled'];

type Row = OperatorTask & { id: string };

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Task',
    cell: ({ kind, instance_id }) => (
      <>
        <span className="strong">{sentence(kind)}</span>
        <span className={`mono muted ${style.under}`} title={instance_id}>
          {instance_id.slice(0, 8)}…
        </span>
      </>
    ),
  },
  { name: 'Tenant', cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
  {
    name: 'State',
    cell: ({ status, step, progress, error }) => (
      <>
        <Status of="task" is={status} />
        {status === 'running' && (
          <span className={style.progress}>
            <Progress share={progress / 100} label="Done" />
          </span>
        )}
        {status !== 'succeeded' && (error ?? step) && (
          <span className={`hint ${style.under}`}>{visible(error ?? sentence(step ?? ''))}</span>
        )}
      </>
    ),
  },
  { name: 'Began', priority: 2, cell: ({ created_at }) => <Time at={created_at} as="when" /> },
  {
    name: 'Ended',
    priority: 3,
    cell: ({ finished_at }) =>
      finished_at ? <Time at={finished_at} as="when" /> : <span className="muted">not yet</span>,
  },
];

const CHOICES = STATES.map((each): Choice => [each, sentence(signOf('task', each).word)]);

const route = getRouteApi('/operator/operator/tasks');

export function OperatorTasks() {
  const { page = 1, tenant, ...search } = route.useSearch();
  const status = STATES.find((each) => each === search.status);
  const navigate = route.useNavigate();
  const narrow = (by: Narrowed) => void navigate({ search: by });
  const list = useOperatorRead(
    'list_operator_tasks',
    {
      query: { page, per_page: 50, ...(tenant && { tenant_id: tenant }), ...(status && { status }) },
    },
    { isLive: true },
  );
  return (
    <Page title="Tasks" name="Tasks · Operator" sub="Each starts, changes or ends an agent">
      <Filters tenant={tenant} status={status} states={CHOICES} onNarrow={narrow} />
      <Listed
        of={list}
        rows={({ items }) => items.map((task): Row => ({ ...task, id: task.task_id }))}
        label="Tasks"
        columns={COLUMNS}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <None tenant={tenant} status={status} onNarrow={narrow} one="task">
            No agent was started yet.
          </None>
        }
      />
    </Page>
  );
}
