import type { ActorKind, Change } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { changeWords } from '../rules/change-words.ts';
import { dayRange } from '../rules/day-range.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/notice.tsx';
import { SelectFilter } from '../ui/select-filter.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { Days, Only } from './audit-filters.tsx';
import { AuditList } from './audit-list.tsx';
import style from './settings-audit.module.css';

const ACTORS: readonly (readonly [ActorKind, string])[] = [
  ['user', 'People'],
  ['api_key', 'API keys'],
  ['instance', 'Agents'],
  ['operations', 'The operator'],
  ['anonymous', 'Nobody signed in'],
];

const actorKind = (text: string | undefined) => ACTORS.find(([kind]) => kind === text)?.[0];

const actorWords = ({ kind, name }: Change['actor']) =>
  name === null ? (kind === 'operations' ? 'the operator' : kind === 'anonymous' ? 'nobody' : 'gone') : name;

interface Narrow {
  actor: (id: string) => void;
  operation: (id: string) => void;
}

const columns = (narrow: Narrow): readonly Column<Change & { id: string }>[] => [
  {
    name: 'Done',
    cell: ({ operation }) => (
      <button type="button" className={style.narrow} onClick={() => narrow.operation(operation)}>
        {changeWords(operation)}
        <span className="vh"> only such changes</span>
      </button>
    ),
  },
  {
    name: 'By',
    cell: ({ actor }) =>
      actor.id === null ? (
        <span className="muted">{actorWords(actor)}</span>
      ) : (
        <button type="button" className={style.narrow} onClick={() => narrow.actor(actor.id ?? '')}>
          {visible(actorWords(actor))}
          <span className="vh"> only these changes</span>
        </button>
      ),
  },
  {
    name: 'Row',
    priority: 3,
    cell: ({ resource_id }) => <span className="mono muted">{resource_id}</span>,
  },
  { name: 'Answer', priority: 2, cell: ({ status }) => <span className="mono">{status}</span> },
  { name: 'When', end: true, cell: ({ at }) => <Time at={at} as="when" /> },
];

const route = getRouteApi('/inside/settings/settings/audit');

export function Changes() {
  const { page = 1, by, actor, operation, from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const actor_kind = actorKind(by);
  const narrow = (by: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (old) => ({ ...old, ...by, page: undefined }) });
  const list = useRead('list_changes', {
    query: {
      page,
      per_page: 50,
      ...(actor_kind && { actor_kind }),
      ...(actor && { actor_id: actor }),
      ...(operation && { operation }),
      ...dayRange(from, to),
    },
  });
  const isNarrow = Boolean(actor_kind || actor || operation || from || to);
  const name = list.data?.items.find((change) => change.actor.id === actor)?.actor.name;
  return (
    <div className={style.record}>
      <Toolbar>
        <SelectFilter
          label="Made by"
          value={actor_kind ?? ''}
          choices={[['', 'By all'], ...ACTORS]}
          onChoose={(kind) => narrow({ by: kind || undefined })}
        />
        <Days from={from} to={to} onChange={narrow} />
        {operation && <Only onEnd={() => narrow({ operation: undefined })}>{changeWords(operation)}</Only>}
        {actor && <Only onEnd={() => narrow({ actor: undefined })}>{visible(name ?? 'One caller')}</Only>}
      </Toolbar>
      <AuditList
        of={list}
        label="Changes"
        columns={columns({
          actor: (id) => narrow({ actor: id }),
          operation: (id) => narrow({ operation: id }),
        })}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty
            action={isNarrow && <Button onClick={() => void navigate({ search: {} })}>Show all</Button>}
            command="agentctl audit changes"
          >
            {isNarrow ? 'No change fits.' : 'Nobody has changed anything yet.'}
          </Empty>
        }
      />
    </div>
  );
}
