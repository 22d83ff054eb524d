import type { ToolCall, ToolCallDecision, ToolCallDenial } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { dayRange } from '../rules/day-range.ts';
import type { Sign } from '../rules/status.ts';
import { took } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import type { Choice } from '../ui/field.tsx';
import { Empty } from '../ui/notice.tsx';
import { SelectFilter } from '../ui/select-filter.tsx';
import { Signed } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { Days, Only } from './audit-filters.tsx';
import { AuditList } from './audit-list.tsx';
import style from './settings-audit.module.css';

const DECISIONS: readonly (readonly [ToolCallDecision, Sign])[] = [
  ['allowed', { word: 'allowed', shape: 'check', tone: 'good' }],
  ['denied', { word: 'denied', shape: 'square', tone: 'bad' }],
  ['asked', { word: 'a person was asked', shape: 'diamond', tone: 'wait' }],
];

const DENIALS: Record<ToolCallDenial, string> = {
  scope: 'the scope is missing',
  role: 'for admins alone',
  read_only: 'the client only reads',
  unknown_tool: 'there is no such tool',
  declined: 'a person declined',
};

const decisionOf = (text: string | undefined) => DECISIONS.find(([decision]) => decision === text);

const columns = (only: (tool: string) => void): readonly Column<ToolCall & { id: string }>[] => [
  {
    name: 'Tool',
    cell: ({ tool }) => (
      <button type="button" className={`mono ${style.narrow}`} onClick={() => only(tool)}>
        {visible(tool)}
        <span className="vh"> only its calls</span>
      </button>
    ),
  },
  {
    name: 'Decision',
    cell: ({ decision, reason }) => {
      const sign = decisionOf(decision)?.[1];
      return (
        <>
          {sign && <Signed sign={sign} />}
          {reason && <span className="hint"> {DENIALS[reason]}</span>}
        </>
      );
    },
  },
  { name: 'By', cell: ({ actor }) => visible(actor.name ?? 'gone') },
  {
    name: 'Program',
    priority: 3,
    cell: ({ client_name, client_version }) => (
      <span className="muted">{visible([client_name, client_version].filter(Boolean).join(' '))}</span>
    ),
  },
  { name: 'Took', priority: 2, end: true, cell: ({ latency_ms }) => took(latency_ms) },
  { name: 'When', end: true, cell: ({ at }) => <Time at={at} as="when" /> },
];

const route = getRouteApi('/inside/settings/settings/audit');

export function ToolCalls() {
  const { page = 1, tool, from, to, ...search } = route.useSearch();
  const decision = decisionOf(search.decision)?.[0];
  const navigate = route.useNavigate();
  const narrow = (by: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (old) => ({ ...old, ...by, page: undefined }) });
  const list = useRead('list_tool_calls', {
    query: {
      page,
      per_page: 50,
      ...(tool && { tool }),
      ...(decision && { decision }),
      ...dayRange(from, to),
    },
  });
  const isNarrow = Boolean(tool || decision || from || to);
  return (
    <div className={style.record}>
      <Toolbar>
        <SelectFilter
          label="Decision"
          value={decision ?? ''}
          choices={[
            ['', 'All decisions'],
            ...DECISIONS.map(([value, { word }]): Choice => [value, sentence(word)]),
          ]}
          onChoose={(to) => narrow({ decision: to || undefined })}
        />
        <Days from={from} to={to} onChange={narrow} />
        {tool && <Only onEnd={() => narrow({ tool: undefined })}>{visible(tool)}</Only>}
      </Toolbar>
      <AuditList
        of={list}
        label="Tool calls"
        columns={columns((name) => narrow({ tool: name }))}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty
            action={
              isNarrow && <Button onClick={() => void navigate({ search: { of: 'calls' } })}>Show all</Button>
            }
            command="agentctl audit list"
          >
            {isNarrow
              ? 'No call fits.'
              : 'No language model has called this service’s own tools (/mcp) yet. Calls of agents’ tools stand in their conversations.'}
          </Empty>
        }
      />
    </div>
  );
}
