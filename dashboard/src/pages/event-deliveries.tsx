import type { EventDelivery } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useRead, useWrite } from '../queries.ts';
import { eventWords } from '../rules/event-kinds.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { Listed } from '../ui/listed.tsx';
import { Empty, Failed } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import { Toolbar } from '../ui/toolbar.tsx';

const VIEWS = [
  ['', 'All'],
  ['pending', 'Waiting'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
] as const;

/** Deliveries change by themselves, and no hint tells of them. */
const EVERY_MS = 3000;

const route = getRouteApi('/inside/settings/settings/events');

const columns = (again: (of: EventDelivery) => void): readonly Column<EventDelivery>[] => [
  { name: 'Event', cell: ({ type }) => eventWords(type) },
  { name: 'Happened', priority: 2, cell: ({ at }) => <Time at={at} as="when" /> },
  { name: 'State', cell: (row) => <State of={row} /> },
  { name: 'Tries', end: true, priority: 3, cell: ({ attempts }) => attempts },
  {
    name: '',
    end: true,
    cell: (row) => (
      <Button small aria-label={`Send again: ${eventWords(row.type)}`} onClick={() => again(row)}>
        Send again
      </Button>
    ),
  },
];

const State = ({ of: { status, last_error, next_attempt_at, attempts } }: { of: EventDelivery }) => (
  <>
    <Status of="message" is={status} />
    {last_error !== null && <p className="hint">{visible(last_error)}</p>}
    {next_attempt_at !== null && attempts > 0 && (
      <p className="hint">
        Tried again <Time at={next_attempt_at} as="left" />
      </p>
    )}
  </>
);

/** The deliveries of an event endpoint in the last 7 days. */
export function EventDeliveries({ of }: { of: string }) {
  const { status, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const path = { event_endpoint_id: of };
  const [view] = VIEWS.find(([each]) => each === status) ?? VIEWS[0];
  const endpoint = useRead('get_event_endpoint', { path });
  const query = { page, per_page: 20, ...(view && { status: view }) };
  const list = useRead('list_event_deliveries', { path, query }, { every: EVERY_MS });
  const redeliver = useWrite('redeliver_event', { done: () => say('The event is sent again.') });
  return (
    <Section title={`Deliveries to ${visible(endpoint.data?.description ?? endpoint.data?.url ?? '…')}`}>
      <Toolbar>
        <Chips
          label="State"
          of={VIEWS}
          chosen={view}
          onChoose={(to) => void navigate({ search: { of, ...(to && { status: to }) }, replace: true })}
        />
      </Toolbar>
      {redeliver.error !== null && <Failed error={redeliver.error} />}
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Deliveries"
        columns={columns(
          ({ id }) => void redeliver.run({ path: { ...path, delivery_id: id } }).catch(() => undefined),
        )}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={<Empty command={`agentctl events test ${of}`}>There are no such deliveries.</Empty>}
      />
    </Section>
  );
}
