import type { ChannelMessage, Query } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { agentPath, conversationPath } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { Listed } from '../ui/listed.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import style from './channels.module.css';
import { FoundFilter } from './found-filter.tsx';
import { type Retries, useRetries } from './retries.ts';

const VIEWS = [
  ['', 'Wait or given up'],
  ['dead', 'Given up'],
  ['pending', 'Waiting'],
  ['delivered', 'Delivered'],
  ['all', 'All'],
] as const;
type View = (typeof VIEWS)[number][0];

const route = getRouteApi('/inside/channels-frame/channels/messages');

const columns = ({ faults, pending, retry }: Retries): readonly Column<ChannelMessage>[] => [
  {
    name: 'From',
    cell: ({ conversation_id, external_id, received_at }) => (
      <>
        {conversation_id === null ? (
          <Name of={external_id} />
        ) : (
          <Link to={conversationPath(conversation_id)}>
            <Name of={external_id} />
          </Link>
        )}
        <span className={`hint ${style.phone}`}>
          <Time at={received_at} as="when" />
        </span>
      </>
    ),
  },
  {
    name: 'To',
    priority: 2,
    cell: ({ instance_id, hostname }) => (
      <Link to={agentPath(instance_id)} className="link">
        <Name of={hostname ?? 'The agent'} />
      </Link>
    ),
  },
  { name: 'Came', priority: 2, cell: ({ received_at }) => <Time at={received_at} as="when" /> },
  { name: 'State', cell: (row) => <Why of={row} fault={faults.get(row.id)} /> },
  { name: 'Tries', end: true, priority: 3, cell: ({ attempts }) => attempts },
  {
    name: '',
    end: true,
    cell: ({ id, external_id, status }) =>
      status === 'dead' && (
        <Button
          small
          pending={pending.has(id)}
          aria-label={`Try again: the message of ${visible(external_id)}`}
          onClick={() => retry([id])}
        >
          Try again
        </Button>
      ),
  },
];

const Why = ({ of: { status, last_error }, fault }: { of: ChannelMessage; fault: string | undefined }) => (
  <div className={style.why}>
    <Status of="message" is={status} />
    {last_error !== null && <p className="hint">{visible(last_error)}</p>}
    {fault !== undefined && (
      <p className="hint bad" role="alert">
        {fault}
      </p>
    )}
  </div>
);

export function ChannelMessages() {
  const { status, instance_id } = route.useSearch();
  const navigate = route.useNavigate();
  const [view] = VIEWS.find(([each]) => each === status) ?? VIEWS[0];
  const agent = useRead(
    'get_instance',
    { path: { instance_id: instance_id ?? '' } },
    { enabled: instance_id !== undefined },
  );
  const only = instance_id === undefined ? {} : { instance_id };
  return (
    <>
      <Toolbar>
        <Chips
          label="State"
          of={VIEWS}
          chosen={view}
          onChoose={(to) => void navigate({ search: { ...only, ...(to && { status: to }) }, replace: true })}
        />
        <FoundFilter
          label="Agent"
          kinds={['instance']}
          chosen={
            instance_id && agent.data ? { id: instance_id, name: visible(agent.data.hostname) } : undefined
          }
          onChoose={(item) =>
            void navigate({
              search: (old) => ({ ...old, instance_id: item?.id, page: undefined }),
              replace: true,
            })
          }
        />
      </Toolbar>
      {view === '' ? <Unfinished only={only} /> : <Messages view={view} only={only} />}
    </>
  );
}

type Only = Pick<Query<'list_channel_messages'>, 'instance_id'>;

/** Those that were given up come first: they stay so until a person does something. */
function Unfinished({ only }: { only: Only }) {
  const dead = useRead('list_channel_messages', { query: { ...only, status: 'dead' } });
  const waiting = useRead('list_channel_messages', { query: { ...only, status: 'pending' } });
  if (dead.data?.total === 0 && waiting.data?.total === 0)
    return (
      <Empty
        action={
          <ButtonLink from="/channels/messages" search={(old) => ({ ...old, status: 'all' })}>
            Show all messages
          </ButtonLink>
        }
        command="agentctl messages list"
      >
        No message waits: the agents have accepted all that came.
      </Empty>
    );
  return (
    <>
      {dead.data?.total !== 0 && <Part title="Given up" view="dead" list={dead} />}
      {waiting.data?.total !== 0 && <Part title="Waiting" view="pending" list={waiting} />}
    </>
  );
}

type List = ReturnType<typeof useRead<'list_channel_messages'>>;

function Part({ title, view, list }: { title: string; view: View; list: List }) {
  const retries = useRetries();
  const { items = [], total = 0 } = list.data ?? {};
  return (
    <Section
      title={title}
      aside={
        <>
          {total > items.length && (
            <Link
              from="/channels/messages"
              search={(old) => ({ ...old, status: view })}
              className="link hint"
            >
              All {plural(total, 'message')}
            </Link>
          )}
          {view === 'dead' && items.length > 1 && (
            <Button
              small
              pending={retries.pending.size > 0}
              onClick={() => retries.retry(items.map(({ id }) => id))}
            >
              Try all {items.length} again
            </Button>
          )}
        </>
      }
    >
      <Listed of={list} rows={(data) => data.items} label={title} columns={columns(retries)} empty={null} />
    </Section>
  );
}

function Messages({ view, only }: { view: Exclude<View, ''>; only: Only }) {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const retries = useRetries();
  const list = useRead('list_channel_messages', {
    query: { ...only, page, per_page: 50, ...(view !== 'all' && { status: view }) },
  });
  return (
    <Listed
      of={list}
      rows={({ items }) => items}
      label="Messages"
      columns={columns(retries)}
      onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
      empty={
        <Empty command="agentctl messages simulate">
          {view === 'all'
            ? 'No message has come yet. What people write to a number is listed here, without its text.'
            : 'There are no such messages.'}
        </Empty>
      }
    />
  );
}
