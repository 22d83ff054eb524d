import type { Item } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { cronWords } from '../rules/cron-words.ts';
import { visible } from '../rules/visible-text.ts';
import { placeOf } from '../rules/zone.ts';
import { Answered } from '../ui/answered.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { Signed } from '../ui/status.tsx';
import { type Column, Pager, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import frame from './instance-frame.module.css';
import { useInstance } from './use-instance.ts';

type Row = Item<'list_instance_triggers'>;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Trigger',
    cell: ({ name, schedule, timezone }) => (
      <>
        <span className="strong">{visible(name)}</span>
        <p className="hint">
          {cronWords(schedule) ?? <span className="mono">{visible(schedule)}</span>}
          {timezone !== 'UTC' && ` in ${placeOf(timezone)}`}
        </p>
      </>
    ),
  },
  {
    name: 'Writes to',
    priority: 2,
    cell: ({ to, customer_name, opted_out }) => (
      <>
        <span className="mono">{visible(to)}</span>
        {customer_name !== null && (
          <p className="hint">
            <Name of={customer_name} />
          </p>
        )}
        {opted_out && (
          <p>
            <Signed sign={{ word: 'has written STOP', shape: 'square', tone: 'off' }} />
          </p>
        )}
      </>
    ),
  },
  {
    name: 'Last time',
    cell: ({ last_at, last_error }) => {
      if (last_at === null) return <span className="muted">never yet</span>;
      return (
        <>
          <Time at={last_at} as="when" />
          {last_error !== null && <p className="hint bad">{visible(last_error)}</p>}
        </>
      );
    },
  },
  {
    name: 'Next',
    end: true,
    cell: ({ next_at, opted_out }) =>
      next_at === null || opted_out ? <span className="muted">none</span> : <Time at={next_at} as="when" />,
  },
];

const route = getRouteApi('/inside/instances/$instance_id/triggers');

export function InstanceTriggers() {
  const { instance_id } = route.useParams();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const instance = useInstance();
  const list = useRead('list_instance_triggers', { path: { instance_id }, query: { page } });
  return (
    <Answered of={list}>
      {({ items, per_page, total }) =>
        total === 0 ? (
          <Empty
            action={
              instance.data && (
                <ButtonLink to="/recipes/$recipe_id/edit" params={{ recipe_id: instance.data.recipe_id }}>
                  Add one to its recipe
                </ButtonLink>
              )
            }
          >
            It speaks when it is spoken to. A trigger lets it write by itself, at times that the recipe or the
            customer’s configuration names.
          </Empty>
        ) : (
          <div className={frame.stack}>
            <p className="hint">
              When it writes by itself, by the clocks of each customer. The times are yours.
            </p>
            <Table
              label="Triggers"
              rows={items}
              columns={COLUMNS}
              keyOf={({ deployment_id, name }) => `${deployment_id} ${name}`}
            />
            <Pager
              page={page}
              perPage={per_page}
              total={total}
              onPage={(to) => void navigate({ search: { page: to } })}
            />
          </div>
        )
      }
    </Answered>
  );
}
