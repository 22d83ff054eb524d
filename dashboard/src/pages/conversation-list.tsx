import type { Conversation } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useReadOn } from '../queries.ts';
import { Button } from '../ui/button.tsx';
import { useHeld } from '../ui/held.ts';
import { Empty, Failed, Skeleton } from '../ui/notice.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Fresh } from '../ui/table.tsx';
import { Tab, Tabs } from '../ui/tabs.tsx';
import { ConversationRow } from './conversation-row.tsx';
import style from './conversations.module.css';

const route = getRouteApi('/inside/conversations');

/** Each view of the list as the filters that make it. */
const VIEWS = {
  all: { words: 'All', query: {}, none: 'Nobody has written yet.' },
  waiting: {
    words: 'Waiting',
    query: { mode: 'human', unanswered: true },
    none: 'Nobody waits for a person.',
  },
  people: { words: 'With people', query: { mode: 'human' }, none: 'No person has a conversation.' },
  failed: { words: 'Failed', query: { failed: true }, none: 'All answers have gone out.' },
} as const;

type View = keyof typeof VIEWS;

const isView = (text: string | undefined): text is View => text !== undefined && Object.hasOwn(VIEWS, text);

export function ConversationList({ chosen }: { chosen: string | undefined }) {
  const { view: named, search } = route.useSearch();
  const navigate = route.useNavigate();
  const view = isView(named) ? named : 'all';
  const list = useReadOn('list_conversations', {
    query: { ...VIEWS[view].query, search, sort_by: 'waiting_since', per_page: 30 },
  });
  const items = list.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <div className={style.find}>
        <SearchField
          label="Find by name or address"
          value={search ?? ''}
          onSearch={(words) =>
            void navigate({
              to: '.',
              search: (old) => ({ ...old, search: words || undefined }),
              replace: true,
            })
          }
        />
      </div>
      <Views search={search} view={view} />
      {list.error && <Failed error={list.error} retry={() => void list.refetch()} />}
      {items === undefined && !list.error && <Skeleton />}
      {items?.length === 0 && <None view={view} search={search} />}
      {items !== undefined && items.length > 0 && (
        <Found items={items} chosen={chosen} isFailed={view === 'failed'} />
      )}
      {list.hasNextPage && (
        <p className={style.older}>
          <Button small pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </p>
      )}
    </>
  );
}

/** Else an address without a view would be open in each one. */
const EXACTLY = { exact: true, includeSearch: true } as const;

function Views({ view, search }: { view: View; search: string | undefined }) {
  const { data: counts } = useRead('get_overview', {});
  const numbers: Record<View, number | undefined> = {
    all: undefined,
    waiting: counts?.waiting_conversations,
    people: counts?.human_conversations,
    failed: counts?.failed_messages,
  };
  return (
    <Tabs label="Which conversations">
      {Object.entries(VIEWS).map(([name, { words }]) => (
        <Tab
          key={name}
          to="."
          search={{ view: name === 'all' ? undefined : name, search }}
          aria-current={name === view ? 'page' : undefined}
          activeOptions={EXACTLY}
          n={isView(name) ? numbers[name] : undefined}
        >
          {words}
        </Tab>
      ))}
    </Tabs>
  );
}

interface FoundProps {
  items: readonly Conversation[];
  chosen: string | undefined;
  isFailed: boolean;
}

const keyOf = ({ id }: Conversation) => id;

/** Those that wait stand first, the longest wait above; nothing moves while the list has pointer or focus. */
function Found({ items, chosen, isFailed }: FoundProps) {
  const { shown, waiting, release, hold, holds } = useHeld(items, keyOf);
  const waitsNow = items.filter(({ waiting_since }) => waiting_since !== null).map(keyOf);
  const [waits, setWaits] = useState(waitsNow);
  // A row keeps its part of the list, too, while the list is held.
  if (!holds && waits.join() !== waitsNow.join()) setWaits(waitsNow);
  const show = () => {
    setWaits(waitsNow);
    release();
  };
  return (
    <div {...hold} className={style.rows}>
      {waiting > 0 && <Fresh n={waiting} show={show} />}
      {[
        { name: 'Waiting, longest first', rows: shown.filter(({ id }) => waits.includes(id)) },
        { name: 'Latest', rows: shown.filter(({ id }) => !waits.includes(id)) },
      ].map(({ name, rows }) =>
        rows.length === 0 ? null : (
          <section key={name} aria-label={name}>
            <p className={`hint ${style.part}`}>{name}</p>
            <ul>
              {rows.map((row) => (
                <li key={row.id}>
                  <ConversationRow of={row} isChosen={row.id === chosen} isFailed={isFailed} />
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
    </div>
  );
}

const None = ({ view, search }: { view: View; search: string | undefined }) =>
  search ? (
    <Empty>No name or address has “{search}”.</Empty>
  ) : view === 'all' ? (
    <Empty
      action={
        <Link to="/instances" className="link">
          Talk to an agent yourself
        </Link>
      }
      command="agentctl chat"
    >
      {VIEWS.all.none}
    </Empty>
  ) : (
    <Empty>{VIEWS[view].none}</Empty>
  );
